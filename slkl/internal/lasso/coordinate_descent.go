package lasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/linalg"
)

const (
	// refactorEvery is the number of accepted steps after which the inverse is recomputed.
	refactorEvery = 200
	// The inverse is also recomputed if its drift, measured every driftEvery steps, exceeds
	// driftLimit: with a condition of 1e10 it loses all digits within a hundred steps. A descent
	// before another solver may drift up to looserLimit.
	driftEvery  = 10
	driftLimit  = 1e-9
	looserLimit = 1e-4
)

// coordinateDescent is the coordinate descent on mu (Algorithms 1 and 2 of the paper). It maintains
// a_m = c_mᵀKi Y and b_m = c_mᵀKi c_m for every column, with Ki = (I + C·diag(mu)·Cᵀ)⁻¹. A rejected
// column costs O(1) and a step O(M·m0 + m0²).
type coordinateDescent struct {
	*Problem
	run *run
	nu  float64
	inv *linalg.Woodbury
	a   compute.Matrix // M×q
	b   []float64
	f   float64 // F(mu), maintained like a and b

	ratio      float64   // nu^-½
	alone      []float64 // M, P_mm, which is b at mu = 0
	c          []float64 // M, Cᵀ Ki c_p
	cross, u   []float64 // m0, P_Ap and G·P_Ap
	rng        *rng.Stream
	inaccurate bool // whether the inverse has lost all digits
}

func newCoordinateDescent(p *Problem, r *run) *coordinateDescent {
	m := len(p.Mu)
	d := &coordinateDescent{Problem: p, run: r, nu: r.nu, inv: linalg.NewWoodbury(1), f: p.yy,
		a: compute.Clone(p.cy), c: make([]float64, m), ratio: 1 / math.Sqrt(r.nu),
		rng: rng.New(p.method.Seed, "slkl order", uint64(p.Output))}
	for i := range m {
		d.alone = append(d.alone, compute.Row(p.p, i)[i])
	}
	d.b = slices.Clone(d.alone)
	return d
}

// resume starts from the current mu instead of 0.
func (d *coordinateDescent) resume() {
	for m, v := range d.Mu {
		if v > 0 {
			d.gather(m)
			d.inv.Set(m, v, d.cross, d.alone[m])
		}
	}
	d.restart(d.rescale())
}

// restart recomputes a, b and F from a factorisation.
func (d *coordinateDescent) restart(f *rescaled) {
	f.weights(d.W)
	d.f = f.objective(d.W, d.nu)
	g := d.correlations()
	copy(d.a.Data, g.Data)
	f.curvatures(d.b)
}

// converge visits columns until the objective falls by no more than the fraction epsilon over M
// visits: the rule of the paper with the inequality corrected.
func (d *coordinateDescent) converge(epsilon float64) rkhs.Status {
	m := len(d.Mu)
	before := d.f
	for visit := 1; visit <= d.run.limit && d.run.goesOn(); visit++ {
		if !d.visit() {
			if d.inaccurate {
				return rkhs.Stalled
			}
			return rkhs.Converged
		}
		if visit%m > 0 {
			continue
		}
		if before-d.f <= epsilon*before {
			return rkhs.Converged
		}
		before = d.f
	}
	return Outcome(d.run.monitor, false, true)
}

// visit selects a column and performs its step. It reports false if no column lowers the objective
// or the inverse is inaccurate.
func (d *coordinateDescent) visit() bool {
	p, v := d.selectColumn()
	if p < 0 {
		return false
	}
	if d.step(p, v) {
		d.run.result.Steps++
		c := Certificate{Objective: d.f, Gap: math.NaN()}
		d.run.monitor.Report(c.Progress(d.run.result.Steps, d.inv.Len()))
	}
	return !d.inaccurate
}

// selectColumn returns a column and the new value of its mu, or −1 if no step lowers the objective.
func (d *coordinateDescent) selectColumn() (p int, v float64) {
	if d.method.Random {
		p = d.rng.IntN(len(d.Mu))
		return p, d.target(p)
	}
	p = -1
	best := 0.0
	for m := range d.Mu {
		if g := d.gain(m); g > best {
			best, p = g, m
		}
	}
	if p < 0 {
		return p, 0
	}
	return p, d.target(p)
}

// gain returns the decrease of F by the step along column m. The exact step gains nu·e²/b with
// e = |a|/√nu − 1.
func (d *coordinateDescent) gain(m int) float64 {
	e := d.slope(m)
	if d.Mu[m] == 0 && e <= 0 {
		return 0
	}
	b := d.curvature(m)
	if b == 0 {
		return 0
	}
	if !d.method.Newton && e >= -d.Mu[m]*b {
		return d.nu * e * e / b
	}
	return d.decrease(m, d.target(m)-d.Mu[m])
}

