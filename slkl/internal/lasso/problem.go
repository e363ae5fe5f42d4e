package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Problem is the problem of one output, or of all outputs when they share one mu,
// with its current solution, from which the next Solve starts.
type Problem struct {
	Output  int            // the output, or 0 for all
	Mu      []float64      // M
	W       compute.Matrix // M×q
	Workers int

	method  Method
	sums    *Sums
	p       compute.Matrix // M×M, CᵀC
	cy      compute.Matrix // M×q, CᵀY
	yy      float64        // ‖Y‖²
	inverse *inverse       // P⁻¹
	space   *[]float64     // of one solution after the other
}

// Method says how the problem is solved.
type Method struct {
	// Random draws the columns of the coordinate descent uniformly at random, with
	// the given Seed, where it would take the column of the largest decrease.
	Random bool
	Seed   uint64
	// Newton takes the step (19) of the paper along a coordinate, with the true
	// second derivative, where it would go to the minimum.
	Newton bool
	// Epsilon, if positive, runs the coordinate descent alone, until F falls by no
	// more than the fraction Epsilon over M visits.
	Epsilon float64
	// Iterations bounds the steps. Default: 1000·M.
	Iterations int
}

// Solve minimises F for nu, from the solution at hand if there is one, until the
// duality gap is below the fraction tolerance of the objective.
func (p *Problem) Solve(nu, tolerance float64, r *monitor.Monitor) Result {
	s := &run{nu: nu, tau: math.Sqrt(nu), tolerance: tolerance, limit: p.limit(), monitor: r}
	switch {
	case !(nu < p.NuMax()):
		clear(p.Mu)
		clear(p.W.Data)
		s.result.Status = r.Status() // not all rows may be in
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

// Start makes w, M×q for the q outputs of the problem, the solution from which Solve
// starts for nu.
func (p *Problem) Start(w compute.Matrix, nu float64) {
	compute.CopyTo(p.W, w)
	for m := range p.Mu {
		p.Mu[m] = blas64.Nrm2(compute.RowVector(p.W, m)) / math.Sqrt(nu)
	}
}

// Forget lets go of all but the solution, after which nothing else may be asked of p.
func (p *Problem) Forget() { p.sums, p.p, p.inverse, p.space = nil, compute.Matrix{}, nil, nil }

// Squares is ‖Y‖², the objective at W = 0.
func (p *Problem) Squares() float64 { return p.yy }

func (p *Problem) limit() int {
	if p.method.Iterations > 0 {
		return p.method.Iterations
	}
	return 1000 * len(p.Mu)
}

// uncorrelated is the fraction of ‖c‖·‖Y‖ below which ‖cᵀY‖ is what rounding
// leaves of a sum that cancels.
const uncorrelated = 1e-13

// NuMax is the smallest nu whose solution is mu = 0: max_m ‖c_mᵀY‖².
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

// descend is the paper's algorithm alone.
func (p *Problem) descend(s *run) {
	clear(p.Mu)
	d := newCoordinateDescent(p, s)
	s.result.Status = d.converge(p.method.Epsilon)
	p.rescale().weights(p.W)
	s.result.Certificate = p.certify(s.tau)
}

// approach makes so many visits of the coordinate descent d and leaves Mu and W.
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
	for _, v := range p.Mu {
		if v > 0 {
			return false
		}
	}
	return true
}

// solveSingle takes a single output to the tolerance. M/8 visits of the coordinate
// descent, a few milliseconds, find a set of columns from which block pivoting
// mostly reaches the optimum in about ten factorisations. Where the columns are
// too alike for that, the descent goes on and leaves less to the active-set
// method, which always arrives.
func (p *Problem) solveSingle(s *run) {
	m := len(p.Mu)
	w := p.iterate(s.tau)
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
	done := false
	if w.ridge > 0 {
		w.refresh()
		s.result.Certificate = w.certify()
		done = s.result.Meets(s.tolerance)
	}
	if !done && !(w.ridge > 0 && (s.result.Meets(closeEnough) || !s.goesOn())) {
		done = newActiveSet(w).solve(s)
	}
	for j, v := range p.W.Data {
		p.Mu[j] = math.Abs(v) / s.tau
	}
	s.result.Status = s.outcome(done)
}

// closeEnough is the relative gap at which, with a ridge, block pivoting is left with what
// rounding makes of it: steps of the active set would not gain on that.
const closeEnough = 1e-6

// iterate returns the Lasso of a single output at W, which it shares.
func (p *Problem) iterate(tau float64) *iterate {
	return &iterate{p: p.p, b: p.cy.Data, yy: p.yy, tau: tau, ridge: p.sums.ridge, w: p.W.Data, g: make([]float64, len(p.Mu)),
		workers: p.Workers, inverse: p.inverse, space: p.space}
}

// solveGroup takes several outputs that share their mu to the tolerance.
func (p *Problem) solveGroup(s *run) {
	if p.cold() {
		p.approach(newCoordinateDescent(p, s), max(len(p.Mu)/2, 1))
	}
	n := projectedNewton{Problem: p, run: s}
	n.solve()
}

// certify returns the certificate of W.
func (p *Problem) certify(tau float64) Certificate {
	return certify(p.cy, p.W, p.correlations(), p.yy, tau, p.sums.ridge)
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
