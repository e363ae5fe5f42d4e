package polk

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// diagonal computes G_jj of the dictionary: with R = L_S⁻¹·T for the factor L_S
// of S it is the diagonal of G_DD plus that of RᵀR.
func (p *pursuit) diagonal() {
	p.diag = append(p.diag[:0], p.factor.InverseDiag()...)
	compute.Reshape(&p.reduced, len(p.alive), p.order())
	for n, i := range p.alive {
		r, l := compute.Row(p.reduced, n), compute.Row(p.pivoted.l, i)
		copy(r, compute.Row(p.t, i))
		for m := range n {
			floats.AddScaled(r, -l[m], compute.Row(p.reduced, m))
		}
		for j := range r {
			r[j] /= l[n]
			p.diag[j] += r[j] * r[j]
		}
	}
}

// prune removes points while that stays within the budget, or there are too many.
func (p *pursuit) prune(w compute.Matrix, budget float64, limit int, c *change) {
	for p.order()+len(p.alive) > 0 {
		j, cost := p.cheapest(w)
		within := c.spent+cost <= budget
		if !within && p.order()+len(p.alive) <= limit {
			return
		}
		if j < p.order() {
			p.removeOld(w, j)
		} else {
			p.removeNew(w, j-p.order())
		}
		c.spent += cost
		c.pruned++
		if !within {
			c.forced++
		}
	}
}

// cheapest returns the point whose removal costs least, counting those of the
// dictionary before the new ones, and that cost.
func (p *pursuit) cheapest(w compute.Matrix) (best int, cost float64) {
	best, cost = -1, math.Inf(1)
	for j, g := range p.diag {
		if v := squaredNorm(p.weight(j)[:p.outputs]) / g; v < cost || best < 0 {
			best, cost = j, v
		}
	}
	for n, g := range p.schur.InverseDiag() {
		if v := squaredNorm(compute.Row(w, p.alive[n])[:p.outputs]) / g; v < cost || best < 0 {
			best, cost = p.order()+n, v
		}
	}
	return best, cost
}

// removeNew takes away the n-th of the new points that are left.
func (p *pursuit) removeNew(w compute.Matrix, n int) {
	p.g = compute.Resize(p.g, len(p.alive))
	p.schur.Delete(n, p.g)
	p.column = compute.Resize(p.column, p.order())
	clear(p.column)
	for m, i := range p.alive {
		floats.AddScaled(p.column, -p.g[m], compute.Row(p.t, i))
	}
	p.gone = append(p.gone[:0], compute.Row(w, p.alive[n])...)
	own := p.g[n]
	for m, i := range p.alive {
		floats.AddScaled(compute.Row(w, i), -p.g[m]/own, p.gone)
	}
	p.alive = slices.Delete(p.alive, n, n+1)
	p.project(own)
}

// removeOld takes away point j of the dictionary. For the new points the span
// that they are taken against shrinks: S grows by t·tᵀ/g_j, where t is column j
// of T and g that of G_DD, and T loses t·gᵀ/g_j.
func (p *pursuit) removeOld(w compute.Matrix, j int) {
	p.g = compute.Resize(p.g, p.order())
	p.deleteOld(j)
	p.entry = compute.Resize(p.entry, len(p.alive))
	for m, i := range p.alive {
		p.entry[m] = compute.Row(p.t, i)[j]
	}
	p.solved = compute.Resize(p.solved, len(p.alive))
	p.schur.SolveVecTo(p.solved, p.entry)
	p.column = append(p.column[:0], p.g...)
	for m, i := range p.alive {
		floats.AddScaled(p.column, p.solved[m], compute.Row(p.t, i))
	}
	own := p.column[j]
	p.gone = append(p.gone[:0], p.weight(j)...)
	for m, i := range p.alive {
		floats.AddScaled(compute.Row(w, i), p.solved[m]/own, p.gone)
	}
	p.shrinkSpan(j)
	p.remove(j)
	p.diag = slices.Delete(p.diag, j, j+1)
	p.columns = slices.Delete(p.columns, j, j+1)
	p.column = slices.Delete(p.column, j, j+1)
	p.project(own)
}

// deleteOld takes point j from the factors, and sets g to its column of G_DD.
func (p *pursuit) deleteOld(j int) {
	if p.metric == nil {
		p.factor.Delete(j, p.g)
		return
	}
	workers := p.eval.Workers
	if p.order() < fewPoints {
		workers = 1
	}
	compute.Both(workers, func(int) { p.factor.Delete(j, p.g) }, func(int) { p.metric.factor.Delete(j, nil) })
}

// fewPoints is the number of points below which a deletion is faster than another goroutine is begun.
const fewPoints = 200

// shrinkSpan updates S, V and T for the loss of point j, whose column of T is in
// entry.
func (p *pursuit) shrinkSpan(j int) {
	own := p.g[j]
	for m, i := range p.alive {
		t := compute.Row(p.t, i)
		floats.AddScaled(t, -p.entry[m]/own, p.g)
		copy(t[j:], t[j+1:])
		p.factor.Rotate(compute.Row(p.v, i))
	}
	p.v.Cols--
	p.t.Cols--
	floats.Scale(1/math.Sqrt(own), p.entry)
	p.schur.RankOne(p.entry)
}

// project moves the weights of the dictionary for the loss of a point with
// weights gone and diagonal entry own of G, whose column of G is in column, and
// updates the diagonal. Entries that cancel are computed afresh.
func (p *pursuit) project(own float64) {
	const cancelled = 1.0 / 16
	for j, g := range p.column {
		floats.AddScaled(p.weight(j), -g/own, p.gone)
		old := p.diag[j]
		p.diag[j] -= g * g / own
		if !(p.diag[j] > cancelled*old) {
			p.diag[j] = p.entryAfresh(j)
		}
	}
}

// entryAfresh computes G_jj of a point of the dictionary from the factors.
func (p *pursuit) entryAfresh(j int) float64 {
	p.entry = compute.Resize(p.entry, len(p.alive))
	for m, i := range p.alive {
		p.entry[m] = compute.Row(p.t, i)[j]
	}
	p.schur.ForwardRows(compute.RowOf(p.entry), 1)
	return p.factor.InverseDiag()[j] + squaredNorm(p.entry)
}
