package kernel

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// inSingle returns e in single precision where package compute has it, and e
// itself where it has not.
func inSingle(e engine) engine {
	switch e := e.(type) {
	case fusedEngine:
		return singleEngine(e)
	case scaleEngine:
		return scaleEngine{e.by, inSingle(e.of)}
	case mapEngine:
		if !e.wide() {
			return mapEngine{e.rows, inSingle(e.of)}
		}
	}
	return e
}

// singleEngine is a fusedEngine that computes in single precision.
type singleEngine fusedEngine

func (e singleEngine) block(dst compute.Matrix, x, z side) { e.cross(dst, x.rows, z.rows, 1) }

func (e singleEngine) gram(dst, x compute.Matrix, workers int) {
	rows := narrow(x, e.origin(x), workers)
	e.into(dst, workers, func(k blas32.General) { compute.KernelSym32(k, rows.matrix, e.f, workers) })
	rows.free()
}

func (e singleEngine) cross(dst, x, z compute.Matrix, workers int) {
	origin := e.origin(z)
	left, right := narrow(x, origin, workers), narrow(z, origin, workers)
	e.into(dst, workers, func(k blas32.General) { compute.Kernel32(k, left.matrix, right.matrix, e.f, workers) })
	left.free()
	right.free()
}

func (e singleEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	origin := e.origin(z)
	left, right, weights := narrow(x, origin, workers), narrow(z, origin, workers), narrow(w, nil, workers)
	e.into(dst, workers, func(k blas32.General) {
		compute.KernelMul32(k, left.matrix, right.matrix, weights.matrix, e.f, workers)
	})
	left.free()
	right.free()
	weights.free()
}

// into sets dst to what do makes in single precision.
func (singleEngine) into(dst compute.Matrix, workers int, do func(k blas32.General)) {
	k := borrow32(dst.Rows, dst.Cols)
	do(k.matrix)
	eachTile(dst.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			row := rowOf(dst, i)
			for j, v := range k.row(i) {
				row[j] = float64(v)
			}
		}
	})
	k.free()
}

// origin is the mean of the rows, which functions of distances measure from in
// double precision, so that an offset common to all rows costs no digits.
func (e singleEngine) origin(z compute.Matrix) []float64 {
	if e.f.Family >= compute.InnerProduct || z.Rows == 0 {
		return nil
	}
	mean := make([]float64, z.Cols)
	for i := range z.Rows {
		floats.AddScaled(mean, 1/float64(z.Rows), rowOf(z, i))
	}
	return mean
}

// narrow returns the rows of m, less origin if there is one.
func narrow(m compute.Matrix, origin []float64, workers int) *borrowed32 {
	out := borrow32(m.Rows, m.Cols)
	eachTile(m.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			dst := out.row(i)
			if origin == nil {
				for j, v := range rowOf(m, i) {
					dst[j] = float32(v)
				}
				continue
			}
			for j, v := range rowOf(m, i) {
				dst[j] = float32(v - origin[j])
			}
		}
	})
	return out
}

// borrowed32 is a matrix in memory that the next call takes over.
type borrowed32 struct{ matrix blas32.General }

var pool32 = sync.Pool{New: func() any { return new(borrowed32) }}

// borrow32 returns a matrix with any contents.
func borrow32(r, c int) *borrowed32 {
	b := pool32.Get().(*borrowed32)
	b.matrix = blas32.General{Rows: r, Cols: c, Stride: max(c, 1), Data: slices.Grow(b.matrix.Data[:0], r*c)[:r*c]}
	return b
}

func (b *borrowed32) row(i int) []float32 {
	return b.matrix.Data[i*b.matrix.Stride : i*b.matrix.Stride+b.matrix.Cols]
}

func (b *borrowed32) free() { pool32.Put(b) }
