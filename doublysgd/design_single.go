package doublysgd

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// singleChunk is a chunk whose features and products are in single precision.
// Sums run over the rows of a chunk in single precision and over the chunks in
// double.
type singleChunk struct {
	*singleScratch
	memory compute.Matrix32
	z      compute.Matrix32 // the rows in use of memory
}

// singleScratch is what the chunks of a design share.
type singleScratch struct {
	x       compute.Matrix32 // all rows, n×d
	gram    compute.Matrix32
	workers int
}

// newSingleDesign returns the design of the rows of x in the given order, with a
// cut at row first.
func newSingleDesign(x compute.Matrix, order []int, first, columns, workers int, budget int64) *design {
	s := &singleScratch{x: compute.NewMatrix32(len(order), x.Cols), gram: compute.NewMatrix32(columns, columns), workers: workers}
	compute.Parallel(len(order), workers, func(i int) {
		round(s.x.Data[i*s.x.Stride:], row(x, order[i]))
	})
	return newDesign(len(order), first, columns, true, budget, func(n int) chunk {
		return &singleChunk{singleScratch: s, memory: compute.NewMatrix32(n, columns)}
	})
}

func (k *singleChunk) load(b features.Block, from, to int) {
	k.z = compute.Matrix32{Rows: to - from, Cols: k.memory.Cols, Stride: k.memory.Stride, Data: k.memory.Data[:(to-from)*k.memory.Stride]}
	x := compute.Matrix32{Rows: to - from, Cols: k.x.Cols, Stride: k.x.Stride, Data: k.x.Data[from*k.x.Stride : to*k.x.Stride]}
	b.(features.Single).TransformTo32(k.z, x)
}

func (k *singleChunk) addGram(c compute.Matrix) {
	clear(k.gram.Data)
	compute.AddGram32(k.gram, k.z, k.workers)
	compute.Parallel(c.Rows, k.workers, func(i int) {
		widen(row(c, i)[i:], k.gram.Data[i*k.gram.Stride+i:])
	})
}

func (k *singleChunk) addTransposed(c, r compute.Matrix) {
	sum := compute.NewMatrix32(c.Rows, c.Cols)
	compute.MulTN32(sum, rounded(r), k.z, k.workers)
	for o := range c.Rows {
		widen(row(c, o), sum.Data[o*sum.Stride:])
	}
}

func (k *singleChunk) addTo(f, a compute.Matrix) {
	sum := compute.NewMatrix32(f.Rows, f.Cols)
	compute.MulNN32(sum, k.z, rounded(a), k.workers)
	for i := range f.Rows {
		widen(row(f, i), sum.Data[i*sum.Stride:])
	}
}

// rounded returns m in single precision.
func rounded(m compute.Matrix) compute.Matrix32 {
	s := compute.NewMatrix32(m.Rows, m.Cols)
	for i := range m.Rows {
		round(s.Data[i*s.Stride:], row(m, i))
	}
	return s
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
