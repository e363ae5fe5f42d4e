package polk

import (
	"math"

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
