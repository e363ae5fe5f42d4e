package linalg

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// After RankOne the factor and the diagonal of the inverse belong to A + x·xᵀ. If
// x is along one point, its diagonal element falls by many orders of magnitude.
func TestCholeskyRankOne(t *testing.T) {
	for _, n := range sizes {
		r := newRand(uint64(n))
		for _, size := range []float64{1e-3, 1} {
			along, across := make([]float64, n), make([]float64, n)
			along[n/2] = size
			for i := range across {
				across[i] = size * r.NormFloat64()
			}
			checkRankOne(t, n, along)
			checkRankOne(t, n, across)
		}
	}
}

func checkRankOne(t *testing.T, n int, x []float64) {
	t.Helper()
	c, points := newStream(t, n, 1e-6)
	a, outer := gram(points, 1e-6), new(mat.Dense)
	outer.Outer(1, mat.NewVecDense(n, x), mat.NewVecDense(n, x))
	a.Add(a, outer)
	c.RankOne(slices.Clone(x))
	checkFactor(t, c, a)
	if e := relativeError(c.InverseDiag(), inverseDiag(t, a)); e > 1e-8 {
		t.Errorf("n = %d: diagonal of the inverse off by %.3g", n, e)
	}
}

// A factor after Reset behaves like a new factor.
func TestCholeskyReset(t *testing.T) {
	fresh, points := newStream(t, 30, 1e-6)
	c := cloneOf(fresh)
	c.Reset()
	if c.Len() != 0 || len(c.InverseDiag()) != 0 {
		t.Fatalf("%d points and the inverse diagonal %v are left", c.Len(), c.InverseDiag())
	}
	for i, x := range points {
		c.Append(kernelRow(x, points[:i]), 1, 0)
	}
	_, rows, diag := c.State()
	_, rows0, diag0 := fresh.State()
	if !slices.Equal(rows, rows0) || !slices.Equal(diag, diag0) {
		t.Error("a factor that was reset and filled again differs from a new one")
	}
}
