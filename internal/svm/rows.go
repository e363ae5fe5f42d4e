package svm

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
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
func open(k kernel.Kernel, x blas64.General, o Options) gramRows {
	if n := int64(x.Rows); n > 2048 || 8*n*n > o.CacheBytes {
		return newComputed(k, x, o)
	}
	gram := compute.NewMatrix(x.Rows, x.Rows)
	kernel.Evaluator{Kernel: k, Workers: o.Workers}.Gram(gram, x)
	return &stored{gram: gram}
}

// computedBatch rows together cost little more than the few that are needed
// first; the matrix among storedBatch rows stays in the second cache.
const (
	computedBatch = 512
	storedBatch   = 128
)

// stored is a Gram matrix in memory.
type stored struct {
	gram blas64.General
	list [][]float64
}

func (s *stored) row(i int) []float64 {
	return s.gram.Data[i*s.gram.Stride : i*s.gram.Stride+s.gram.Cols]
}

func (s *stored) rows(w []int) [][]float64 {
	s.list = s.list[:0]
	for _, i := range w {
		s.list = append(s.list, s.row(i))
	}
	return s.list
}

func (*stored) restrict([]int) {}
func (*stored) shrinks() bool  { return false }
func (*stored) batch() int     { return storedBatch }

func (s *stored) times(dst []float64, rows, columns []int, c []float64) {
	for r, i := range rows {
		row, sum := s.row(i), 0.0
		for t, j := range columns {
			sum += c[t] * row[j]
		}
		dst[r] = sum
	}
}

func (s *stored) diagonal(dst []float64) {
	for i := range dst {
		dst[i] = s.row(i)[i]
	}
}

// computed is the Gram matrix of the rows of x, of which the rows used last are
// held in a cache.
type computed struct {
	kernel  kernel.Evaluator
	x       blas64.General
	columns blas64.General // the active rows of x
	active  []int
	cache   *cache
	tiles   sync.Pool // of *[]float64, space for values of a tile
	workers int
}

func newComputed(k kernel.Kernel, x blas64.General, o Options) *computed {
	c := &computed{kernel: kernel.Evaluator{Kernel: k, Workers: 1}, x: x, columns: x, workers: o.Workers}
	c.cache = newCache(x.Rows, o.CacheBytes)
	c.active = all(x.Rows)
	c.tiles.New = func() any {
		space := make([]float64, computedBatch*tileColumns)
		return &space
	}
	return c
}

func (c *computed) shrinks() bool { return true }
func (c *computed) batch() int    { return computedBatch }

func (c *computed) diagonal(dst []float64) { c.kernel.Diag(dst, c.x) }

func (c *computed) restrict(active []int) {
	if !c.cache.restrict(c.active, active) {
		c.cache.reset(len(active))
	}
	c.active = active
	c.columns = gather(c.x, active)
}

func (c *computed) rows(w []int) [][]float64 {
	list, missing := c.cache.find(w)
	if len(missing) == 0 {
		return list
	}
	todo := make([]int, len(missing))
	dst := make([][]float64, len(missing))
	for t, at := range missing {
		todo[t], dst[t] = w[at], list[at]
	}
	c.fill(dst, gather(c.x, todo))
	return list
}

// tileColumns is the number of columns that are computed at a time.
const tileColumns = 512

// fill computes rows of the Gram matrix, tiles of columns side by side.
func (c *computed) fill(dst [][]float64, x blas64.General) {
	m := c.columns.Rows
	compute.Parallel((m+tileColumns-1)/tileColumns, c.workers, func(b int) {
		from := b * tileColumns
		to := min(from+tileColumns, m)
		space := c.tiles.Get().(*[]float64)
		defer c.tiles.Put(space)
		tile := blas64.General{Rows: x.Rows, Cols: to - from, Stride: to - from, Data: *space}
		c.kernel.Cross(tile, x, compute.Rows(c.columns, from, to))
		for r, row := range dst {
			copy(row[from:to], tile.Data[r*tile.Stride:])
		}
	})
}

func (c *computed) times(dst []float64, rows, columns []int, v []float64) {
	e := kernel.Evaluator{Kernel: c.kernel.Kernel, Workers: c.workers}
	e.Mul(column(dst), gather(c.x, rows), gather(c.x, columns), column(v))
}

func column(v []float64) blas64.General {
	return blas64.General{Rows: len(v), Cols: 1, Stride: 1, Data: v}
}

// gather copies rows of x.
func gather(x blas64.General, rows []int) blas64.General {
	m := compute.NewMatrix(len(rows), x.Cols)
	for t, i := range rows {
		copy(m.Data[t*m.Stride:], x.Data[i*x.Stride:i*x.Stride+x.Cols])
	}
	return m
}

func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
