package lasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Ridge is the solution with a norm and without a penalty, of all outputs, and what a small
// penalty does to it: to first order w_m falls by tau·(P⁻¹s)_m for the signs s of W.
type Ridge struct {
	W, fall compute.Matrix // M×q
	u       compute.Matrix // UᵀU = P + noise·gram
	workers int
}

// Ridge solves ridge regression with the norm that AddNorm would add, or with none for noise 0. It
// returns false if the system is not positive definite to working precision. It reuses the memory of
// used, which may be nil. O(M³ + M²·q).
func (s *Sums) Ridge(used *Ridge, gram compute.Matrix, noise float64, workers int) (*Ridge, bool) {
	r := &Ridge{W: compute.Clone(s.CY), workers: workers}
	if used != nil {
		r.u, used.u = used.u, compute.Matrix{}
	}
	compute.CopyTo(compute.Reshape(&r.u, s.P.Rows, s.P.Cols), s.P)
	if noise > 0 {
		addNorm(r.u, gram, noise)
	}
	if !compute.Cholesky(r.u, workers) {
		return nil, false
	}
	r.solve(r.W)
	if noise == 0 {
		r.refine(s)
	}
	return r, compute.AllFinite(r.W)
}

// refine takes W, the solution for s as it is, from the residual of the factorisation to that
// of rounding.
func (r *Ridge) refine(s *Sums) {
	minus, change := compute.Clone(r.W), compute.Clone(s.CY)
	blas64.Scal(-1, compute.Vector(minus.Data))
	compute.MulNN(change, s.P, minus, r.workers)
	r.solve(change)
	blas64.Axpy(1, compute.Vector(change.Data), compute.Vector(r.W.Data))
}

func (r *Ridge) solve(b compute.Matrix) {
	compute.SolveUpper(r.u, b, true, r.workers)
	compute.SolveUpper(r.u, b, false, r.workers)
}

// Fall computes how W falls with the penalty, for the outputs of problems like those given.
func (r *Ridge) Fall(problems []*Problem) {
	r.fall = compute.Clone(r.W)
	for _, p := range problems {
		of := p.outputs(r.fall)
		for m := range of.Rows {
			if size := blas64.Nrm2(compute.RowVector(of, m)); size > 0 {
				blas64.Scal(1/size, compute.RowVector(of, m))
			}
		}
	}
	r.solve(r.fall)
}

// outputs returns the columns of those of p.
func (p *Problem) outputs(m compute.Matrix) compute.Matrix {
	return compute.Columns(m, p.Output, p.Output+p.W.Cols)
}

// Onset returns the nu at which half of the weights of p have come to zero, after Fall.
func (r *Ridge) Onset(p *Problem) float64 {
	w, fall := p.outputs(r.W), p.outputs(r.fall)
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

// Negligible returns a nu at which the gap of W is a tenth of what the tolerance allows: its
// penalty 2·tau·Σ‖w_m‖ is all of the gap. It is 0 where every solution is zero.
func (r *Ridge) Negligible(p *Problem, tolerance float64) float64 {
	size, explained := 0.0, 0.0
	for m, w := 0, p.outputs(r.W); m < w.Rows; m++ {
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

// Start makes what is left of W at nu the solution from which p starts, after Fall.
func (r *Ridge) Start(p *Problem, nu float64) {
	w, fall, tau := p.outputs(r.W), p.outputs(r.fall), math.Sqrt(nu)
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
