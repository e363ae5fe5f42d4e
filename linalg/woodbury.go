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
// over the active columns A = {m : mu_m > 0} of a matrix C, for weights mu that change one at a time.
// By the Woodbury formula it represents an n×n inverse:
//
//	Ki = (lam·I + C·D·Cᵀ)⁻¹ = I/lam − C_A·G·C_Aᵀ/lam².
//
// The caller names columns by integers. G, Active and Mu have the order in which they became active.
// Set implements the four cases of section 3.2 of Machart, Peel, Anthoine, Ralaivola and Glotin,
// "Stochastic Low-Rank Kernel Learning for Regression" (ICML 2011), equations (22)–(27), each in
// O(m0²) for m0 active columns. It needs inner products only for a new active column.
//
// Rounding errors accumulate over the updates with the condition number of I + D^½·P_AA·D^½/lam. Drift
// measures them and Refactor removes them. Call Refactor every few hundred updates.
//
// Memory is m0² numbers, and another 2·m0² after Refactor. With a constant number of active columns it
// does not allocate. A Woodbury is not safe for concurrent use.
type Woodbury struct {
	lam     float64
	active  []int
	mu      []float64
	p, g    packed
	updates int

	column, image, root, square []float64
}

// outcome is the result of set.
type outcome uint8

const (
	unchanged outcome = iota // equation (24), or a negligible change
	changed                  // equation (25): the column remains active
	deleted                  // equation (26): the column is inactive now
	inserted                 // equation (27): the column is the last active now
)

// sameWeight is the largest relative change of a weight that Set ignores.
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

// Active returns the names of the active columns. It is a read-only view, valid until the next Set.
func (w *Woodbury) Active() []int { return w.active }

// position returns the index of an active column, or −1. O(m0).
func (w *Woodbury) position(name int) int { return slices.Index(w.active, name) }

// Updates returns the number of changes of G since the last Refactor.
func (w *Woodbury) Updates() int { return w.updates }

// Set sets the weight mu ≥ 0 of a column and updates G. For an inactive column, cross holds its inner
// products P[A, p] with the active columns and norm2 its squared norm P[p, p]. Both are ignored for an
// active column.
//
// A weight counts as zero if 1 + mu·P[p,p]/lam rounds to 1 or the column is zero. A relative change of
// at most 1e-12 is ignored, and Mu keeps the old value.
//
// O(m0²). It panics if mu is negative or not finite, and for an inactive column unless cross has
// length m0.
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

// insert is equation (27) with s⁻¹ = 1/mu + b. b = c_pᵀ·Ki·c_p is nonnegative, but rounding may make
// it negative for a column in the span of the active columns.
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

// change is equation (25). It computes the fraction Δ/(1 + Δ·g_pp), Δ = 1/mu − 1/old, as
// (old − mu)/scale with scale = old·g_pp + mu·(old − g_pp), without cancellation or division by a small
// weight. It scales column p, because an update would cancel if the weight shrinks by orders of
// magnitude.
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

// shortfall returns mu_p − g_pp ≥ 0. For a small weight, where the difference is inaccurate, it
// returns mu_p·<P[A, p], g>/lam, by row p of G·(D⁻¹ + P_AA/lam) = I.
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

// MulVecTo sets dst = G·v, for v in the order of Active. dst and v must not overlap. O(m0²). It panics
// if a length is not m0.
func (w *Woodbury) MulVecTo(dst, v []float64) {
	checkLen("dst", len(dst), len(w.active))
	checkLen("v", len(v), len(w.active))
	w.g.mulVec(dst, v)
}
