package metric

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Result is a kernel with a metric, and how it was found.
type Result struct {
	// Choice holds the kernel and the ridge: Kernel, Noise, and Ridge(n) for n rows. Its
	// Curve holds the kernels without a metric.
	kernel.Choice
	// Learned says that the kernel has a metric that was learned: it is a
	// kernel.Projected, or a kernel.ARD with weights of the columns. It is false where no
	// metric was better beyond chance.
	Learned bool
	// Importance is the share of each column in M = LᵀL with columns in units of their
	// standard deviation s_c, M_cc·s_c²/Σ_b M_bb·s_b².
	Importance []float64
	// Directions are the leading directions of M with columns in these units, up to ten
	// rows of length 1 that are eigenvectors of diag(s)·M·diag(s), and Shares their
	// eigenvalues as fractions of the trace.
	Directions *mat.Dense
	Shares     []float64
}

// mostDirections is the number of directions of a Result.
const mostDirections = 10

// newResult describes what was found on rows x.
func newResult(c kernel.Choice, learned bool, x compute.Matrix) *Result {
	r := &Result{Choice: c, Learned: learned, Importance: make([]float64, x.Cols)}
	l := mapOf(c.Kernel, x.Cols)
	column := make([]float64, x.Rows)
	for j := range x.Cols {
		for i := range column {
			column[i] = x.Data[i*x.Stride+j]
		}
		deviation := stat.PopStdDev(column, nil)
		for i := range l.Rows {
			l.Data[i*l.Stride+j] *= deviation
		}
	}
	m := compute.NewMatrix(x.Cols, x.Cols)
	compute.AddGram(m, l, 0)
	trace := 0.0
	for j := range x.Cols {
		trace += m.Data[j*m.Stride+j]
	}
	if !(trace > 0) || math.IsInf(trace, 1) {
		return r
	}
	for j := range r.Importance {
		r.Importance[j] = m.Data[j*m.Stride+j] / trace
	}
	r.setDirections(m, trace)
	return r
}

// setDirections takes the upper triangle of a metric.
func (r *Result) setDirections(m compute.Matrix, trace float64) {
	d := m.Rows
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(d, m.Data), true) {
		return
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	k := min(d, mostDirections)
	r.Directions, r.Shares = mat.NewDense(k, d, nil), make([]float64, k)
	for i := range k {
		r.Shares[i] = values[d-1-i] / trace
		for j := range d {
			r.Directions.Set(i, j, vectors.At(j, d-1-i))
		}
	}
}

// mapOf returns a copy of the matrix by which a kernel of the search maps rows of d
// columns, in units of any factor.
func mapOf(k kernel.Kernel, d int) compute.Matrix {
	if p, ok := k.(kernel.Projected); ok {
		return compute.Clone(p.L.RawMatrix())
	}
	l := compute.NewMatrix(d, d)
	for j := range d {
		l.Data[j*l.Stride+j] = 1
		if a, ok := k.(kernel.ARD); ok {
			l.Data[j*l.Stride+j] = 1 / a.Scales[j]
		}
	}
	return l
}
