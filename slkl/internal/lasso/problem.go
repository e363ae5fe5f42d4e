// Package lasso solves the problem of package slkl from the sums P = CᵀC, CᵀY and ‖Y‖²
// of its columns C and targets Y:
//
//	min_mu F(mu) = tr Yᵀ(I + C·diag(mu)·Cᵀ)⁻¹Y + nu·Σ mu_m,  mu ≥ 0.
//
// It equals the Lasso, or for several outputs the group Lasso,
//
//	min_W ‖Y − CW‖² + 2·tau·Σ ‖w_m‖₂  with tau = √nu and ‖w_m‖₂ = tau·mu_m.
//
// Any lam reduces to lam = 1: by Proposition 3 of Machart et al. (ICML 2011), the problem of
// (lam, nu) is that of (1, lam·nu) for mu/lam, with the same F and W.
//
// Problem.Solve starts with coordinate descent on mu, which finds the active columns. Block
// principal pivoting finishes a single output, with an active-set method as its fallback. A
// projected Newton method on mu finishes several outputs. The Certificate of a solution
// depends only on W.
package lasso

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Problem is the problem of one output, or of all outputs that share one mu. Solve starts from
// its current solution Mu and W.
type Problem struct {
	Output  int            // the first output
	Mu      []float64      // M
	W       compute.Matrix // M×q
	Workers int

	method Method
	sums   *Sums
	p      compute.Matrix // M×M, CᵀC
	cy     compute.Matrix // M×q, CᵀY
	yy     float64        // ‖Y‖²
	buffer compute.Matrix // of submatrix
}

// Method configures the solver. Its zero value selects the step to the minimum along the column with
// the largest decrease, followed by the finishing solver.
type Method struct {
	Random     bool    // draw the columns uniformly
	Seed       uint64  // of Random
	Newton     bool    // make the step (19) of the paper, with the true second derivative
	Epsilon    float64 // if positive, descend until F falls by at most this fraction over M visits
	Iterations int     // bound of the steps; 0 selects 1000·M
}

// Solve minimises F for nu until the duality gap is below the fraction tolerance of the
// objective. It starts from the current solution, if there is one.
func (p *Problem) Solve(nu, tolerance float64, r *progress.Monitor) Result {
	s := &run{nu: nu, tau: math.Sqrt(nu), tolerance: tolerance, limit: p.limit(), monitor: r}
	switch {
	case !(nu < p.NuMax()):
		clear(p.Mu)
		clear(p.W.Data)
		s.result.Status = r.Status() // a stopped pass may have missed rows
		s.result.Certificate = Certificate{Objective: p.yy}
	case p.method.Epsilon > 0:
		p.descend(s)
	case p.W.Cols == 1:
		p.solveSingle(s)
	default:
		p.solveGroup(s)
	}
	for _, v := range p.Mu {
		if v > 0 {
			s.result.ModelOrder++
		}
	}
	s.report(s.result.ModelOrder)
	return s.result
}

// Start sets the initial solution of Solve to w, M×q, for nu.
func (p *Problem) Start(w compute.Matrix, nu float64) {
	compute.CopyTo(p.W, w)
	for m := range p.Mu {
		p.Mu[m] = blas64.Nrm2(compute.RowVector(p.W, m)) / math.Sqrt(nu)
	}
}

// Outputs returns the columns of m, one for each output, that belong to p.
func (p *Problem) Outputs(m compute.Matrix) compute.Matrix {
	return compute.Columns(m, p.Output, p.Output+p.W.Cols)
}

// Squares returns ‖Y‖², the objective at W = 0.
func (p *Problem) Squares() float64 { return p.yy }

// limit returns the bound of the steps.
func (p *Problem) limit() int { return cmp.Or(p.method.Iterations, 1000*len(p.Mu)) }

// uncorrelated is the fraction of ‖c‖·‖Y‖ below which ‖cᵀY‖ is rounding error.
const uncorrelated = 1e-13

// NuMax returns the smallest nu with the solution mu = 0: max_m ‖c_mᵀY‖².
func (p *Problem) NuMax() float64 {
	worst := 0.0
	for m := range p.Mu {
		c := blas64.Nrm2(compute.RowVector(p.cy, m))
		if c > uncorrelated*math.Sqrt(compute.Row(p.p, m)[m]*p.yy) {
			worst = max(worst, c*c)
		}
	}
	return worst
}

// descend runs the algorithm of the paper.
func (p *Problem) descend(s *run) {
	clear(p.Mu)
	d := newCoordinateDescent(p, s)
	s.result.Status = d.converge(p.method.Epsilon)
	p.rescale().weights(p.W)
	s.result.Certificate = p.certify(p.correlations(), s.tau)
}

// approach performs at most the given number of visits of d and updates Mu and W.
func (p *Problem) approach(d *coordinateDescent, visits int) {
	for range visits {
		if !d.run.goesOn() || !d.visit() {
			break
		}
	}
	p.rescale().weights(p.W)
}

// cold reports whether there is no solution to start from.
func (p *Problem) cold() bool {
	return !slices.ContainsFunc(p.Mu, func(mu float64) bool { return mu > 0 })
}

// roundedGap is the relative gap at which, with a ridge, the active-set method would not improve
// on block pivoting.
const roundedGap = 1e-6

// solveSingle solves for a single output. M/8 visits of the coordinate descent mostly find columns
// from which block pivoting reaches the optimum in about ten factorisations. Where columns are too
// similar for that, more visits precede the active-set method, which always converges.
func (p *Problem) solveSingle(s *run) {
	m := len(p.Mu)
	w := &iterate{Problem: p, tau: s.tau, w: p.W.Data, b: p.cy.Data, g: make([]float64, m)}
	if s.goesOn() {
		var d *coordinateDescent
		if p.cold() {
			d = newCoordinateDescent(p, s)
			p.approach(d, max(m/8, 1))
		}
		if !newBlockPivoting(w).solve(s) && d != nil {
			p.approach(d, m/2-m/8)
		}
	}
	done, rounded := false, false
	if p.sums.ridge > 0 {
		w.refresh()
		s.result.Certificate = w.certificate()
		done = s.result.Meets(s.tolerance)
		rounded = s.result.Meets(roundedGap) || !s.goesOn()
	}
	if !done && !rounded {
		done = newActiveSet(w).solve(s)
	}
	for j, v := range p.W.Data {
		p.Mu[j] = math.Abs(v) / s.tau
	}
	s.result.Status = s.outcome(done)
}

// solveGroup solves for several outputs that share their mu.
func (p *Problem) solveGroup(s *run) {
	if p.cold() {
		p.approach(newCoordinateDescent(p, s), max(len(p.Mu)/2, 1))
	}
	n := projectedNewton{Problem: p, run: s}
	n.solve()
}

// correlations returns G = Cᵀ(Y − CW). O(M·m0·q).
func (p *Problem) correlations() compute.Matrix {
	g := compute.Clone(p.cy)
	for l := range p.Mu {
		for o, v := range compute.Row(p.W, l) {
			if v != 0 {
				blas64.Axpy(-v, compute.RowVector(p.p, l), compute.Column(g, o))
			}
		}
	}
	return g
}
