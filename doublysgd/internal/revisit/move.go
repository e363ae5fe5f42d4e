package revisit

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// move is a change of coefficients, one matrix a block, and of scores. It is summed up
// out of steps, not a difference of places: its scores are those of its coefficients
// however small it is.
type move struct {
	a        []compute.Matrix
	constant []float64
	f        compute.Matrix
}

// clear makes it none.
func (m *move) clear() {
	clear(m.constant)
	clear(m.f.Data)
	for _, a := range m.a {
		clear(a.Data)
	}
}

// add adds the steps of block b and of the constant, and their scores.
func (m *move) add(b int, step compute.Matrix, shift []float64, scores compute.Matrix) {
	floats.Add(m.constant, shift)
	blas64.Axpy(1, compute.Vector(step.Data), compute.Vector(m.a[b].Data))
	blas64.Axpy(1, compute.Vector(scores.Data), compute.Vector(m.f.Data))
}

// addTimes adds c times output o of another move.
func (m move) addTimes(o int, c float64, other move) {
	blas64.Axpy(c, column(other.f, o, m.f.Rows), column(m.f, o, m.f.Rows))
	m.constant[o] += float64(c * other.constant[o])
	for b, a := range other.a {
		blas64.Axpy(c, column(a, o, a.Rows), column(m.a[b], o, a.Rows))
	}
}

// scale multiplies output o.
func (m move) scale(o int, by float64) {
	blas64.Scal(by, column(m.f, o, m.f.Rows))
	m.constant[o] *= by
	for _, a := range m.a {
		blas64.Scal(by, column(a, o, a.Rows))
	}
}

// inner returns the inner product of output o of two moves in which F is measured.
func (m move) inner(w move, o int, trained *descent.Risk, lam float64) float64 {
	s := dot(m.f, w.f, o, trained)
	for b, a := range m.a {
		s += lam * blas64.Dot(column(a, o, a.Rows), column(w.a[b], o, a.Rows))
	}
	return s
}

// dot returns Σ_i w_i·a_io·b_io over the rows of a risk.
func dot(a, b compute.Matrix, o int, r *descent.Risk) float64 {
	n := r.Count()
	if r.Weights == nil {
		return blas64.Dot(column(a, o, n), column(b, o, n))
	}
	sum := 0.0
	for i, w := range r.Weights {
		sum += float64(w * a.Data[i*a.Stride+o] * b.Data[i*b.Stride+o])
	}
	return sum
}

// column returns the first elements of column j.
func column(m compute.Matrix, j, rows int) blas64.Vector {
	return compute.Column(compute.Rows(m, 0, rows), j)
}
