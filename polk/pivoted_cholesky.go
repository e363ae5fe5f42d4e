package polk

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// pivotedCholesky is the pivoted Cholesky factorisation of the Schur complement S of q new
// points given the dictionary. Each pivot is the point farthest from the span of the dictionary
// and the earlier pivots. It ends when all other points are in the span.
type pivotedCholesky struct {
	l        compute.Matrix // q×q; row i holds the entries of point i, by steps
	distance []float64      // squared distance of each point from the span so far
	pivots   []int          // admitted points in order
	rest     []int          // points in the span of the dictionary and the pivots
	used     []bool
	coef     []float64
	span     []float64
}

// run factorises s, without points of at most their limit of squared distance. O(q³/3).
func (a *pivotedCholesky) run(s compute.Matrix, limit []float64) {
	q := s.Rows
	compute.Reshape(&a.l, q, q)
	a.distance, a.used, a.pivots, a.rest = compute.Resize(a.distance, q), compute.Resize(a.used, q), a.pivots[:0], a.rest[:0]
	for i := range q {
		a.distance[i], a.used[i] = compute.Row(s, i)[i], false
	}
	for i := a.farthest(limit); i >= 0; i = a.farthest(limit) {
		a.step(s, i)
	}
	for i, in := range a.used {
		if !in {
			a.rest = append(a.rest, i)
		}
	}
}

// farthest returns the point with the largest ratio of squared distance to limit, or −1 if no
// ratio exceeds 1.
func (a *pivotedCholesky) farthest(limit []float64) int {
	best, most := -1, 1.0
	for i, d := range a.distance {
		if r := d / limit[i]; !a.used[i] && r > most {
			best, most = i, r
		}
	}
	return best
}

func (a *pivotedCholesky) step(s compute.Matrix, pivot int) {
	p, lp := len(a.pivots), compute.Row(a.l, pivot)
	d := math.Sqrt(a.distance[pivot])
	lp[p] = d
	a.used[pivot] = true
	a.pivots = append(a.pivots, pivot)
	for i, done := range a.used {
		if done {
			continue
		}
		li := compute.Row(a.l, i)
		li[p] = (compute.Row(s, i)[pivot] - floats.Dot(li[:p], lp[:p])) / d
		a.distance[i] -= li[p] * li[p]
	}
}

// fold projects the other points, with weights w (q×C), onto the dictionary and the pivots. t is
// q×M, the coefficients of the projection onto only the dictionary. It returns the squared norm
// of the residual, Σ_ij <w_i, w_j>·R_ij, for the Schur complement R of these points.
func (a *pivotedCholesky) fold(e *dictionary, s, t, w compute.Matrix) (norm float64) {
	for n, i := range a.rest {
		norm += a.residualTerms(e, s, w, a.rest[:n+1])
		a.project(e, t, w, i)
	}
	return max(norm, 0)
}

// residualTerms returns the terms of Σ <w_i, w_j>·R_ij that involve the last point of a list.
func (a *pivotedCholesky) residualTerms(e *dictionary, s, w compute.Matrix, list []int) (sum float64) {
	r := len(a.pivots)
	i := list[len(list)-1]
	for _, j := range list {
		residual := compute.Row(s, i)[j] - floats.Dot(compute.Row(a.l, i)[:r], compute.Row(a.l, j)[:r])
		product := residual * floats.Dot(compute.Row(w, i)[:e.outputs], compute.Row(w, j)[:e.outputs])
		if j != i {
			product *= 2
		}
		sum += product
	}
	return sum
}

// project adds the weights of point i to the weights of the pivots and the dictionary.
func (a *pivotedCholesky) project(e *dictionary, t, w compute.Matrix, i int) {
	b := a.backward(i)
	a.span = append(a.span[:0], compute.Row(t, i)...)
	for c, in := range a.pivots {
		floats.AddScaled(a.span, -b[c], compute.Row(t, in))
		floats.AddScaled(compute.Row(w, in), b[c], compute.Row(w, i))
	}
	for j, v := range a.span {
		floats.AddScaled(e.weight(j), v, compute.Row(w, i))
	}
}

// backward solves for the coefficients of point i on the pivots.
func (a *pivotedCholesky) backward(i int) []float64 {
	r := len(a.pivots)
	a.coef = append(a.coef[:0], compute.Row(a.l, i)[:r]...)
	for c := r - 1; c >= 0; c-- {
		lc := compute.Row(a.l, a.pivots[c])
		a.coef[c] /= lc[c]
		floats.AddScaled(a.coef[:c], -a.coef[c], lc[:c])
	}
	return a.coef
}
