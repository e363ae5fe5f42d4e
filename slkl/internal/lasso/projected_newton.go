package lasso

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// projectedNewton solves for a mu shared by several outputs. It alternates Newton steps on the
// columns with mu > 0, projected on mu ≥ 0, and exact coordinate steps that let other columns enter.
type projectedNewton struct {
	*Problem
	run *run
}

// solve steps until the duality gap meets the tolerance of the run. Far from the optimum the gap is
// not monotone, so solve stops only after maxIdle steps without a new smallest gap.
func (n *projectedNewton) solve() {
	r := n.run
	smallest, idle := math.Inf(1), 0
	for {
		f := n.rescale()
		f.weights(n.W)
		r.result.Certificate = n.certify(n.correlations(), r.tau)
		done := r.result.Meets(r.tolerance)
		if r.result.Gap < smallest {
			smallest, idle = r.result.Gap, 0
		}
		idle++
		r.report(len(f.active))
		if done || idle > maxIdle || !r.goesOn() {
			r.result.Status = r.outcome(done)
			return
		}
		n.step(f)
		n.enter()
	}
}

// step updates Mu by a Newton step on the columns of f. If no length of it lowers F, step sets
// mu_m = ‖w_m‖/√nu: the minimum of an upper bound of F that touches F at the current mu.
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
	if n.direction(h, d) && n.descendAlong(f, d) {
		return
	}
	f.weights(n.W)
	for _, m := range f.active {
		n.Mu[m] = blas64.Nrm2(compute.RowVector(n.W, m)) / n.run.tau
	}
}

// direction overwrites d with H⁻¹d. It raises the diagonal of H where H is singular to working
// precision and reports false if that is not enough.
func (n *projectedNewton) direction(h compute.Matrix, d []float64) bool {
	u := compute.NewMatrix(h.Rows, h.Cols)
	ok := raising(func(shift float64) bool {
		copy(u.Data, h.Data)
		for i := range u.Rows {
			u.Data[i*u.Stride+i] *= 1 + shift
		}
		return compute.Cholesky(u, n.Workers)
	})
	if ok {
		solve(u, compute.ColumnOf(d), n.Workers)
	}
	return ok
}

// noise bounds the relative rounding error of a direct evaluation of F.
const noise = 1e-9

// descendAlong updates Mu along d by the first of the lengths that lowers F, or lowers the duality
// gap where F changes only by noise. Otherwise it restores Mu and reports false.
func (n *projectedNewton) descendAlong(f *rescaled, d []float64) bool {
	nu := n.run.nu
	before := f.objective(n.W, nu)
	old := compute.PickOf(n.Mu, f.active)
	for _, s := range lengths(old, d) {
		if n.run.monitor.Stopped() {
			break
		}
		for i, m := range f.active {
			n.Mu[m] = old[i] + s*d[i]
			if n.Mu[m] <= 1e-10*old[i] { // Newton steps only divide
				n.Mu[m] = 0
			}
		}
		next := n.rescale()
		next.weights(n.W)
		after := next.objective(n.W, nu)
		if after < before*(1-noise) || after < before*(1+noise) && n.certify(n.correlations(), n.run.tau).Gap < n.run.result.Gap {
			return true
		}
	}
	for i, m := range f.active {
		n.Mu[m] = old[i]
	}
	return false
}

// lengths lists the lengths of a step to try, in multiples of d. Lengths from 1 on ignore the bound
// mu ≥ 0, so that many columns can leave at once. The next lengths end where the first mu is zero.
// A Newton step of this length decreases F.
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

// enter performs exact coordinate steps on inactive columns, the largest decrease of F first, until
// it has added a tenth of the number of active columns.
func (n *projectedNewton) enter() {
	d := newCoordinateDescent(n.Problem, n.run)
	d.resume()
	for range max(1, d.inv.Len()/10) {
		p, v := d.selectColumn()
		if p < 0 || n.Mu[p] > 0 || !d.step(p, v) {
			return
		}
		n.run.result.Steps++
	}
}
