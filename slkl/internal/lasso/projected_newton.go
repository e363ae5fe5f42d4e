package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// projectedNewton solves for a mu shared by several outputs: Newton steps on the
// columns with mu > 0, projected on mu ≥ 0, and when these satisfy their
// conditions, exact coordinate steps that let others enter.
type projectedNewton struct {
	*Problem
	run *run
}

// maxIdleNewton is the number of Newton steps in a row that may fail to bring
// the gap to a new minimum before rounding is taken to leave no progress. The
// gap is no monotone measure far from the optimum.
const maxIdleNewton = 50

// solve steps until the duality gap is below the tolerance of the run.
func (n *projectedNewton) solve() {
	r := n.run
	last, idle := math.Inf(1), 0
	for {
		f := n.rescale()
		f.weights(n.W)
		r.result.Certificate = n.certify(r.tau)
		done := r.result.Meets(r.tolerance)
		if r.result.Gap < last {
			last, idle = r.result.Gap, 0
		}
		idle++
		r.report(len(f.active))
		if done || idle > maxIdleNewton || !r.goesOn() {
			r.result.Status = r.outcome(done)
			return
		}
		n.step(f)
		n.enter()
	}
}

// step takes one Newton step on the columns of f, projected on mu ≥ 0 and halved
// until F falls, or one that reweights where none does.
func (n *projectedNewton) step(f *rescaled) {
	n.run.result.Solves++
	size := len(f.active)
	g := n.correlations()
	inv := f.inverse()
	h, d := compute.NewMatrix(size, size), make([]float64, size)
	for i, m := range f.active {
		gi := compute.RowVector(g, m)
		d[i] = blas64.Dot(gi, gi) - n.run.nu
		for j := i; j < size; j++ {
			cKc := -compute.Row(inv, i)[j] / (f.root[i] * f.root[j])
			if i == j {
				cKc += 1 / n.Mu[m]
			}
			compute.Row(h, i)[j] = 2 * blas64.Dot(gi, compute.RowVector(g, f.active[j])) * cKc
		}
	}
	if !solveShifted(h, d, n.Workers) || !n.descendAlong(f, d) {
		n.reweight(f)
	}
}

// reweight sets mu_m = ‖w_m‖/√nu for W at the mu at hand, the minimum of
// a function that bounds F from above and touches it at mu: slower than Newton's
// steps, but F never rises.
func (n *projectedNewton) reweight(f *rescaled) {
	f.weights(n.W)
	for _, m := range f.active {
		n.Mu[m] = blas64.Nrm2(compute.RowVector(n.W, m)) / n.run.tau
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

// descendAlong goes along d from Mu, by the largest fraction of lengths that
// lowers F or, where F only changes by noise, the duality gap of the run. If none
// does it leaves Mu and reports false.
func (n *projectedNewton) descendAlong(f *rescaled, d []float64) bool {
	nu := n.run.nu
	before := f.objective(n.W, nu)
	old := make([]float64, len(d))
	for i, m := range f.active {
		old[i] = n.Mu[m]
	}
	for _, s := range lengths(old, d) {
		if n.run.monitor.Stopped() {
			break
		}
		for i, m := range f.active {
			n.Mu[m] = snap(old[i]+s*d[i], old[i])
		}
		trial := n.rescale()
		trial.weights(n.W)
		after := trial.objective(n.W, nu)
		if after < before*(1-noise) || after < before*(1+noise) && n.certify(n.run.tau).Gap < n.run.result.Gap {
			return true
		}
	}
	for i, m := range f.active {
		n.Mu[m] = old[i]
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
func (n *projectedNewton) enter() {
	d := newCoordinateDescent(n.Problem, n.run)
	d.resume()
	for range max(1, d.inv.Len()/10) {
		p, v := d.choose()
		if p < 0 || n.Mu[p] > 0 || !d.step(p, v) {
			return
		}
		n.run.result.Steps++
	}
}
