package lasso

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Sums are the sums over the rows that define the problem.
type Sums struct {
	P  compute.Matrix // M×M, CᵀC, both triangles
	CY compute.Matrix // M×q, CᵀY
	YY []float64      // q, squared norms of the columns of Y

	ridge   float64 // added by AddNorm to the diagonal of P
	inverse *inverse
}

// maxSum bounds the sums over the rows, so that the solvers can square and divide them.
const maxSum = 1e150

// Check returns rkhs.ErrDiverged if a sum exceeds maxSum.
func (s *Sums) Check() error { return CheckSums(s.P.Data, s.CY.Data, s.YY) }

// CheckSums is Check for lists of sums.
func CheckSums(lists ...[]float64) error {
	for _, list := range lists {
		for _, v := range list {
			if !(math.Abs(v) <= maxSum) {
				return fmt.Errorf("slkl: a sum over the rows is %v; features or targets are too large: %w",
					v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

// jitter is the ridge that AddNorm adds, as a fraction of the mean diagonal of P. It keeps a
// Cholesky factor accurate where P has eigenvalues below rounding.
const jitter = 1e-9

// AddNorm adds noise·wᵀ·gram·w to the objective of each output, for a positive semidefinite gram.
// This equals further rows with columns (noise·gram)^½ and targets of zero, so the problem and
// its certificate keep their form.
func (s *Sums) AddNorm(gram compute.Matrix, noise float64) {
	s.ridge += addNorm(s.P, gram, noise)
	compute.Mirror(s.P)
}

// addNorm adds the norm to the upper triangle of p and returns the ridge that it adds as well.
func addNorm(p, gram compute.Matrix, noise float64) (ridge float64) {
	for i := range p.Rows {
		row := compute.Row(p, i)
		blas64.Axpy(noise, compute.Vector(compute.Row(gram, i)[i:]), compute.Vector(row[i:]))
		ridge += jitter / float64(p.Rows) * row[i]
	}
	for i := range p.Rows {
		compute.Row(p, i)[i] += ridge
	}
	return ridge
}

// Problems returns the problem of each output, or the one of all outputs that share their mu. The
// problems share P and its inverse.
func (s *Sums) Problems(shared bool, method Method, workers int) (list []*Problem) {
	s.inverse = &inverse{workers: workers}
	m, size := s.P.Rows, 1
	if shared {
		size = len(s.YY)
	}
	for from := 0; from < len(s.YY); from += size {
		cy := compute.Clone(compute.Columns(s.CY, from, from+size))
		p := &Problem{Output: from, Mu: make([]float64, m), W: compute.NewMatrix(m, size), Workers: 1,
			method: method, sums: s, p: s.P, cy: cy}
		for _, v := range s.YY[from : from+size] {
			p.yy += v
		}
		list = append(list, p)
	}
	return list
}

// inverse is P⁻¹, computed on first use.
type inverse struct {
	once    sync.Once
	matrix  compute.Matrix
	workers int
}

// get returns the inverse of p. It is empty if p is singular to working precision or r stopped the
// computation. O(M³).
func (v *inverse) get(p compute.Matrix, r *progress.Monitor) compute.Matrix {
	v.once.Do(func() {
		u := compute.Clone(p)
		if !compute.Cholesky(u, v.workers) {
			return
		}
		compute.InvertFactored(u, r.Stopped, v.workers)
		if !r.Stopped() {
			compute.Mirror(u)
			v.matrix = u
		}
	})
	return v.matrix
}

// Ridge is the solution with a norm and without a penalty, for all outputs. To first order, a
// penalty reduces w_m by tau·(P⁻¹s)_m for the signs s of W.
type Ridge struct {
	W, fall compute.Matrix // M×q
	u       compute.Matrix // UᵀU = P + noise·gram
	workers int
}

// Ridge solves ridge regression with the norm that AddNorm would add; noise 0 adds no norm. It
// reports false if the system is not positive definite to working precision. It reuses the memory
// of used, which may be nil. O(M³ + M²·q).
func (s *Sums) Ridge(used *Ridge, gram compute.Matrix, noise float64, workers int) (*Ridge, bool) {
	r := &Ridge{W: compute.Clone(s.CY), workers: workers}
	if used != nil {
		r.u = used.u
	}
	compute.CopyTo(compute.Reshape(&r.u, s.P.Rows, s.P.Cols), s.P)
	if noise > 0 {
		addNorm(r.u, gram, noise)
	}
	if !compute.Cholesky(r.u, workers) {
		return nil, false
	}
	solve(r.u, r.W, workers)
	if noise == 0 {
		r.refine(s)
	}
	return r, compute.AllFinite(r.W)
}

// refine adds the solution for the residual to W.
func (r *Ridge) refine(s *Sums) {
	minus, change := compute.Clone(r.W), compute.Clone(s.CY)
	blas64.Scal(-1, compute.Vector(minus.Data))
	compute.MulNN(change, s.P, minus, r.workers)
	solve(r.u, change, r.workers)
	blas64.Axpy(1, compute.Vector(change.Data), compute.Vector(r.W.Data))
}

// Fall computes the fall of W with the penalty, for the outputs of the problems.
func (r *Ridge) Fall(problems []*Problem) {
	r.fall = compute.Clone(r.W)
	for _, p := range problems {
		signs := p.Outputs(r.fall)
		for m := range signs.Rows {
			if size := blas64.Nrm2(compute.RowVector(signs, m)); size > 0 {
				blas64.Scal(1/size, compute.RowVector(signs, m))
			}
		}
	}
	solve(r.u, r.fall, r.workers)
}

// Onset returns the nu at which half of the weights of p have fallen to zero, after Fall.
func (r *Ridge) Onset(p *Problem) float64 {
	w, fall := p.Outputs(r.W), p.Outputs(r.fall)
	taus := make([]float64, w.Rows)
	for m := range taus {
		if size := blas64.Nrm2(compute.RowVector(fall, m)); size > 0 {
			taus[m] = blas64.Nrm2(compute.RowVector(w, m)) / size
		}
	}
	slices.Sort(taus)
	tau := taus[len(taus)/2]
	return tau * tau
}

// Negligible returns a nu at which W has a tenth of the gap that the tolerance permits: the gap is
// its penalty 2·tau·Σ‖w_m‖. It returns 0 if every solution is zero.
func (r *Ridge) Negligible(p *Problem, tolerance float64) float64 {
	size, explained := 0.0, 0.0
	for m, w := 0, p.Outputs(r.W); m < w.Rows; m++ {
		size += blas64.Nrm2(compute.RowVector(w, m))
		explained += blas64.Dot(compute.RowVector(w, m), compute.RowVector(p.cy, m))
	}
	largest := p.NuMax()
	if size == 0 || largest == 0 {
		return 0
	}
	tau := tolerance / 20 * max(p.yy-explained, 1e-14*p.yy) / size
	return min(tau*tau, tolerance*largest)
}

// Start sets the initial solution of p to the first-order solution at nu. The caller has called
// Fall.
func (r *Ridge) Start(p *Problem, nu float64) {
	w, fall, tau := p.Outputs(r.W), p.Outputs(r.fall), math.Sqrt(nu)
	for m := range p.Mu {
		row := compute.RowVector(p.W, m)
		blas64.Copy(compute.RowVector(w, m), row)
		size := blas64.Nrm2(row)
		left := max(0, size-tau*blas64.Nrm2(compute.RowVector(fall, m)))
		if size > 0 {
			blas64.Scal(left/size, row)
		}
		p.Mu[m] = left / tau
	}
}
