package polk

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
)

// komp is destructive kernel orthogonal matching pursuit with pre-fitting
// (Algorithm 1 of the paper): it adds new points to an expansion and then takes
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
// so that a new point that goes again costs O(q·M), not O(M²).
type komp struct {
	*expansion
	adm   admission
	schur *linalg.Cholesky // of the new points that are left

	k, t    compute.Matrix // q×M, K(X, D) and T
	kk      compute.Matrix // q×q, K(X, X)
	s       compute.Matrix // q×q, S
	alive   []int          // rows of t of the new points that are left, as in schur
	columns []int          // columns of k of the points of the dictionary that are left
	diag    []float64      // G_jj of the points of the dictionary

	limit, entry, solved, g, column, gone []float64
	reduced, crossAlive, gramAlive        compute.Matrix
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

func newKomp(e *expansion) *komp {
	p := &komp{expansion: e, schur: linalg.NewCholesky(0)}
	p.schur.TrackInverseDiag()
	return p
}

// extend adds Σ_i k(x_i, ·)·w_i to the function, where k = K(X, D), and prunes it
// to within the squared distance budget and to at most limit points. It
// overwrites w. The kernel values K(X, X) are in kk already. O(q·M² + q²·M + q³),
// and O(M²) for each point of the dictionary that goes.
func (p *komp) extend(x, k, w compute.Matrix, budget float64, limit int) (c change) {
	p.k = k
	c.norm = p.norm(w)
	p.complement(x.Rows)
	p.adm.run(p.s, p.limits())
	c.added, c.folded = len(p.adm.in), len(p.adm.out)
	p.factor.BackwardRows(p.t, p.eval.Workers)
	c.spent = p.adm.fold(p.expansion, p.s, p.t, w)
	p.begin()
	if budget > 0 || p.order()+len(p.alive) > limit {
		p.diagonal()
		p.prune(w, budget, limit, &c)
	}
	p.insert(x, w)
	return c
}

// compress prunes without adding anything.
func (p *komp) compress(budget float64, c *change) {
	reshape(&p.t, 0, p.order())
	p.adm.in = p.adm.in[:0]
	p.begin()
	p.diagonal()
	p.prune(compute.Matrix{}, budget, math.MaxInt, c)
}

// norm returns the norm of the function that is added.
func (p *komp) norm(w compute.Matrix) float64 {
	sum := 0.0
	for i := range w.Rows {
		for j := range i + 1 {
			v := row(p.kk, i)[j] * floats.Dot(row(w, i)[:p.outputs], row(w, j)[:p.outputs])
			if j < i {
				v *= 2
			}
			sum += v
		}
	}
	return math.Sqrt(max(sum, 0))
}

// complement sets s = S, and t = K(X, D)·L⁻ᵀ on the way to T.
func (p *komp) complement(q int) {
	copy(reshape(&p.t, q, p.order()).Data, p.k.Data)
	p.factor.ForwardRows(p.t, p.eval.Workers)
	reshape(&p.s, q, q)
	if q*q*p.order() > fewProducts {
		clear(p.s.Data)
		compute.MulNT(p.s, p.t, p.t, p.eval.Workers)
	} else {
		for i := range q {
			for j := range q {
				row(p.s, i)[j] = floats.Dot(row(p.t, i), row(p.t, j))
			}
		}
	}
	floats.SubTo(p.s.Data, p.kk.Data, p.s.Data)
	for i := range q {
		row(p.s, i)[i] += p.factor.Jitter()
	}
}

// limits returns the squared distances up to which new points are folded.
func (p *komp) limits() []float64 {
	p.limit = resize(p.limit, p.kk.Rows)
	least := p.factor.Jitter() * (relativeAdmission / relativeJitter)
	for i := range p.limit {
		p.limit[i] = max(least, relativeAdmission*row(p.kk, i)[i])
	}
	return p.limit
}

// begin takes over the admitted points, in the order of their admission.
func (p *komp) begin() {
	p.alive = append(p.alive[:0], p.adm.in...)
	p.schur.Reset()
	for n, i := range p.alive {
		p.entry = resize(p.entry, n)
		for m, j := range p.alive[:n] {
			p.entry[m] = row(p.s, i)[j]
		}
		p.schur.Append(p.entry, row(p.s, i)[i], 0)
	}
	p.columns = resize(p.columns, p.order())
	for j := range p.columns {
		p.columns[j] = j
	}
}

func squaredNorm(v []float64) float64 { return floats.Dot(v, v) }
