package polk

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
)

// pursuit is destructive kernel orthogonal matching pursuit with pre-fitting
// (Algorithm 1 of the paper): it adds new points to a dictionary and then takes
// points away one by one, each time the one whose removal, with the weights of
// all others fitted again, costs least.
//
// With G the inverse of the Gram matrix, removing point j costs ‖w_j‖²/G_jj of
// the squared norm and moves the weights by −G_j·w_j/G_jj. The projections are
// onto subspaces inside one another, so that the squared errors add up to the
// squared distance from the function at the start.
//
// The new points stay outside of the factor of the dictionary until the end.
// With T = K(X, D)·G_DD and the Schur complement S = K(X, X) − T·K(D, X) the
// inverse over all points is
//
//	G = [ G_DD + Tᵀ·S⁻¹·T   −Tᵀ·S⁻¹ ]
//	    [     −S⁻¹·T            S⁻¹ ]
//
// so that a new point that goes again costs O(q·M), not O(M²), and one that stays takes its row
// of the factor from K(X, D)·L⁻ᵀ and the factor of S.
type pursuit struct {
	*dictionary
	pivoted pivotedCholesky
	schur   *linalg.Cholesky // of the new points that are left

	k, v, t compute.Matrix // q×M, K(X, D), K(X, D)·L⁻ᵀ and T
	kk      compute.Matrix // q×q, K(X, X)
	s       compute.Matrix // q×q, S
	alive   []int          // rows of t of the new points that are left, as in schur
	columns []int          // columns of k of the points of the dictionary that are left
	diag    []float64      // G_jj of the points of the dictionary

	limit, entry, solved, g, column, gone []float64
	rows, reduced, crossAlive, gramAlive  compute.Matrix
}

// change is what one call of extend has done.
type change struct {
	norm   float64 // of the function that was added
	added  int     // points that were admitted
	folded int     // points that were projected onto the others at once
	pruned int     // points that were removed, of the new ones or of the old
	forced int     // among these, those removed for the bound on their number
	spent  float64 // squared distance from the function before any projection
}

func newPursuit(e *dictionary) *pursuit {
	p := &pursuit{dictionary: e, schur: linalg.NewCholesky(0)}
	p.schur.TrackInverseDiag()
	return p
}

// prepare takes in K(X, D) of the points that are to be added, for the metric too. O(q·M²).
func (p *pursuit) prepare(k compute.Matrix) {
	p.k = k
	if p.metric == nil {
		p.solve(p.eval.Workers)
		return
	}
	compute.Both(p.eval.Workers, p.solve, func(workers int) { p.metric.prepare(p.dictionary, k, workers) })
	p.metric.measureRows(p.v, p.kk)
}

// solve sets v and t.
func (p *pursuit) solve(workers int) {
	copy(compute.Reshape(&p.v, p.k.Rows, p.order()).Data, p.k.Data)
	p.factor.ForwardRows(p.v, workers)
	copy(compute.Reshape(&p.t, p.k.Rows, p.order()).Data, p.v.Data)
	p.factor.BackwardRows(p.t, workers)
}

// extend adds Σ_i k(x_i, ·)·w_i to the function and prunes it to within the squared
// distance budget and to at most limit points. It overwrites w. The kernel values K(X, X)
// are in kk already, and K(X, D) was prepared. O(q·M² + q²·M + q³), and O(M²) for each
// point of the dictionary that goes.
func (p *pursuit) extend(x compute.Points, w compute.Matrix, budget float64, limit int) (c change) {
	c.norm = p.norm(w)
	p.complement(x.Rows)
	p.pivoted.run(p.s, p.limits())
	c.added, c.folded = len(p.pivoted.pivots), len(p.pivoted.rest)
	c.spent = p.pivoted.fold(p.dictionary, p.s, p.t, w)
	p.begin()
	if budget > 0 || p.order()+len(p.alive) > limit {
		p.diagonal()
		p.prune(w, budget, limit, &c)
		p.insert(x, w)
		return c
	}
	if len(p.alive) > 0 {
		p.diagonal()
		p.insert(x, w)
	}
	return c
}

