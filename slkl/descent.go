package slkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/linalg"
)

const (
	// refactorEvery is the number of accepted steps after which the inverse is
	// computed afresh, drift or none.
	refactorEvery = 200
	// The drift of the inverse is measured after every driftEvery steps, and
	// when it is above driftLimit the inverse is computed afresh at once: with a
	// condition of 1e10 it is lost within a hundred steps. A descent that only
	// leads to the finish may drift further.
	driftEvery  = 10
	driftLimit  = 1e-9
	looserLimit = 1e-4
)

// descent is the coordinate descent on mu (Algorithms 1 and 2 of the paper). It
// maintains a_m = c_mᵀKi Y and b_m = c_mᵀKi c_m for every column, with
// Ki = (I + C·diag(mu)·Cᵀ)⁻¹, so that a column whose weight does not change
// costs O(1), and a step O(M·m0 + m0²).
type descent struct {
	*task
	nu  float64
	inv *linalg.Woodbury
	a   compute.Matrix // M×q
	b   []float64
	f   float64 // F(mu), maintained

	ratio    float64   // nu^-½
	alone    []float64 // M, b at mu = 0
	c        []float64 // M, Cᵀ Ki c_p
	cross, u []float64 // m0, P_Ap and G·P_Ap
	rng      *rng.Stream
	lost     bool
}

func newDescent(t *task, nu float64) *descent {
	m := len(t.mu)
	d := &descent{task: t, nu: nu, inv: linalg.NewWoodbury(1), f: t.yy,
		a: compute.NewMatrix(m, t.cy.Cols), b: make([]float64, m), c: make([]float64, m),
		ratio: 1 / math.Sqrt(nu), alone: make([]float64, m),
		rng: rng.New(t.s.Seed, "slkl order", uint64(t.output))}
	copy(d.a.Data, t.cy.Data)
	for i := range m {
		d.b[i] = t.p.Data[i*t.p.Stride+i]
		d.alone[i] = d.b[i]
	}
	return d
}

// resume starts from the mu at hand in place of 0.
func (d *descent) resume() {
	for m, v := range d.mu {
		if v > 0 {
			d.gather(m)
			d.inv.Set(m, v, d.cross, row(d.p, m)[m])
		}
	}
	d.restart(d.factor())
}

// restart takes everything that is maintained from a factorisation.
func (d *descent) restart(f *scaled) {
	f.weights(d.w)
	d.f = f.objective(d.w, d.nu)
	g := d.correlations()
	copy(d.a.Data, g.Data)
	f.curvatures(d.b)
}

// run visits columns until the objective falls by no more than the fraction
// Epsilon over M visits: the paper's rule with its inequality as it was meant.
func (d *descent) run(rep *Report, r *monitor.Monitor) rkhs.Status {
	m := len(d.mu)
	before := d.f
	for visit := 1; visit <= d.s.limit(m) && d.task.more(rep, r); visit++ {
		if !d.visit(rep, r) {
			if d.lost {
				return rkhs.Stalled
			}
			return rkhs.Converged
		}
		if visit%m > 0 {
			continue
		}
		if before-d.f <= d.s.Epsilon*before {
			return rkhs.Converged
		}
		before = d.f
	}
	return outcome(r, false, true)
}

// visit chooses a column and takes its step. It reports false if no column
// would lower the objective, or if the inverse is lost.
func (d *descent) visit(rep *Report, r *monitor.Monitor) bool {
	p, v := d.choose()
	if p < 0 {
		return false
	}
	if d.step(p, v, rep) {
		rep.Steps++
		r.Report(rkhs.Progress{Iteration: rep.Steps, ModelOrder: d.inv.Len(), Objective: d.f, Gap: math.NaN()})
	}
	return !d.lost
}

// choose returns a column and the new value of its mu, or −1 if no step lowers
// the objective.
func (d *descent) choose() (p int, v float64) {
	if d.s.Order == UniformRandom {
		p = d.rng.IntN(len(d.mu))
		return p, d.target(p)
	}
	p = -1
	best := 0.0
	for m := range d.mu {
		if g := d.gain(m); g > best {
			best, p = g, m
		}
	}
	if p < 0 {
		return p, 0
	}
	return p, d.target(p)
}

// gain returns how much F falls with the step along column m. With e =
// |a|/√nu − 1 the exact step to the minimum gains nu·e²/b.
func (d *descent) gain(m int) float64 {
	e := d.slope(m)
	if d.mu[m] == 0 && e <= 0 {
		return 0
	}
	b := d.curvature(m)
	if b == 0 {
		return 0
	}
	if d.s.Step == Exact && e >= -d.mu[m]*b {
		return d.nu * e * e / b
	}
	return d.decrease(m, d.target(m)-d.mu[m])
}

