package metric

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Result is the result of Learn.
type Result struct {
	// SearchResult holds Kernel, Noise, and Ridge(n) for n rows. Its Curve lists the kernels without a metric.
	kernel.SearchResult
	// Learned reports that the kernel has a learned metric: a kernel.Projected, or a kernel.ARD with
	// weights of the columns. It is false if no metric was significantly better.
	Learned bool
	// Importance is the share of each column in M = LᵀL, M_cc·s_c²/Σ_b M_bb·s_b² with the standard
	// deviations s of the columns.
	Importance []float64
	// Directions are up to ten leading unit eigenvectors of diag(s)·M·diag(s), as rows, and Shares
	// their eigenvalues as fractions of the trace.
	Directions *mat.Dense
	Shares     []float64
	// Rank is the number of rows of L: the number of columns, or at most Options.Rank for a learned
	// matrix.
	Rank int
}

// maxDirections is the largest number of directions of a Result.
const maxDirections = 10

// newResult describes the kernel of a search on rows x.
func newResult(c kernel.SearchResult, learned bool, x compute.Matrix) *Result {
	r := &Result{SearchResult: c, Learned: learned, Importance: make([]float64, x.Cols)}
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
	r.Rank = l.Rows
	squares := compute.ColumnDots(l, l)
	trace := floats.Sum(squares)
	if !(trace > 0) || math.IsInf(trace, 1) {
		return r
	}
	floats.ScaleTo(r.Importance, 1/trace, squares)
	r.setDirections(l, trace)
	return r
}

// setDirections computes the directions from the smaller of LᵀL and LLᵀ. An eigenvector v of LLᵀ with
// the eigenvalue s gives the direction Lᵀv/√s.
func (r *Result) setDirections(l compute.Matrix, trace float64) {
	d := l.Cols
	thin := l.Rows < d
	if thin {
		l = compute.Transpose(l)
	}
	m := compute.NewMatrix(l.Cols, l.Cols)
	compute.AddGram(m, l, 0)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(m.Rows, m.Data), true) {
		return
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	k := min(m.Rows, maxDirections)
	r.Directions, r.Shares = mat.NewDense(k, d, nil), make([]float64, k)
	for i := range k {
		v, value := vectors.ColView(m.Rows-1-i), values[m.Rows-1-i]
		r.Shares[i] = value / trace
		to := mat.NewVecDense(d, r.Directions.RawRowView(i))
		if thin {
			to.MulVec(mat.NewDense(d, l.Cols, l.Data), v)
			to.ScaleVec(1/math.Sqrt(value), to)
		} else {
			to.CopyVec(v)
		}
	}
}

// mapOf returns a copy of the linear map of a kernel on rows of d columns, up to a factor.
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
