package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Classes tells K classes apart by K·(K−1)/2 solutions, one for each pair.
type Classes struct {
	// Count is K.
	Count int
	// Pairs holds the solutions of the pairs (0,1), (0,2), … (1,2), …; the lower
	// class is the positive one.
	Pairs []*Solution
	rows  [][]int // of each class, places in x
}

// FitClasses trains one against one on the rows of x (n×d) with classes 0 … K−1,
// of which none may be empty. Weights are those of the rows; Start is not used.
// Pairs are solved side by side, each with a cache of its own. Errors are those
// of Fit; one of a pair that did not converge comes with the solutions.
func FitClasses(ctx context.Context, k kernel.Kernel, x compute.Points, class []int, count int, o Options) (*Classes, error) {
	list, err := PathClasses(ctx, k, x, class, count, []float64{cmp.Or(o.C, 1)}, o)
	if len(list) == 0 {
		return nil, err
	}
	return list[0], err
}

// PathClasses is FitClasses for one C after the other, each pair as in Path.
func PathClasses(ctx context.Context, k kernel.Kernel, x compute.Points, class []int, count int, cs []float64, o Options) ([]*Classes, error) {
	rows, err := rowsByClass(x.Rows, class, count)
	if err != nil {
		return nil, err
	}
	pairs := PairsOf(count)
	solutions := make([][]*Solution, len(pairs))
	errs := make([]error, len(pairs))
	compute.Parallel(len(pairs), o.Workers, func(p int) {
		a, b := pairs[p][0], pairs[p][1]
		both := append(append([]int(nil), rows[a]...), rows[b]...)
		solutions[p], errs[p] = Path(ctx, k, x.Pick(both), signs(len(rows[a]), len(both)), cs, o.part(both, len(pairs)))
	})
	return collect(count, rows, solutions, len(cs)), errors.Join(errs...)
}

// part returns the options of one of some pairs.
func (o Options) part(rows []int, pairs int) Options {
	o.Start = nil
	if pairs > 1 {
		o.Workers = 1
	}
	if o.Weights != nil {
		w := make([]float64, len(rows))
		for t, i := range rows {
			w[t] = o.Weights[i]
		}
		o.Weights = w
	}
	return o
}

// signs returns n labels: the first are 1 and the rest −1.
func signs(first, n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = -1
		if i < first {
			y[i] = 1
		}
	}
	return y
}

func rowsByClass(n int, class []int, count int) ([][]int, error) {
	if len(class) != n {
		return nil, fmt.Errorf("svm: %d classes for %d rows: %w", len(class), n, rkhs.ErrShape)
	}
	if count < 2 {
		return nil, fmt.Errorf("svm: %d classes, want 2 or more: %w", count, rkhs.ErrLabels)
	}
	rows := make([][]int, count)
	for i, c := range class {
		if c < 0 || c >= count {
			return nil, fmt.Errorf("svm: class %d in row %d, want 0 to %d: %w", c, i, count-1, rkhs.ErrLabels)
		}
		rows[c] = append(rows[c], i)
	}
	for c, list := range rows {
		if len(list) == 0 {
			return nil, fmt.Errorf("svm: no rows of class %d: %w", c, rkhs.ErrLabels)
		}
	}
	return rows, nil
}

// PairsOf lists the pairs of so many classes: (0,1), (0,2), … (1,2), ….
func PairsOf(count int) (list [][2]int) {
	for a := range count {
		for b := a + 1; b < count; b++ {
			list = append(list, [2]int{a, b})
		}
	}
	return list
}

// collect turns solutions by pair and C into Classes by C, as far as all pairs
// have come.
func collect(count int, rows [][]int, solutions [][]*Solution, steps int) []*Classes {
	var list []*Classes
	for t := range steps {
		c := &Classes{Count: count, rows: rows}
		for _, path := range solutions {
			if t >= len(path) {
				return list
			}
			c.Pairs = append(c.Pairs, path[t])
		}
		list = append(list, c)
	}
	return list
}
