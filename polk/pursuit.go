package polk

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
)

// pursuit is destructive kernel orthogonal matching pursuit with pre-fitting (Algorithm 1 of the
// paper). It adds points to a dictionary, then repeatedly removes the point with the least cost
// after all other weights are refitted.
//
// For the inverse G of the Gram matrix, removing point j costs ‖w_j‖²/G_jj in the squared norm
// and changes the weights by −G_j·w_j/G_jj. The projections are onto nested subspaces, so the
// costs add up to the squared distance from the initial function.
//
// New points enter the factor at the end. With T = K(X, D)·G_DD and the Schur complement S =
// K(X, X) − T·K(D, X), the inverse over all points is
//
//	G = [ G_DD + Tᵀ·S⁻¹·T   −Tᵀ·S⁻¹ ]
//	    [     −S⁻¹·T            S⁻¹ ]
//
// so removing a new point costs O(q·M) instead of O(M²), and K(X, D)·L⁻ᵀ and the factor of S
// give the rows of the factor of the points that remain.
type pursuit struct {
	*dictionary
	pivoted pivotedCholesky
	schur   *linalg.Cholesky // of the remaining new points

	k, v, t compute.Matrix // q×M, K(X, D), K(X, D)·L⁻ᵀ and T
	kk      compute.Matrix // q×q, K(X, X)
	s       compute.Matrix // q×q, S
	alive   []int          // rows of t of the remaining new points, as in schur
	columns []int          // columns of k of the remaining points of the dictionary
	diag    []float64      // G_jj of the points of the dictionary

	limit, entry, solved, g, column, gone []float64
	rows, reduced, crossAlive, gramAlive  compute.Matrix
}

// change is the result of extend.
type change struct {
	norm   float64 // of the added function
	added  int     // admitted points
	folded int     // points in the span of the other points
	pruned int     // removed points, new or old
	forced int     // removed points above the limit
	spent  float64 // squared distance from the unprojected function
}

func newPursuit(e *dictionary) *pursuit {
	p := &pursuit{dictionary: e, schur: linalg.NewCholesky(0)}
	p.schur.TrackInverseDiag()
	return p
}

// prepare stores K(X, D) of the new points, also for the metric. O(q·M²).
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
	p.factor.ForwardRows(compute.Dense(p.v), workers)
	copy(compute.Reshape(&p.t, p.k.Rows, p.order()).Data, p.v.Data)
	p.factor.BackwardRows(compute.Dense(p.t), workers)
}

// extend adds Σ_i k(x_i, ·)·w_i to the function and prunes it to within the squared distance
// budget and to at most limit points. It overwrites w. It requires K(X, X) in kk, and prepare.
// O(q·M² + q²·M + q³), and O(M²) per removed point of the dictionary.
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

// compress prunes without new points.
func (p *pursuit) compress(budget float64, c *change) {
	compute.Reshape(&p.v, 0, p.order())
	compute.Reshape(&p.t, 0, p.order())
	p.pivoted.pivots = p.pivoted.pivots[:0]
	p.begin()
	p.diagonal()
	p.prune(compute.Matrix{}, budget, math.MaxInt, c)
}

// norm returns the norm of the function to add.
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

// limits returns the largest squared distances of folded new points.
func (p *pursuit) limits() []float64 {
	p.limit = compute.Resize(p.limit, p.kk.Rows)
	least := p.factor.Jitter() * (relativeAdmission / relativeJitter)
	for i := range p.limit {
		p.limit[i] = max(least, relativeAdmission*compute.Row(p.kk, i)[i])
	}
	return p.limit
}

// begin starts the pruning with the admitted points, in order of admission.
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

// insert moves the remaining new points to the dictionary.
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
	p.factor.AppendFactor(compute.Dense(p.rows), p.schur, p.diag)
	for _, i := range p.alive {
		p.append(x, i, compute.Row(w, i))
	}
}

func squaredNorm(v []float64) float64 { return floats.Dot(v, v) }

// diagonal computes G_jj of the dictionary: diag(G_DD) + diag(RᵀR) for R = L_S⁻¹·T and the
// factor L_S of S.
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

// prune removes points while the budget permits it or there are too many.
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

// cheapest returns the point with the least cost of removal, and this cost. Indices of new
// points follow the dictionary.
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

// removeNew removes the n-th remaining new point.
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

// removeOld removes point j of the dictionary. The span shrinks: S grows by t·tᵀ/g_j, where t is
// column j of T and g of G_DD, and T decreases by t·gᵀ/g_j.
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

// deleteOld removes point j from the factors, and sets g to its column of G_DD.
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

// fewPoints is the number of points below which a deletion is faster than starting a goroutine.
const fewPoints = 200

// shrinkSpan updates S, V and T after removal of point j; entry holds its column of T.
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

// project updates the weights and the diagonal after removal of a point with weights gone and
// diagonal entry own; column holds its column of G. It recomputes entries that cancel.
func (p *pursuit) project(own float64) {
	const cancelled = 1.0 / 16
	for j, g := range p.column {
		floats.AddScaled(p.weight(j), -g/own, p.gone)
		old := p.diag[j]
		p.diag[j] -= g * g / own
		if !(p.diag[j] > cancelled*old) {
			p.diag[j] = p.recomputed(j)
		}
	}
}

// recomputed returns G_jj of a point of the dictionary from the factors.
func (p *pursuit) recomputed(j int) float64 {
	p.entry = compute.Resize(p.entry, len(p.alive))
	for m, i := range p.alive {
		p.entry[m] = compute.Row(p.t, i)[j]
	}
	p.schur.ForwardRows(compute.Dense(compute.RowOf(p.entry)), 1)
	return p.factor.InverseDiag()[j] + squaredNorm(p.entry)
}