// slope is |a_m|/√nu − 1: positive where F falls with mu_m.
func (d *descent) slope(m int) float64 { return d.ratio*d.norm(m) - 1 }

// target returns the new value of mu_m, within the bounds 0 and ‖Y‖²/nu that
// hold wherever F is below F(0): rounding in a and b cannot lead beyond them.
func (d *descent) target(m int) float64 {
	b := d.curvature(m)
	if b == 0 {
		return 0
	}
	t := d.slope(m) / b
	if d.s.Step == Newton {
		a := d.norm(m)
		h := 2 * a * a * b
		if h == 0 {
			return 0
		}
		t = (a*a - d.nu) / h
	}
	return min(max(0, d.mu[m]+t), d.yy/d.nu)
}

// decrease returns how much F falls when mu_m grows by t.
func (d *descent) decrease(m int, t float64) float64 {
	a := d.norm(m)
	return a*a*t/(1+t*d.curvature(m)) - d.nu*t
}

// curvature returns b_m within the bounds that hold without rounding: 0 only
// for a zero column, and at most 1/(mu_m + 1/P_mm), its value if no other
// column had weight. Without the upper bound a column that leaves could seem to
// take the whole of Ki with it.
func (d *descent) curvature(m int) float64 {
	b := max(d.b[m], 1e-15*d.alone[m])
	return min(b, d.alone[m]/(1+d.mu[m]*d.alone[m]))
}

func (d *descent) norm(m int) float64 {
	if d.a.Cols == 1 {
		return math.Abs(d.a.Data[m])
	}
	return blas64.Nrm2(vector(row(d.a, m)))
}

// step sets mu_p to v and brings everything up to date. It reports whether
// anything changed.
func (d *descent) step(p int, v float64, rep *Report) bool {
	if d.lost = !finite(v); d.lost {
		return false
	}
	norm2 := row(d.p, p)[p]
	if 1+v*norm2 == 1 {
		v = 0 // nothing of it would be left in the inverse
	}
	t := v - d.mu[p]
	if math.Abs(t) <= 1e-12*d.mu[p] {
		return false
	}
	d.column(p)
	d.f -= d.decrease(p, t)
	d.update(p, t)
	d.mu[p] = v
	d.inv.Set(p, v, d.cross, norm2)
	limit := driftLimit
	if d.s.Epsilon == 0 {
		limit = looserLimit
	}
	n := d.inv.Updates()
	if n >= refactorEvery || !finite(d.f) || n%driftEvery == 0 && !(d.inv.Drift() <= limit) {
		d.refactor(rep)
	}
	return true
}

// update takes a and b to mu_p + t. For column p itself the differences would
// cancel, but are quotients in closed form.
func (d *descent) update(p int, t float64) {
	bp := d.curvature(p)
	grown := 1 + t*bp
	ap := slices.Clone(row(d.a, p))
	scale := t / grown
	blas64.Ger(-scale, vector(d.c), vector(ap), d.a)
	for m, c := range d.c {
		d.b[m] -= scale * c * c
	}
	d.b[p] = bp / grown
	for o, v := range ap {
		d.a.Data[p*d.a.Stride+o] = v / grown
	}
}

// column sets c = Cᵀ Ki c_p = P_:p − P_:A·G·P_Ap.
func (d *descent) column(p int) {
	copy(d.c, row(d.p, p))
	u := d.gather(p)
	d.inv.MulVecTo(u, d.cross)
	for i, m := range d.inv.Active() {
		blas64.Axpy(-u[i], vector(row(d.p, m)), vector(d.c))
	}
}

// gather sets cross = P_Ap and returns space of the same length.
func (d *descent) gather(p int) []float64 {
	d.cross = d.cross[:0]
	for _, m := range d.inv.Active() {
		d.cross = append(d.cross, row(d.p, p)[m])
	}
	d.u = slices.Grow(d.u[:0], len(d.cross))[:len(d.cross)]
	return d.u
}

// refactor computes the inverse afresh, and a and b too if the maintained
// objective has drifted from the one computed directly. The inverse is lost if
// its condition is beyond working precision.
func (d *descent) refactor(rep *Report) {
	rep.Refactorisations++
	if d.lost = !d.inv.Refactor(d.workers); d.lost {
		return
	}
	f := d.factor()
	f.weights(d.w)
	direct := f.objective(d.w, d.nu)
	if !(math.Abs(direct-d.f) <= 1e-9*direct) {
		d.restart(f)
		d.lost = !finite(d.f)
	}
}
