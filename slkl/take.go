package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// take takes in rows that have passed the door, block by block, and ends early
// if r says so, but not before the first block of all.
func (l *Learner) take(k task, r *monitor.Monitor) {
	x, y := k.x, k.y
	size := min(blockRows(l.columns.count(), x.Sparse != nil), x.Rows)
	b := block{x: new(compute.Points), y: compute.NewMatrix(size, y.Cols), c: compute.NewMatrix(size, l.columns.count())}
	for from := 0; from < x.Rows && !(l.rows > 0 && r.Stopped()); from += size {
		to := min(from+size, x.Rows)
		l.add(b.first(to-from), x.Between(from, to), compute.Rows(y, from, to), k.weights.Between(from, to), k.numbersBetween(from, to))
		r.Report(rkhs.Progress{Phase: "rows", Done: to, Total: x.Rows, Iteration: l.rows, Objective: math.NaN(), Gap: math.NaN()})
	}
}

// block holds rows and targets in the order of the folds, and the columns of the rows.
type block struct {
	x    *compute.Points
	y, c compute.Matrix
}

func (b block) first(n int) block {
	return block{b.x, compute.Rows(b.y, 0, n), compute.Rows(b.c, 0, n)}
}

// add takes in as many rows as b holds.
func (l *Learner) add(b block, x compute.Points, y compute.Matrix, weights compute.Weights, numbers []uint64) {
	ends := []int{x.Rows}
	if len(l.parts) == 1 {
		compute.CopyTo(b.y, y)
	} else {
		var order []int
		order, ends = l.deal(x.Rows, numbers)
		ends = append(ends[:len(l.parts)-1], x.Rows)
		compute.PickTo(b.y, y, order)
		x.PickTo(b.x, order)
		x, weights = *b.x, weights.Pick(order)
	}
	l.columns.fill(b.c, x, l.columns.all())
	from := 0
	for i, to := range ends {
		l.parts[i].add(compute.Rows(b.c, from, to), compute.Rows(b.y, from, to), weights.Between(from, to), l.settings.Workers)
		from = to
	}
	l.rows += x.Rows
}

// deal groups the next n rows, or those with numbers, by fold.
func (l *Learner) deal(n int, numbers []uint64) (order, ends []int) {
	folds := choose.Folds{K: l.settings.folds(), Seed: l.settings.Seed, Purpose: "slkl folds"}
	if numbers != nil {
		return folds.DealNumbered(numbers)
	}
	return folds.Deal(l.rows, n)
}
