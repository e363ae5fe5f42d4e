package lasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

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

// Start makes the first-order solution at nu the one from which p starts, after Fall.
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
