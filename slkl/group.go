package slkl

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// finishGroup takes a mu shared by several outputs to the tolerance: Newton
// steps on the columns with mu > 0, and when these satisfy their conditions,
// exact coordinate steps that let others enter.
func (t *task) finishGroup(nu, tol float64, rep *Report, r *reporter) {
	tau := math.Sqrt(t.lam * nu)
	stalled := false
	for {
		f := t.factor()
		f.weights(t.w)
		c := t.certify(tau)
		done := c.meets(tol)
		r.report(rep.Steps+rep.Solves, len(f.active), c)
		if done || stalled || !t.more(rep, r) {
			rep.take(c)
			rep.Status = r.outcome(done, !t.more(rep, r))
			return
		}
		moved := t.newton(f, nu, rep)
		entered := t.enter(nu, rep)
		stalled = !moved && !entered
	}
}

// newton takes one Newton step on the columns of f, projected on mu ≥ 0 and
// halved until F falls, and reports whether it fell.
func (t *task) newton(f *scaled, nu float64, rep *Report) bool {
	rep.Solves++
	n := len(f.active)
	if n == 0 {
		return false
	}
	g := t.correlations()
	v := f.reduced(f.active)
	h, d := compute.NewMatrix(n, n), make([]float64, n)
	q := compute.NewMatrix(n, n)
	compute.AddGram(q, v, t.workers)
	for i, m := range f.active {
		gi := vector(row(g, m))
		d[i] = blas64.Dot(gi, gi)/t.lam - nu
		for j := i; j < n; j++ {
			l := f.active[j]
			cKc := (row(t.p, m)[l] - row(q, i)[j]) / t.lam
			row(h, i)[j] = 2 / t.lam * blas64.Dot(gi, vector(row(g, l))) * cKc
		}
	}
	solveShifted(h, d, t.workers)
	return t.descendAlong(f, d, nu)
}

// solveShifted overwrites d with H⁻¹d, raising the diagonal of H where it is
// singular to working precision.
func solveShifted(h compute.Matrix, d []float64, workers int) {
	u := compute.NewMatrix(h.Rows, h.Cols)
	for shift := 0.0; ; shift = max(4*shift, 1e-15) {
		copy(u.Data, h.Data)
		for i := range u.Rows {
			u.Data[i*u.Stride+i] *= 1 + shift
		}
		if compute.Cholesky(u, workers) {
			break
		}
	}
	x := compute.Matrix{Rows: len(d), Cols: 1, Stride: 1, Data: d}
	compute.SolveUpper(u, x, true, workers)
	compute.SolveUpper(u, x, false, workers)
}

// descendAlong sets mu = max(0, mu + s·d) for the largest s of 1, 1/2, 1/4 …
// that lowers F, and reports whether there is one above rounding.
func (t *task) descendAlong(f *scaled, d []float64, nu float64) bool {
	before := f.objective(t.w, nu)
	old := make([]float64, len(d))
	for i, m := range f.active {
		old[i] = t.mu[m]
	}
	w := compute.NewMatrix(t.w.Rows, t.w.Cols)
	for s := 1.0; s > 1e-6; s /= 2 {
		for i, m := range f.active {
			t.mu[m] = snap(old[i]+s*d[i], old[i])
		}
		trial := t.factor()
		trial.weights(w)
		if trial.objective(w, nu) < before {
			return true
		}
	}
	for i, m := range f.active {
		t.mu[m] = old[i]
	}
	return false
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
// the largest decrease of F, until a tenth as many have entered as are in it,
// and reports whether any did.
func (t *task) enter(nu float64, rep *Report) bool {
	d := newDescent(t, nu)
	d.resume()
	most := max(1, d.inv.Len()/10)
	for k := range most {
		p, v := d.choose()
		if p < 0 || t.mu[p] > 0 || d.decrease(p, v) <= 1e-15*d.f {
			return k > 0
		}
		d.step(p, v, rep)
		rep.Steps++
	}
	return true
}
