package svm

import (
	"slices"
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// gramRows provides rows of the Gram matrix.
type gramRows interface {
	// rows returns the rows w over the active columns. They are valid until the next call.
	rows(w []int) [][]float64
	// restrict sets the active columns, which ascend.
	restrict(active []int)
	// shrinks reports whether fewer active columns save work.
	shrinks() bool
	// times sets dst_i = Σ_j k(x_i, x_j)·c_j for the given rows i and columns j.
	times(dst []float64, rows, columns []int, c []float64)
	// diagonal sets dst_i = k(x_i, x_i).
	diagonal(dst []float64)
	// batch returns the number of rows to request at a time.
	batch() int
}

const (
	storedRows    = 2048 // largest number of rows of a stored matrix: the solver requests most of them
	computedBatch = 512  // a batch that costs little more than the few rows needed first
	storedBatch   = 128  // rows with a Gram matrix that fits the second-level cache
)

// newGramRows returns the rows of the Gram matrix of x, stored if it is small.
func newGramRows(k kernel.Kernel, x compute.Points, o Options) gramRows {
	if n := int64(x.Rows); n > storedRows || 8*n*n > o.CacheBytes {
		return newComputed(k, x, o)
	}
	values := compute.NewMatrix(x.Rows, x.Rows)
	gram.Evaluator{Kernel: k, Workers: o.Workers}.GramOf(values, x)
	return stored{values}
}

// stored is a Gram matrix in memory.
type stored struct{ gram compute.Matrix }

func (s stored) rows(w []int) [][]float64 {
	list := make([][]float64, len(w))
	for t, i := range w {
		list[t] = compute.Row(s.gram, i)
	}
	return list
}

func (stored) restrict([]int) {}
func (stored) shrinks() bool  { return false }
func (stored) batch() int     { return storedBatch }

func (s stored) times(dst []float64, rows, columns []int, c []float64) {
	for r, i := range rows {
		row, sum := compute.Row(s.gram, i), 0.0
		for t, j := range columns {
			sum += c[t] * row[j]
		}
		dst[r] = sum
	}
}

func (s stored) diagonal(dst []float64) {
	for i := range dst {
		dst[i] = compute.Row(s.gram, i)[i]
	}
}

// computed is a Gram matrix that caches the rows used last.
type computed struct {
	kernel  gram.Evaluator
	x       compute.Points
	columns compute.Points // active rows of x
	active  []int
	cache   *cache
	tiles   sync.Pool // of *[]float64
	workers int
}

func newComputed(k kernel.Kernel, x compute.Points, o Options) *computed {
	c := &computed{
		kernel: gram.Evaluator{Kernel: k, Workers: 1}, x: x, columns: x,
		active: compute.Indices(x.Rows), cache: newCache(x.Rows, o.CacheBytes), workers: o.Workers,
	}
	c.tiles.New = func() any {
		tile := make([]float64, computedBatch*tileColumns)
		return &tile
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
	c.active, c.columns = active, c.x.Pick(active)
}

func (c *computed) rows(w []int) [][]float64 {
	list, missing := c.cache.find(w)
	if len(missing) == 0 {
		return list
	}
	dst := make([][]float64, len(missing))
	for t, at := range missing {
		dst[t] = list[at]
	}
	c.fill(dst, c.x.Pick(compute.PickOf(w, missing)))
	return list
}

// tileColumns is the number of columns that a worker computes at a time.
const tileColumns = 512

// fill computes the rows of the Gram matrix for the points x.
func (c *computed) fill(dst [][]float64, x compute.Points) {
	m := c.columns.Rows
	compute.Parallel((m+tileColumns-1)/tileColumns, c.workers, func(b int) {
		from := b * tileColumns
		to := min(from+tileColumns, m)
		space := c.tiles.Get().(*[]float64)
		defer c.tiles.Put(space)
		tile := compute.Matrix{Rows: x.Rows, Cols: to - from, Stride: to - from, Data: *space}
		c.kernel.CrossOf(tile, x, c.columns.Between(from, to))
		for r, row := range dst {
			copy(row[from:to], compute.Row(tile, r))
		}
	})
}

func (c *computed) times(dst []float64, rows, columns []int, v []float64) {
	e := gram.Evaluator{Kernel: c.kernel.Kernel, Workers: c.workers}
	e.MulOf(compute.ColumnOf(dst), c.x.Pick(rows), c.x.Pick(columns), compute.ColumnOf(v))
}

// cache holds rows of the Gram matrix over the active columns. It replaces the least recently
// used rows.
type cache struct {
	memory []float64
	width  int         // number of active columns
	slot   map[int]int // of a row
	holder []int       // row in a slot, or −1
	used   []int       // time of the last use of a slot
	now    int
}

// newCache returns a cache for n rows of n columns. It holds at least one batch of rows.
func newCache(n int, bytes int64) *cache {
	rows := min(max(bytes/(8*int64(n)), int64(min(n, computedBatch))), int64(n))
	c := &cache{memory: make([]float64, int64(n)*rows)}
	c.reset(n)
	return c
}

// reset empties the cache and sets the length of its rows.
func (c *cache) reset(width int) {
	c.width = width
	c.slot = make(map[int]int)
	c.holder = slices.Repeat([]int{-1}, len(c.memory)/width)
	c.used = make([]int, len(c.holder))
}

func (c *cache) row(slot int) []float64 { return c.memory[slot*c.width : (slot+1)*c.width] }

// find returns memory for each of the rows w, and the positions in w of the rows to compute.
func (c *cache) find(w []int) (list [][]float64, missing []int) {
	c.now++
	list = make([][]float64, len(w))
	for t, i := range w {
		if s, ok := c.slot[i]; ok {
			list[t] = c.row(s)
			c.used[s] = c.now
		} else {
			missing = append(missing, t)
		}
	}
	for k, s := range c.oldest(len(missing)) {
		t := missing[k]
		if c.holder[s] >= 0 {
			delete(c.slot, c.holder[s])
		}
		c.holder[s], c.slot[w[t]], c.used[s] = w[t], s, c.now
		list[t] = c.row(s)
	}
	return list, missing
}

// oldest returns the slots for the given number of new rows.
func (c *cache) oldest(count int) []int {
	b := best{limit: count}
	for s, when := range c.used {
		if when < c.now {
			b.offer(s, -float64(when))
		}
	}
	return b.indices()
}

// restrict changes the active columns from before to after, both ascending. It returns false if
// after has a column that before lacks.
func (c *cache) restrict(before, after []int) bool {
	positions := make([]int, len(after))
	for t, column := range after {
		at, found := slices.BinarySearch(before, column)
		if !found {
			return false
		}
		positions[t] = at
	}
	old := *c
	c.reset(len(after))
	next := 0
	for s, i := range old.holder {
		if i < 0 {
			continue
		}
		// The new row starts no later than the old one, so copying forward is safe.
		from, to := old.row(s), c.row(next)
		for t, k := range positions {
			to[t] = from[k]
		}
		c.holder[next], c.used[next], c.slot[i] = i, old.used[s], next
		next++
	}
	return true
}
