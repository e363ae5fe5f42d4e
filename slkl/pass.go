package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// take takes in rows that have passed the door, block by block, and ends early
// if r says so.
func (a *Accumulator) take(x, y compute.Matrix, r *monitor.Monitor) {
	size := min(blockRows(a.cols.count()), x.Rows)
	b := block{y: compute.NewMatrix(size, y.Cols), c: compute.NewMatrix(size, a.cols.count())}
	if len(a.parts) > 1 {
		b.x = compute.NewMatrix(size, x.Cols)
	}
	for from := 0; from < x.Rows && !r.Stopped(); from += size {
		to := min(from+size, x.Rows)
		a.add(b.first(to-from), compute.Rows(x, from, to), compute.Rows(y, from, to))
		r.Report(rkhs.Progress{Iteration: a.rows, Objective: math.NaN(), Gap: math.NaN()})
	}
}

// block holds rows in the order of their folds, and their columns. With a single
// fold x is empty: the rows stay where they are.
type block struct{ x, y, c compute.Matrix }

func (b block) first(n int) block {
	if b.x.Rows > 0 {
		b.x = compute.Rows(b.x, 0, n)
	}
	return block{b.x, compute.Rows(b.y, 0, n), compute.Rows(b.c, 0, n)}
}

// add takes in as many rows as b holds.
func (a *Accumulator) add(b block, x, y compute.Matrix) {
	order, ends := a.folds(x.Rows)
	if len(a.parts) == 1 {
		for i := range y.Rows {
			copy(row(b.y, i), row(y, i))
		}
	} else {
		for i, r := range order {
			copy(row(b.x, i), row(x, r))
			copy(row(b.y, i), row(y, r))
		}
		x = b.x
	}
	a.cols.fill(b.c, x)
	from := 0
	for i, to := range ends {
		a.parts[i].add(compute.Rows(b.c, from, to), compute.Rows(b.y, from, to), a.s.Workers)
		from = to
	}
	a.rows += x.Rows
}

// folds groups the next n rows by fold: their order, which stays empty for a
// single fold, and where each fold ends.
// Each run of K rows visits all K folds in an order drawn for that run, so that
// a row's fold depends on its number alone and the folds are even.
func (a *Accumulator) folds(n int) (order, ends []int) {
	k := len(a.parts)
	if k == 1 {
		return nil, []int{n}
	}
	fold := make([]int, n)
	for i := range fold {
		r := a.rows + i
		if i == 0 || r%k == 0 {
			perm := rng.New(a.s.Seed, "slkl folds", uint64(r/k)).Perm(k)
			for j := i; j < min(n, i+k-r%k); j++ {
				fold[j] = perm[(a.rows+j)%k]
			}
		}
	}
	ends = make([]int, k)
	for f := range ends {
		for i, v := range fold {
			if v == f {
				order = append(order, i)
			}
		}
		ends[f] = len(order)
	}
	return order, ends
}

// blockRows is the number of rows whose columns are held at once.
func blockRows(columns int) int { return min(max(1<<21/max(columns, 1), 256), 8192) }
