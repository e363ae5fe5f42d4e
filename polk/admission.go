package polk

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// admission is the pivoted Cholesky factorisation of the Schur complement S of q
// new points given the dictionary: of the points that are left it always takes
// the one farthest from the span of the others, and ends when the rest lie in the
// span.
type admission struct {
	l     compute.Matrix // q×q; row i holds the entries of point i, by steps
	left  []float64      // squared distance of each point from the span so far
	in    []int          // admitted points in the order of the steps
	out   []int          // points in the span of the dictionary and those
	taken []bool
	coef  []float64
	span  []float64
}

// run factorises s; a point whose squared distance is at most its limit is not
// admitted. O(q³/3).
func (a *admission) run(s compute.Matrix, limit []float64) {
	q := s.Rows
	reshape(&a.l, q, q)
	a.left, a.taken, a.in, a.out = resize(a.left, q), resize(a.taken, q), a.in[:0], a.out[:0]
	for i := range q {
		a.left[i], a.taken[i] = row(s, i)[i], false
	}
	for i := a.farthest(limit); i >= 0; i = a.farthest(limit) {
		a.step(s, i)
	}
	for i, in := range a.taken {
		if !in {
			a.out = append(a.out, i)
		}
	}
}

// farthest returns the point that exceeds its limit most, or -1.
func (a *admission) farthest(limit []float64) int {
	best, most := -1, 1.0
	for i, d := range a.left {
		if r := d / limit[i]; !a.taken[i] && r > most {
			best, most = i, r
		}
	}
	return best
}

func (a *admission) step(s compute.Matrix, pivot int) {
	p, lp := len(a.in), row(a.l, pivot)
	d := math.Sqrt(a.left[pivot])
	lp[p] = d
	a.taken[pivot] = true
	a.in = append(a.in, pivot)
	for i, done := range a.taken {
		if done {
			continue
		}
		li := row(a.l, i)
		li[p] = (row(s, i)[pivot] - floats.Dot(li[:p], lp[:p])) / d
		a.left[i] -= li[p] * li[p]
	}
}

// fold projects the points that were not admitted, with their weights, onto the
// dictionary and the admitted points, and returns the squared norm of what is
// lost, Σ_ij <w_i, w_j>·R_ij with the Schur complement R of those points. t is
// q×M, the coefficients of the projections onto the dictionary alone; w is q×C.
func (a *admission) fold(e *expansion, s, t, w compute.Matrix) (lost float64) {
	for n, i := range a.out {
		lost += a.lost(e, s, w, a.out[:n+1])
		a.project(e, t, w, i)
	}
	return max(lost, 0)
}

// lost returns the terms of Σ <w_i, w_j>·R_ij that the last point of a list
// brings in.
func (a *admission) lost(e *expansion, s, w compute.Matrix, list []int) (sum float64) {
	r := len(a.in)
	i := list[len(list)-1]
	for _, j := range list {
		rest := row(s, i)[j] - floats.Dot(row(a.l, i)[:r], row(a.l, j)[:r])
		product := rest * floats.Dot(row(w, i)[:e.outputs], row(w, j)[:e.outputs])
		if j != i {
			product *= 2
		}
		sum += product
	}
	return sum
}

// project adds the weights of point i, which was not admitted, to those of the
// admitted points and of the dictionary.
func (a *admission) project(e *expansion, t, w compute.Matrix, i int) {
	b := a.backward(i)
	a.span = append(a.span[:0], row(t, i)...)
	for c, in := range a.in {
		floats.AddScaled(a.span, -b[c], row(t, in))
		floats.AddScaled(row(w, in), b[c], row(w, i))
	}
	for j, v := range a.span {
		floats.AddScaled(e.weight(j), v, row(w, i))
	}
}

// backward solves for the coefficients of point i on the admitted points.
func (a *admission) backward(i int) []float64 {
	r := len(a.in)
	a.coef = append(a.coef[:0], row(a.l, i)[:r]...)
	for c := r - 1; c >= 0; c-- {
		lc := row(a.l, a.in[c])
		a.coef[c] /= lc[c]
		floats.AddScaled(a.coef[:c], -a.coef[c], lc[:c])
	}
	return a.coef
}
