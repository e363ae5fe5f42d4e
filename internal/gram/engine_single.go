package gram

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// singleEngine is a fusedEngine that computes in single precision. Rows are brought
// to a range that it holds first, in double precision.
type singleEngine struct {
	plain
	f compute.Func
}

func (e singleEngine) single() Engine                      { return e }
func (e singleEngine) block(dst compute.Matrix, x, z side) { e.cross(dst, x.rows, z.rows, 1) }

func (e singleEngine) gram(dst, x compute.Matrix, workers int) {
	s := e.scaled(x, x)
	rows := s.narrow(x, s.left, workers)
	into(dst, s.gain, workers, func(k blas32.General) { compute.KernelSym32(k, rows.matrix, s.f, workers) })
	rows.free()
}

func (e singleEngine) cross(dst, x, z compute.Matrix, workers int) {
	s := e.scaled(x, z)
	left, right := s.narrow(x, s.left, workers), s.narrow(z, s.right, workers)
	into(dst, s.gain, workers, func(k blas32.General) { compute.Kernel32(k, left.matrix, right.matrix, s.f, workers) })
	left.free()
	right.free()
}

func (e singleEngine) mul(dst, x, z, w compute.Matrix, workers int) {
	s, size := e.scaled(x, z), largest(w)
	left, right := s.narrow(x, s.left, workers), s.narrow(z, s.right, workers)
	weights := scaling{}.narrow(w, 1/size, workers)
	into(dst, s.gain*size, workers, func(k blas32.General) {
		compute.KernelMul32(k, left.matrix, right.matrix, weights.matrix, s.f, workers)
	})
	left.free()
	right.free()
	weights.free()
}

// into sets dst to gain times what do makes in single precision.
func into(dst compute.Matrix, gain float64, workers int, do func(k blas32.General)) {
	k := borrow32(dst.Rows, dst.Cols)
	do(k.matrix)
	eachTile(dst.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			row := compute.Row(dst, i)
			for j, v := range k.row(i) {
				row[j] = gain * float64(v)
			}
		}
	})
	k.free()
}

// scaling is how rows are brought to a range that single precision holds. A
// function of distances measures them from an origin among the rows, so that an
// offset costs no digits, and in units of its length; one of inner products
// divides the rows by their largest value.
type scaling struct {
	f           compute.Func // of the scaled rows
	origin      []float64    // nil for none
	left, right float64      // factors of x and z
	gain        float64      // factor of the values
}

func (e singleEngine) scaled(x, z compute.Matrix) scaling {
	s := scaling{f: e.f, left: 1, right: 1, gain: 1}
	switch e.f.Family {
	case compute.Gaussian, compute.RationalQuadratic:
		s.left, s.f.A = math.Sqrt(e.f.A), 1
		s.right, s.origin = s.left, middle(z)
	case compute.Matern12, compute.Matern32, compute.Matern52:
		s.left, s.f.A = e.f.A, 1
		s.right, s.origin = s.left, middle(z)
	case compute.InnerProduct:
		s.gain = largest(x) * largest(z)
		s.left, s.right = 1/largest(x), 1/largest(z)
	case compute.Polynomial:
		s.f.A *= largest(x) * largest(z)
		s.left, s.right = 1/largest(x), 1/largest(z)
	}
	return s
}

// middle returns the median of each column over some of the rows, which a few far
// rows do not move.
func middle(z compute.Matrix) []float64 {
	const most = 101
	step := (z.Rows + most - 1) / most
	origin := make([]float64, z.Cols)
	column := make([]float64, 0, most)
	for j := range origin {
		column = column[:0]
		for i := 0; i < z.Rows; i += step {
			column = append(column, compute.Row(z, i)[j])
		}
		slices.Sort(column)
		origin[j] = column[len(column)/2]
	}
	return origin
}

// largest returns the largest absolute value, and 1 where all are zero.
func largest(m compute.Matrix) float64 {
	size := 0.0
	for i := range m.Rows {
		for _, v := range compute.Row(m, i) {
			size = max(size, math.Abs(v))
		}
	}
	if size == 0 {
		return 1
	}
	return size
}

// farAway is where rows are left that are farther from the origin: kernel values
// there are zero, and their squared distances are still in the range of numbers.
const farAway = 1e17

// narrow returns the rows of m, less the origin if there is one, times factor.
func (s scaling) narrow(m compute.Matrix, factor float64, workers int) *borrowed32 {
	out := borrow32(m.Rows, m.Cols)
	eachTile(m.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			dst := out.row(i)
			if s.origin == nil {
				for j, v := range compute.Row(m, i) {
					dst[j] = float32(v * factor)
				}
				continue
			}
			for j, v := range compute.Row(m, i) {
				dst[j] = float32(max(-farAway, min(farAway, (v-s.origin[j])*factor)))
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
	b.matrix = blas32.General{Rows: r, Cols: c, Stride: max(c, 1), Data: compute.Resize(b.matrix.Data, r*c)}
	return b
}

func (b *borrowed32) row(i int) []float32 {
	return b.matrix.Data[i*b.matrix.Stride : i*b.matrix.Stride+b.matrix.Cols]
}

func (b *borrowed32) free() { pool32.Put(b) }
