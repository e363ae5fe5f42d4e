package svm

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// computed is the Gram matrix of the rows of x, of which the rows used last are
// held in a cache.
type computed struct {
	kernel  gram.Evaluator
	x       compute.Points
	columns compute.Points // the active rows of x
	active  []int
	cache   *cache
	tiles   sync.Pool // of *[]float64, space for values of a tile
	workers int
}

func newComputed(k kernel.Kernel, x compute.Points, o Options) *computed {
	c := &computed{kernel: gram.Evaluator{Kernel: k, Workers: 1}, x: x, columns: x, workers: o.Workers}
	c.cache = newCache(x.Rows, o.CacheBytes)
	c.active = compute.Indices(x.Rows)
	c.tiles.New = func() any {
		space := make([]float64, computedBatch*tileColumns)
		return &space
	}
	return c
}

func (c *computed) shrinks() bool { return true }
func (c *computed) batch() int    { return computedBatch }

func (c *computed) diagonal(dst []float64) { c.kernel.DiagOf(dst, c.x) }

func (c *computed) restrict(active []int) {
	if !c.cache.restrict(c.active, active) {
		c.cache.reset(len(active))
	}
	c.active = active
	c.columns = c.x.Pick(active)
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
	c.fill(dst, c.x.Pick(todo))
	return list
}

// tileColumns is the number of columns that are computed at a time.
const tileColumns = 512

// fill computes rows of the Gram matrix, tiles of columns side by side.
func (c *computed) fill(dst [][]float64, x compute.Points) {
	m := c.columns.Rows
	compute.Parallel((m+tileColumns-1)/tileColumns, c.workers, func(b int) {
		from := b * tileColumns
		to := min(from+tileColumns, m)
		space := c.tiles.Get().(*[]float64)
		defer c.tiles.Put(space)
		tile := blas64.General{Rows: x.Rows, Cols: to - from, Stride: to - from, Data: *space}
		c.kernel.CrossOf(tile, x, c.columns.Between(from, to))
		for r, row := range dst {
			copy(row[from:to], tile.Data[r*tile.Stride:])
		}
	})
}

func (c *computed) times(dst []float64, rows, columns []int, v []float64) {
	e := gram.Evaluator{Kernel: c.kernel.Kernel, Workers: c.workers}
	e.MulOf(compute.ColumnOf(dst), c.x.Pick(rows), c.x.Pick(columns), compute.ColumnOf(v))
}
