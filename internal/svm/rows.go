package svm

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// gramRows gives rows of the Gram matrix.
type gramRows interface {
	// rows returns row i of the Gram matrix for each i of w, over the active
	// columns. They are good until the next call.
	rows(w []int) [][]float64
	// restrict makes those of the columns active that are given, in ascending
	// order.
	restrict(active []int)
	// shrinks reports whether fewer active columns save work.
	shrinks() bool
	// times sets dst_i = Σ_j k(x_i, x_j)·c_j over the rows i and the columns j
	// that are given.
	times(dst []float64, rows, columns []int, c []float64)
	diagonal(dst []float64)
	// batch is the number of rows that are best taken together.
	batch() int
}

// open stores the Gram matrix of up to 2048 rows, where most of it will be asked
// for, if there is room.
func open(k kernel.Kernel, x compute.Points, o Options) gramRows {
	if n := int64(x.Rows); n > 2048 || 8*n*n > o.CacheBytes {
		return newComputed(k, x, o)
	}
	values := compute.NewMatrix(x.Rows, x.Rows)
	gram.Evaluator{Kernel: k, Workers: o.Workers}.GramOf(values, x)
	return &stored{gram: values}
}

// computedBatch rows together cost little more than the few that are needed
// first; the matrix among storedBatch rows stays in the second cache.
const (
	computedBatch = 512
	storedBatch   = 128
)
