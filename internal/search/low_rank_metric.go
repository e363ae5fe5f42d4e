package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// lowRank returns the metric of the leading directions of the gradients at a candidate. The
// learner must hold its solution. If the candidate has a matrix already, the directions are
// within its row space.
func (m *metricSearch) lowRank(at candidate) linear {
	before, family, weights := m.problem.scales[at.scale], m.problem.families[at.family], m.problem.weights.Between(0, m.training.n)
	u := m.inBandwidths(at, m.training.n)
	l := linear{columns: before.columns, divide: before.divide, learned: true}
	if before.matrix.Rows == 0 {
		l.matrix = newGradientField(u, m.trainingScorer.left.py, weights, family, m.workers).leading(m.rank, m.problem.seed)
		return l
	}
	l.matrix = rootAfter(outerProducts(u, m.trainingScorer.left.py, weights, family, m.workers), before.matrix, m.rank)
	return l
}

// rootAfter returns N with NᵀN = √(LᵀGL) for G, k×k, of rows mapped by L, k×d. With A = √G·L
// and A·Aᵀ = U·S²·Uᵀ, N is S^(−1/2)·Uᵀ·A.
func rootAfter(g, l compute.Matrix, rank int) compute.Matrix {
	values, vectors := eigen(g)
	if len(values) == 0 || !(values[0] > 0) {
		return compute.Matrix{}
	}
	for i, v := range values {
		floats.Scale(math.Sqrt(max(v/values[0], 0)), compute.Row(vectors, i))
	}
	a := compute.NewMatrix(l.Rows, l.Cols)
	compute.MulNN(a, vectors, l, 1)
	square := compute.NewMatrix(l.Rows, l.Rows)
	compute.MulNT(square, a, a, 1)
	// The rows of Uᵀ·A have the lengths S.
	roots, directions := eigen(square)
	if len(roots) == 0 || !(roots[0] > 0) {
		return compute.Matrix{}
	}
	kept := 0
	for kept < min(rank, len(roots)) && roots[kept] > leastShare*roots[0] {
		floats.Scale(1/math.Sqrt(math.Sqrt(roots[kept]*roots[0])), compute.Row(directions, kept))
		kept++
	}
	n := compute.NewMatrix(kept, l.Cols)
	compute.MulNN(n, compute.Rows(directions, 0, kept), a, 1)
	return n
}
