package gram

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// singleEngine is a fusedEngine in single precision. It first maps rows to the range of single precision.
type singleEngine struct{ double fusedEngine }

func (singleEngine) prepare(x compute.Matrix, _ int) side   { return side{rows: x} }
func (e singleEngine) block(dst compute.Matrix, x, z side)  { e.cross(dst, x.rows, z.rows, 1) }
func (e singleEngine) diag(dst []float64, x compute.Matrix) { e.double.diag(dst, x) }
func (e singleEngine) single() Engine                       { return e }

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

// into sets dst to gain times the matrix that do sets in single precision.
func into(dst compute.Matrix, gain float64, workers int, do func(k blas32.General)) {
	k := newPooled32(dst.Rows, dst.Cols)
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

// scaling maps rows to the range of single precision. For a function of distances it measures rows from an origin
// among them, so that an offset costs no digits, in units of its length. For a function of inner products it
// divides the rows by their largest value.
type scaling struct {
	f           compute.Func // of the scaled rows
	origin      []float64    // nil for zero
	left, right float64      // factors of x and z
	gain        float64      // factor of the values
}

func (e singleEngine) scaled(x, z compute.Matrix) scaling {
	f := e.double.f
	s := scaling{f: f, left: 1, right: 1, gain: 1}
	switch f.Family {
	case compute.Gaussian, compute.RationalQuadratic:
		s.left, s.f.A = math.Sqrt(f.A), 1
		s.right, s.origin = s.left, middle(z)
	case compute.Matern12, compute.Matern32, compute.Matern52:
		s.left, s.f.A = f.A, 1
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

// middle returns the median of each column over some of the rows. Outliers do not affect it.
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

// largest returns the largest absolute value, or 1 if all are zero.
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

// farAway bounds scaled coordinates. Kernel values there are zero, and squared distances do not overflow.
const farAway = 1e17

// narrow returns the rows of m, less the origin if there is one, times factor.
func (s scaling) narrow(m compute.Matrix, factor float64, workers int) *pooled32 {
	out := newPooled32(m.Rows, m.Cols)
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

// pooled32 is a matrix in memory from a pool.
type pooled32 struct{ matrix blas32.General }

var pool32 = sync.Pool{New: func() any { return new(pooled32) }}

// newPooled32 returns a matrix with arbitrary elements.
func newPooled32(r, c int) *pooled32 {
	b := pool32.Get().(*pooled32)
	b.matrix = blas32.General{Rows: r, Cols: c, Stride: max(c, 1), Data: compute.Resize(b.matrix.Data, r*c)}
	return b
}

func (b *pooled32) row(i int) []float32 {
	return b.matrix.Data[i*b.matrix.Stride : i*b.matrix.Stride+b.matrix.Cols]
}

func (b *pooled32) free() { pool32.Put(b) }

// Symmetric multiplies by the Gram matrix of some rows in single precision. It computes, but never stores, half of it.
type Symmetric struct {
	matrix  *compute.Symmetric
	gain    float64
	workers int
}

// Symmetric prepares products with the Gram matrix of x, n×d. It returns nil for a kernel without a form in single
// precision (see SinglePrecision).
func (e Evaluator) Symmetric(x compute.Matrix) *Symmetric {
	e, rows := e.MappedPoints(compute.DensePoints(x))
	gain, of := 1.0, engineOf(e.Kernel).single()
	for scale, ok := of.(scaleEngine); ok; scale, ok = of.(scaleEngine) {
		gain, of = gain*scale.by, scale.of
	}
	single, ok := of.(singleEngine)
	if !ok {
		return nil
	}
	s := single.scaled(rows.Matrix, rows.Matrix)
	// The matrix keeps the rows, so they do not return to the pool.
	narrow := s.narrow(rows.Matrix, s.left, e.Workers)
	return &Symmetric{compute.NewSymmetric(narrow.matrix, s.f, e.Workers), gain * s.gain, e.Workers}
}

// AddMul adds K·W to dst, both n×q. It calls stopped several times per second, and returns false after a stop.
// Values of K are accurate to about 1e-6 of the largest. Sums over more than some hundred rows are in double
// precision. O(n²·(d/2 + q)).
func (s *Symmetric) AddMul(dst, w compute.Matrix, stopped func() bool) bool {
	return s.matrix.AddMul(dst, w, s.gain, stopped, s.workers)
}
