package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// finishGroup takes a mu shared by several outputs to the tolerance: Newton
// steps on the columns with mu > 0, and when these satisfy their conditions,
// exact coordinate steps that let others enter.
func (t *task) finishGroup(nu, tol float64, rep *Report, r *monitor.Monitor) {
	tau := math.Sqrt(nu)
	last, idle := math.Inf(1), 0
	for {
		f := t.factor()
		f.weights(t.w)
		c := t.certify(tau)
		done := c.meets(tol)
		if c.gap < last {
			last, idle = c.gap, 0
		}
		idle++
		r.Report(c.progress(rep.Steps+rep.Solves, len(f.active)))
		if done || idle > maxIdleNewton || !t.more(rep, r) {
			rep.take(c)
			rep.Status = outcome(r, done, !t.more(rep, r))
			return
		}
		t.newton(f, nu, c, rep)
		t.enter(nu, rep)
	}
}

// maxIdleNewton is the number of Newton steps in a row that may fail to bring
// the gap to a new minimum before rounding is taken to leave no progress. The
// gap is no monotone measure far from the optimum.
const maxIdleNewton = 50

// newton takes one Newton step on the columns of f, projected on mu ≥ 0 and
// halved until F falls, or one that reweights where none does.
func (t *task) newton(f *scaled, nu float64, c certificate, rep *Report) {
	rep.Solves++
	n := len(f.active)
	g := t.correlations()
	inv := f.inverse()
	h, d := compute.NewMatrix(n, n), make([]float64, n)
	for i, m := range f.active {
		gi := vector(row(g, m))
		d[i] = blas64.Dot(gi, gi) - nu
		for j := i; j < n; j++ {
			cKc := -row(inv, i)[j] / (f.root[i] * f.root[j])
			if i == j {
				cKc += 1 / t.mu[m]
			}
			row(h, i)[j] = 2 * blas64.Dot(gi, vector(row(g, f.active[j]))) * cKc
		}
	}
	if !solveShifted(h, d, t.workers) || !t.descendAlong(f, d, nu, c) {
		t.reweight(f, nu)
	}
}

// reweight sets mu_m = ‖w_m‖/√nu for w at the mu at hand, the minimum of
// a function that bounds F from above and touches it at mu: slower than Newton's
// steps, but F never rises.
func (t *task) reweight(f *scaled, nu float64) {
	f.weights(t.w)
	for _, m := range f.active {
		t.mu[m] = blas64.Nrm2(vector(row(t.w, m))) / math.Sqrt(nu)
	}
}

// solveShifted overwrites d with H⁻¹d, raising the diagonal of H where it is
// singular to working precision. It reports false if H is beyond that.
func solveShifted(h compute.Matrix, d []float64, workers int) bool {
	u := compute.NewMatrix(h.Rows, h.Cols)
	ok := raising(func(shift float64) bool {
		copy(u.Data, h.Data)
		for i := range u.Rows {
			u.Data[i*u.Stride+i] *= 1 + shift
		}
		return compute.Cholesky(u, workers)
	})
	if ok {
		solveColumn(u, d, workers)
	}
	return ok
}

// noise is the relative size of the rounding errors that a direct evaluation of
// F can have.
const noise = 1e-9

// descendAlong goes along d from mu, by the largest fraction of lengths that
// lowers F or, where F only changes by noise, the duality gap, which is c's at
// the start. If none does it leaves mu and reports false.
func (t *task) descendAlong(f *scaled, d []float64, nu float64, c certificate) bool {
	before := f.objective(t.w, nu)
	old := make([]float64, len(d))
	for i, m := range f.active {
		old[i] = t.mu[m]
	}
	for _, s := range lengths(old, d) {
		for i, m := range f.active {
			t.mu[m] = snap(old[i]+s*d[i], old[i])
		}
		trial := t.factor()
		trial.weights(t.w)
		after := trial.objective(t.w, nu)
		if after < before*(1-noise) || after < before*(1+noise) && t.certify(math.Sqrt(nu)).gap < c.gap {
			return true
		}
	}
	for i, m := range f.active {
		t.mu[m] = old[i]
	}
	return false
}

// lengths lists the fractions of d to try: first as if mu ≥ 0 were no bound,
// what falls below it being set to 0, which lets many columns leave at once;
// then up to where the first column leaves, within which F falls as the Newton
// model says.
func lengths(mu, d []float64) []float64 {
	bound := 1.0
	for i, v := range d {
		if v < 0 {
			bound = min(bound, -mu[i]/v)
		}
	}
	var list []float64
	for s := 1.0; s > 1e-2; s /= 2 {
		list = append(list, s)
	}
	for s := bound; s > 1e-6*bound; s /= 2 {
		list = append(list, s)
	}
	return list
}

// snap returns v, or 0 where v is negligible beside the value it came from:
// Newton's steps towards 0 only ever divide.
func snap(v, from float64) float64 {
	if v <= 1e-10*from {
		return 0
	}
	return v
}

// enter takes exact coordinate steps on columns outside the model, each with
// the largest decrease of F, until a tenth as many have entered as are in it.
func (t *task) enter(nu float64, rep *Report) {
	d := newDescent(t, nu)
	d.resume()
	for range max(1, d.inv.Len()/10) {
		p, v := d.choose()
		if p < 0 || t.mu[p] > 0 || !d.step(p, v, rep) {
			return
		}
		rep.Steps++
	}
}
