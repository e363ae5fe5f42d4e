package linalg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Woodbury is the inverse
//
//	G = (D⁻¹ + P_AA/lam)⁻¹,   D = diag(mu_A),   P = CᵀC,
//
// over the active columns A = {m : mu_m > 0} of a matrix C, while the weights mu
// change one at a time. By the Woodbury formula it stands for an n×n inverse:
//
//	Ki = (lam·I + C·D·Cᵀ)⁻¹ = I/lam − C_A·G·C_Aᵀ/lam².
//
// Columns are named by any integers that the caller chooses; G, Active and Mu
// hold them in the order in which they entered. Set takes a column through the
// four cases of section 3.2 of Machart, Peel, Anthoine, Ralaivola and Glotin,
// "Stochastic Low-Rank Kernel Learning for Regression" (ICML 2011), equations
// (22)–(27), each in O(m0²) for m0 active columns. Inner products of columns are
// needed only when one enters, so it is all the same whether P is stored or only
// the active columns of C.
//
// Rounding errors accumulate over the updates, the more the worse the condition
// of I + D^½·P_AA·D^½/lam: Drift measures them, Refactor removes them. Call
// Refactor every few hundred updates.
//
// Memory is m0² numbers, and twice that more once Refactor was called. In the
// steady state nothing is allocated. A Woodbury must not be used by several
// goroutines at a time.
type Woodbury struct {
	lam     float64
	active  []int
	mu      []float64
	p, g    packed
	updates int

	column, image, root, square []float64
}

// outcome says what set did.
type outcome uint8

const (
	unchanged outcome = iota // equation (24), or a change too small to matter
	changed                  // equation (25): the column stays active
	deleted                  // equation (26): the column left
	inserted                 // equation (27): the column entered, as the last
)

// sameWeight is the relative change of a weight below which Set does nothing.
const sameWeight = 1e-12

// NewWoodbury returns the inverse for no active columns. It panics unless lam is
// positive and finite.
func NewWoodbury(lam float64) *Woodbury {
	if !(lam > 0) || math.IsInf(lam, 1) {
		panic(fmt.Sprintf("linalg: lam is %v, want a finite number > 0", lam))
	}
	return &Woodbury{lam: lam}
}

// Len returns the number m0 of active columns.
func (w *Woodbury) Len() int { return len(w.active) }

// Active returns the names of the active columns. It is a view, to be read only
// and until the next Set.
func (w *Woodbury) Active() []int { return w.active }

// position returns the place of a column among the active ones, −1 if it is not
// active. O(m0).
func (w *Woodbury) position(name int) int { return slices.Index(w.active, name) }

// Updates returns how many times Set has changed G since the last Refactor.
func (w *Woodbury) Updates() int { return w.updates }

// Set gives a column the weight mu ≥ 0 and updates G. For a column that is not
// active, cross holds its inner products P[A, p] with the active ones in their
// order and norm2 its own, P[p, p]; for an active one both are ignored.
//
// A weight so small that 1 + mu·P[p,p]/lam rounds to 1 counts as zero, since
// nothing of Ki would be left of it; so does any weight of a zero column. A
// relative change of at most 1e-12 is not carried out, and Mu keeps the old
// value.
//
// O(m0²). It panics if mu is negative or not finite, or if an inactive column
// comes with a cross of length other than m0.
func (w *Woodbury) Set(name int, mu float64, cross []float64, norm2 float64) {
	w.set(name, mu, cross, norm2)
}

func (w *Woodbury) set(name int, mu float64, cross []float64, norm2 float64) outcome {
	if !(mu >= 0) || math.IsInf(mu, 1) {
		panic(fmt.Sprintf("linalg: weight of column %d is %v, want a finite number ≥ 0", name, mu))
	}
	at := w.position(name)
	if at < 0 {
		checkLen("cross", len(cross), len(w.active))
		if w.vanishes(mu, norm2) {
			return unchanged
		}
		w.insert(name, mu, cross, norm2)
		return inserted
	}
	switch {
	case w.vanishes(mu, w.p.row(at)[at]):
		w.delete(at)
		return deleted
	case math.Abs(mu-w.mu[at]) <= sameWeight*w.mu[at]:
		return unchanged
	default:
		w.change(at, mu)
		return changed
	}
}

func (w *Woodbury) vanishes(mu, norm2 float64) bool { return 1+mu*norm2/w.lam == 1 }

// insert is equation (27). There s⁻¹ = 1/mu + b with b = c_pᵀ·Ki·c_p, which is
// not negative but may be rounded to be, for a column that the others span.
func (w *Woodbury) insert(name int, mu float64, cross []float64, norm2 float64) {
	m := len(w.active)
	u := resize(&w.column, m)
	w.g.mulVec(u, cross)
	floats.Scale(1/w.lam, u)
	b := max(0, (norm2-floats.Dot(u, cross))/w.lam)
	s := mu / (1 + mu*b)
	w.g.addOuter(s, u)
	row := w.g.push()
	floats.ScaleTo(row[:m], -s, u)
	row[m] = s
	row = w.p.push()
	copy(row, cross)
	row[m] = norm2
	w.active = append(w.active, name)
	w.mu = append(w.mu, mu)
	w.updates++
}

// change is equation (25) with the fraction Δ/(1 + Δ·g_pp), Δ = 1/mu − 1/old,
// written as (old − mu)/scale, scale = old·g_pp + mu·(old − g_pp), in which nothing
// cancels and nothing is divided by a small weight. Column p itself is scaled
// rather than updated: the difference would cancel when the weight shrinks by
// orders of magnitude.
func (w *Woodbury) change(at int, mu float64) {
	old, g := w.mu[at], resize(&w.column, len(w.active))
	w.g.column(g, at)
	scale := old*g[at] + mu*w.shortfall(at, g)
	w.g.addOuter(-(old-mu)/scale, g)
	floats.Scale(mu*old/scale, g)
	w.g.setColumn(at, g)
	w.mu[at] = mu
	w.updates++
}

// shortfall returns mu_p − g_pp ≥ 0. For a small weight that difference is all
// rounding; there it comes from row p of G·(D⁻¹ + P_AA/lam) = I, as
// mu_p·<P[A, p], g>/lam.
func (w *Woodbury) shortfall(at int, g []float64) float64 {
	p := resize(&w.image, len(g))
	w.p.column(p, at)
	var sum, size float64
	for i, x := range g {
		sum += p[i] * x
		size += math.Abs(p[i] * x)
	}
	if size < w.lam {
		return max(0, w.mu[at]*sum/w.lam)
	}
	return max(0, w.mu[at]-g[at])
}

// delete is equation (26).
func (w *Woodbury) delete(at int) {
	g := resize(&w.column, len(w.active))
	w.g.column(g, at)
	w.g.addOuter(-1/g[at], g)
	w.g.remove(at)
	w.p.remove(at)
	w.active = slices.Delete(w.active, at, at+1)
	w.mu = slices.Delete(w.mu, at, at+1)
	w.updates++
}

// MulVecTo sets dst = G·v, for v in the order of Active. O(m0²). It panics if a
// length is not m0; dst and v must not overlap.
func (w *Woodbury) MulVecTo(dst, v []float64) {
	checkLen("dst", len(dst), len(w.active))
	checkLen("v", len(v), len(w.active))
	w.g.mulVec(dst, v)
}