// compress prunes without adding anything.
func (p *pursuit) compress(budget float64, c *change) {
	compute.Reshape(&p.v, 0, p.order())
	compute.Reshape(&p.t, 0, p.order())
	p.pivoted.pivots = p.pivoted.pivots[:0]
	p.begin()
	p.diagonal()
	p.prune(compute.Matrix{}, budget, math.MaxInt, c)
}

// norm returns the norm of the function that is added.
func (p *pursuit) norm(w compute.Matrix) float64 {
	sum := 0.0
	for i := range w.Rows {
		for j := range i + 1 {
			v := compute.Row(p.kk, i)[j] * floats.Dot(compute.Row(w, i)[:p.outputs], compute.Row(w, j)[:p.outputs])
			if j < i {
				v *= 2
			}
			sum += v
		}
	}
	return math.Sqrt(max(sum, 0))
}

// complement sets s = S = K(X, X) − V·Vᵀ for V = K(X, D)·L⁻ᵀ.
func (p *pursuit) complement(q int) {
	compute.Reshape(&p.s, q, q)
	if q*q*p.order() > fewProducts {
		clear(p.s.Data)
		compute.MulNT(p.s, p.v, p.v, p.eval.Workers)
	} else {
		for i := range q {
			for j := range q {
				compute.Row(p.s, i)[j] = floats.Dot(compute.Row(p.v, i), compute.Row(p.v, j))
			}
		}
	}
	floats.SubTo(p.s.Data, p.kk.Data, p.s.Data)
	for i := range q {
		compute.Row(p.s, i)[i] += p.factor.Jitter()
	}
}

// limits returns the squared distances up to which new points are folded.
func (p *pursuit) limits() []float64 {
	p.limit = compute.Resize(p.limit, p.kk.Rows)
	least := p.factor.Jitter() * (relativeAdmission / relativeJitter)
	for i := range p.limit {
		p.limit[i] = max(least, relativeAdmission*compute.Row(p.kk, i)[i])
	}
	return p.limit
}

// begin takes over the admitted points, in the order of their admission.
func (p *pursuit) begin() {
	p.alive = append(p.alive[:0], p.pivoted.pivots...)
	p.schur.Reset()
	for n, i := range p.alive {
		p.entry = compute.Resize(p.entry, n)
		for m, j := range p.alive[:n] {
			p.entry[m] = compute.Row(p.s, i)[j]
		}
		p.schur.Append(p.entry, compute.Row(p.s, i)[i], 0)
	}
	p.columns = compute.Resize(p.columns, p.order())
	for j := range p.columns {
		p.columns[j] = j
	}
}

// insert makes the new points that are left points of the dictionary.
func (p *pursuit) insert(x compute.Points, w compute.Matrix) {
	if len(p.alive) == 0 {
		return
	}
	if p.metric != nil {
		compute.Reshape(&p.crossAlive, len(p.alive), p.order())
		compute.Reshape(&p.gramAlive, len(p.alive), len(p.alive))
		for n, i := range p.alive {
			to, from := compute.Row(p.crossAlive, n), compute.Row(p.k, i)
			for j, c := range p.columns {
				to[j] = from[c]
			}
			for m, j := range p.alive {
				compute.Row(p.gramAlive, n)[m] = compute.Row(p.kk, i)[j]
			}
		}
		p.metric.append(p.dictionary, x.Pick(p.alive), p.crossAlive, p.gramAlive)
	}
	compute.PickTo(compute.Reshape(&p.rows, len(p.alive), p.order()), p.v, p.alive)
	p.diag = append(p.diag, p.schur.InverseDiag()...)
	p.factor.AppendFactor(p.rows, p.schur, p.diag)
	for _, i := range p.alive {
		p.append(x, i, compute.Row(w, i))
	}
}

func squaredNorm(v []float64) float64 { return floats.Dot(v, v) }

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
