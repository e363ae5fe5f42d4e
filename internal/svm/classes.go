package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Classes is a one-against-one classifier of K classes.
type Classes struct {
	// Count is K.
	Count int
	// Pairs holds a solution for each pair in the order of PairsOf. The lower class is the
	// positive one.
	Pairs []*Solution
	rows  [][]int // of each class
}

// FitClasses trains one against one on the rows of x (n×d) with classes 0 … K−1, all non-empty.
// It ignores Options.Start. Each pair has its own cache. Errors are as in Fit.
func FitClasses(ctx context.Context, k kernel.Kernel, x compute.Points, class []int, count int, o Options) (*Classes, error) {
	return first(PathClasses(ctx, k, x, class, count, []float64{cmp.Or(o.C, 1)}, o))
}

// PathClasses is FitClasses for several C, each pair as in Path. It returns the C that all pairs
// have reached.
func PathClasses(ctx context.Context, k kernel.Kernel, x compute.Points, class []int, count int, cs []float64, o Options) ([]*Classes, error) {
	rows, err := rowsByClass(x.Rows, class, count)
	if err != nil {
		return nil, err
	}
	pairs := PairsOf(count)
	paths := make([][]*Solution, len(pairs))
	errs := make([]error, len(pairs))
	compute.Parallel(len(pairs), o.Workers, func(p int) {
		a, b := rows[pairs[p][0]], rows[pairs[p][1]]
		both := slices.Concat(a, b)
		paths[p], errs[p] = Path(ctx, k, x.Pick(both), signs(len(a), len(both)), cs, o.part(both, len(pairs)))
	})
	var list []*Classes
	for t := range cs {
		c := &Classes{Count: count, rows: rows}
		for _, path := range paths {
			if t < len(path) {
				c.Pairs = append(c.Pairs, path[t])
			}
		}
		if len(c.Pairs) < len(pairs) {
			break
		}
		list = append(list, c)
	}
	return list, errors.Join(errs...)
}

// part returns the options for some rows, in one of several pairs.
func (o Options) part(rows []int, pairs int) Options {
	o.Start, o.Weights = nil, compute.PickOf(o.Weights, rows)
	if pairs > 1 {
		o.Workers = 1
	}
	return o
}

// signs returns n labels, 1 for the first rows and −1 for later rows.
func signs(first, n int) []float64 {
	return slices.Concat(slices.Repeat([]float64{1}, first), slices.Repeat([]float64{-1}, n-first))
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

// PairsOf lists the pairs of classes: (0,1), (0,2), … (1,2), ….
func PairsOf(count int) (list [][2]int) {
	for a := range count {
		for b := a + 1; b < count; b++ {
			list = append(list, [2]int{a, b})
		}
	}
	return list
}

// Coefficients sets a column of dst, n×K(K−1)/2, for each pair and returns the constants. Their
// signs make the higher class of a pair the positive one.
func (c *Classes) Coefficients(dst compute.Matrix) (intercept []float64) {
	intercept = make([]float64, len(c.Pairs))
	for p, pair := range PairsOf(c.Count) {
		intercept[p] = -c.Pairs[p].Bias
		for k, i := range slices.Concat(c.rows[pair[0]], c.rows[pair[1]]) {
			compute.Row(dst, i)[p] = -c.Pairs[p].Beta[k]
		}
	}
	return intercept
}

// Scores sets dst_jp = f_p(z_j) + b_p for each row of z (m×d) and each pair p, with the k and x of
// the fit. A positive score is a vote for the lower class.
func (c *Classes) Scores(dst compute.Matrix, k kernel.Kernel, x, z compute.Points, workers int) {
	weights := compute.NewMatrix(x.Rows, len(c.Pairs))
	intercept := c.Coefficients(weights)
	gram.Evaluator{Kernel: k, Workers: workers}.MulOf(dst, z, x, weights)
	compute.AddRow(dst, intercept)
	for j := range dst.Rows {
		floats.Scale(-1, compute.Row(dst, j))
	}
}

// Predict sets dst_j to the class with the most votes for row j of scores (m×K(K−1)/2), as LIBSVM
// does. The lowest class wins a tie.
func (c *Classes) Predict(dst []int, scores compute.Matrix) {
	for j := range dst {
		row := compute.Row(scores, j)
		dst[j] = Vote(c.Count, func(pair int) bool { return !(row[pair] > 0) })
	}
}

// Vote returns the class with the most votes, and the lowest of several. Each pair has a vote, in
// the order of PairsOf; higher reports whether the higher class gets it.
func Vote(count int, higher func(pair int) bool) int {
	pair := -1
	return VoteOf(count, func(int, int) bool {
		pair++
		return higher(pair)
	})
}

// VoteOf is Vote with a function of the two classes a < b of a pair.
func VoteOf(count int, higher func(a, b int) bool) int {
	var few [32]int // on the stack
	votes := append(few[:0], make([]int, count)...)
	for a := range count {
		for b := a + 1; b < count; b++ {
			if higher(a, b) {
				votes[b]++
			} else {
				votes[a]++
			}
		}
	}
	return slices.Index(votes, slices.Max(votes))
}
