package blocks

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
)

// singleChunk is a chunk in single precision. Sums over the rows of a chunk are in single precision,
// sums over chunks in double.
type singleChunk struct {
	*singleScratch
	memory compute.Matrix32
	z      compute.Matrix32 // the rows in use of memory
}

// singleScratch is shared by the chunks of a design.
type singleScratch struct {
	x       compute.Matrix32 // all rows, n×d
	gram    compute.Matrix32
	factor  compute.Matrix32 // the other factor of a product
	sum     compute.Matrix32 // a product
	workers int
}

// NewSingle returns the design of rows of x in the given order, with a cut at row first.
func NewSingle(x compute.Points, order []int, first, columns, workers int, budget int64) *Design {
	s := &singleScratch{x: compute.NewMatrix32(len(order), x.Cols), gram: compute.NewMatrix32(columns, columns), workers: workers}
	compute.Parallel(len(order), workers, func(i int) {
		round(s.x.Data[i*s.x.Stride:], compute.Row(x.Matrix, order[i]))
	})
	return newDesign(len(order), first, columns, true, budget, func(n int) Chunk {
		return &singleChunk{singleScratch: s, memory: compute.NewMatrix32(n, columns)}
	})
}

// singleTolerance is the largest error of features in single precision relative to the largest
// feature.
const singleTolerance = 1e-4

// ServesSingle reports whether a block has accurate features of dense rows in single precision. It
// compares both precisions at some rows and at the row with the largest value. Rounding is harmful
// if rows are far from the origin relative to their distances.
func ServesSingle(b features.Block, all compute.Points, columns int) bool {
	x := all.Matrix
	transform, ok := features.Single(b)
	if !ok || all.Sparse != nil {
		return false
	}
	const most = 64
	rows := compute.NewMatrix(0, x.Cols)
	for i := 0; i < x.Rows; i += (x.Rows + most - 1) / most {
		rows.Data = append(rows.Data, compute.Row(x, i)...)
		rows.Rows++
	}
	rows.Data = append(rows.Data, compute.Row(x, extreme(x))...)
	rows.Rows++
	want, got := compute.NewMatrix(rows.Rows, columns), compute.NewMatrix32(rows.Rows, columns)
	b.TransformTo(want, rows)
	var few compute.Matrix32
	roundTo(&few, rows)
	transform(got, few)
	size, off := 0.0, 0.0
	for i, v := range want.Data {
		size = max(size, math.Abs(v))
		off = max(off, math.Abs(float64(got.Data[i])-v))
	}
	return off <= singleTolerance*size // false for NaN
}

// extreme returns the row with the largest absolute value.
func extreme(x compute.Matrix) int {
	best, size := 0, 0.0
	for i := range x.Rows {
		for _, v := range compute.Row(x, i) {
			if math.Abs(v) > size {
				best, size = i, math.Abs(v)
			}
		}
	}
	return best
}

func (k *singleChunk) load(b features.Block, from, to int) {
	k.z = rows32(k.memory, 0, to-from)
	transform, _ := features.Single(b)
	transform(k.z, rows32(k.x, from, to))
}

func (k *singleChunk) AddGram(c compute.Matrix, weights compute.Weights) {
	clear(k.gram.Data)
	compute.AddGram32(k.gram, k.weighed(weights), k.workers)
	compute.Parallel(c.Rows, k.workers, func(i int) {
		widen(compute.Row(c, i)[i:], k.gram.Data[i*k.gram.Stride+i:])
	})
}

// weighed returns the features, with rows multiplied by the roots of their weights.
func (k *singleChunk) weighed(weights compute.Weights) compute.Matrix32 {
	if weights == nil {
		return k.z
	}
	z := compute.NewMatrix32(k.z.Rows, k.z.Cols)
	for i, w := range weights {
		root, to := float32(math.Sqrt(w)), z.Data[i*z.Stride:]
		for j, v := range k.z.Data[i*k.z.Stride : i*k.z.Stride+k.z.Cols] {
			to[j] = root * v
		}
	}
	return z
}

func (k *singleChunk) AddTransposed(c, r compute.Matrix) {
	reshape(&k.sum, c.Rows, c.Cols)
	clear(k.sum.Data)
	roundTo(&k.factor, r)
	compute.MulTN32(k.sum, k.factor, k.z, k.workers)
	k.addSum(c)
}

func (k *singleChunk) AddTo(f, a compute.Matrix) {
	reshape(&k.sum, f.Rows, f.Cols)
	clear(k.sum.Data)
	roundTo(&k.factor, a)
	compute.MulNN32(k.sum, k.z, k.factor, k.workers)
	k.addSum(f)
}

// addSum adds the product to c.
func (s *singleScratch) addSum(c compute.Matrix) {
	for i := range c.Rows {
		widen(compute.Row(c, i), s.sum.Data[i*s.sum.Stride:])
	}
}

// reshape gives dst the shape r×c, in its own memory if that is large enough.
func reshape(dst *compute.Matrix32, r, c int) {
	if cap(dst.Data) < r*c {
		dst.Data = make([]float32, r*c)
	}
	*dst = compute.Matrix32{Rows: r, Cols: c, Stride: c, Data: dst.Data[:r*c]}
}

// roundTo sets dst to m in single precision.
func roundTo(dst *compute.Matrix32, m compute.Matrix) {
	reshape(dst, m.Rows, m.Cols)
	for i := range m.Rows {
		round(dst.Data[i*dst.Stride:], compute.Row(m, i))
	}
}

func round(dst []float32, src []float64) {
	for i, v := range src {
		dst[i] = float32(v)
	}
}

// widen adds src to dst.
func widen(dst []float64, src []float32) {
	for i := range dst {
		dst[i] += float64(src[i])
	}
}

// sparseChunk is a chunk of sparse rows in single precision.
type sparseChunk struct {
	singleChunk
	rows func(from, to int) *features.Rows
	at   int // the first of the rows at hand
	held *features.Rows
}

// NewSparse returns the design of sparse rows of x in the given order, with a cut at row first, for
// blocks such as like, which satisfies features.ServesSingleRows.
func NewSparse(x compute.Points, order []int, first int, like features.Block, columns, workers int, budget int64) *Design {
	s := &singleScratch{gram: compute.NewMatrix32(columns, columns), workers: workers}
	rows := func(from, to int) *features.Rows { return features.NewRows(like, x, order[from:to], workers) }
	d := newDesign(len(order), first, columns, true, budget, func(int) Chunk {
		return &sparseChunk{singleChunk: singleChunk{singleScratch: s}, rows: rows}
	})
	if len(d.chunks) > 1 {
		// All chunks share the numbers that a block draws for a column.
		all := features.NewRows(like, x, order, workers)
		d.loadAll = func(b features.Block) {
			z := all.Single(b, columns)
			for c, k := range d.chunks {
				from, to := d.Span(c)
				k.(*sparseChunk).z = rows32(z, from, to)
			}
		}
	}
	return d
}

func (k *sparseChunk) load(b features.Block, from, to int) {
	if k.held == nil || k.at != from {
		k.at, k.held = from, k.rows(from, to)
	}
	k.z = k.held.Single(b, k.gram.Cols)
}

// rows32 returns rows [from, to) of m, which share its memory.
func rows32(m compute.Matrix32, from, to int) compute.Matrix32 {
	return compute.Matrix32{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : (to-1)*m.Stride+m.Cols]}
}
