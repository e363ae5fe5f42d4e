// Package compute holds the operations in which this module spends its time:
// matrix products, blocks of kernel values, and elementwise functions.
//
// Matrices are row-major blas64.General values. Nothing here validates data:
// callers pass finite values and matching sizes; a mismatch of sizes panics.
// The argument workers bounds the goroutines of a call; zero and negative
// values mean GOMAXPROCS. Results do not depend on it.
package compute

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"
)

// Matrix is a dense row-major matrix.
type Matrix = blas64.General

// Parallel calls do(i) for i in [0, n) on at most workers goroutines that take
// the indices from one queue in ascending order. It returns when all are done.
func Parallel(n, workers int, do func(i int)) {
	workers = min(Workers(workers), n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		}()
	}
	wg.Wait()
}

// Workers returns n if it is positive and GOMAXPROCS otherwise.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Rows returns rows [from, to) of m; it shares the data of m.
func Rows(m Matrix, from, to int) Matrix {
	return Matrix{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : max(from*m.Stride, (to-1)*m.Stride+m.Cols)]}
}

// NewMatrix returns an r×c matrix of zeros.
func NewMatrix(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}