// slope returns |a_m|/√nu − 1, which is positive where F falls with mu_m.
func (d *coordinateDescent) slope(m int) float64 { return d.ratio*d.norm(m) - 1 }

// target returns the new value of mu_m. Rounding in a and b cannot exceed 0 and ‖Y‖²/nu,
// the bounds for F below F(0).
func (d *coordinateDescent) target(m int) float64 {
	b := d.curvature(m)
	if b == 0 {
		return 0
	}
	t := d.slope(m) / b
	if d.method.Newton {
		a := d.norm(m)
		h := 2 * a * a * b
		if h == 0 {
			return 0
		}
		t = (a*a - d.nu) / h
	}
	return min(max(0, d.Mu[m]+t), d.yy/d.nu)
}

// decrease returns the decrease of F when mu_m grows by t.
func (d *coordinateDescent) decrease(m int, t float64) float64 {
	a := d.norm(m)
	return a*a*t/(1+t*d.curvature(m)) - d.nu*t
}

// curvature returns b_m within the bounds of exact arithmetic: 0 only for a zero column, and at most
// 1/(mu_m + 1/P_mm), its value if no other column had weight.
func (d *coordinateDescent) curvature(m int) float64 {
	alone := d.alone[m]
	return min(max(d.b[m], 1e-15*alone), alone/(1+d.Mu[m]*alone))
}

func (d *coordinateDescent) norm(m int) float64 {
	if d.a.Cols == 1 {
		return math.Abs(d.a.Data[m])
	}
	return blas64.Nrm2(compute.RowVector(d.a, m))
}

// step sets mu_p to v and updates a, b, F and the inverse. It reports whether mu_p changed.
func (d *coordinateDescent) step(p int, v float64) bool {
	if d.inaccurate = !compute.Finite(v); d.inaccurate {
		return false
	}
	norm2 := d.alone[p]
	if 1+v*norm2 == 1 {
		v = 0 // it would vanish in the inverse
	}
	t := v - d.Mu[p]
	if math.Abs(t) <= 1e-12*d.Mu[p] {
		return false
	}
	d.column(p)
	d.f -= d.decrease(p, t)
	d.update(p, t)
	d.Mu[p] = v
	d.inv.Set(p, v, d.cross, norm2)
	limit := driftLimit
	if d.method.Epsilon == 0 {
		limit = looserLimit
	}
	n := d.inv.Updates()
	if n >= refactorEvery || !compute.Finite(d.f) || n%driftEvery == 0 && !(d.inv.Drift() <= limit) {
		d.refactor()
	}
	return true
}

// update updates a and b for mu_p + t. For column p itself the differences would cancel, so it uses
// quotients.
func (d *coordinateDescent) update(p int, t float64) {
	bp := d.curvature(p)
	grown := 1 + t*bp
	ap := slices.Clone(compute.Row(d.a, p))
	scale := t / grown
	blas64.Ger(-scale, compute.Vector(d.c), compute.Vector(ap), d.a)
	for m, c := range d.c {
		d.b[m] -= scale * c * c
	}
	d.b[p] = bp / grown
	for o, v := range ap {
		compute.Row(d.a, p)[o] = v / grown
	}
}

// column sets c = Cᵀ Ki c_p = P_:p − P_:A·G·P_Ap.
func (d *coordinateDescent) column(p int) {
	copy(d.c, compute.Row(d.p, p))
	u := d.gather(p)
	d.inv.MulVecTo(u, d.cross)
	for i, m := range d.inv.Active() {
		blas64.Axpy(-u[i], compute.RowVector(d.p, m), compute.Vector(d.c))
	}
}

// gather sets cross = P_Ap and returns a buffer of the same length.
func (d *coordinateDescent) gather(p int) []float64 {
	d.cross = d.cross[:0]
	from := compute.Row(d.p, p)
	for _, m := range d.inv.Active() {
		d.cross = append(d.cross, from[m])
	}
	d.u = compute.Resize(d.u, len(d.cross))
	return d.u
}

// refactor recomputes the inverse, and also a and b if the maintained objective has drifted from a
// direct evaluation. The inverse is inaccurate if its condition exceeds working precision.
func (d *coordinateDescent) refactor() {
	d.run.result.Refactorisations++
	if d.inaccurate = !d.inv.Refactor(d.Workers); d.inaccurate {
		return
	}
	f := d.rescale()
	f.weights(d.W)
	direct := f.objective(d.W, d.nu)
	if !(math.Abs(direct-d.f) <= 1e-9*direct) {
		d.restart(f)
		d.inaccurate = !compute.Finite(d.f)
	}
}
