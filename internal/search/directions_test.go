package search

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// rootOf returns the square root of a symmetric matrix truncated to a rank and scaled to
// largest eigenvalue 1.
func rootOf(g *mat.SymDense, rank int) *mat.Dense {
	d := g.SymmetricDim()
	var e mat.EigenSym
	e.Factorize(g, true)
	var v mat.Dense
	e.VectorsTo(&v)
	root := mat.NewDense(d, d, nil)
	values := e.Values(nil)
	for k := d - rank; k < d; k++ {
		column := v.ColView(k)
		var outer mat.Dense
		outer.Outer(math.Sqrt(math.Max(values[k]/values[d-1], 0)), column, column)
		root.Add(root, &outer)
	}
	return root
}

// distance returns the distance between LᵀL and a matrix, relative to the norm of the matrix.
func distance(l compute.Matrix, want *mat.Dense) float64 {
	dense := mat.NewDense(l.Rows, l.Cols, compute.Clone(l).Data)
	var m mat.Dense
	m.Mul(dense.T(), dense)
	m.Sub(&m, want)
	return mat.Norm(&m, 2) / mat.Norm(want, 2)
}

// TestLeadingDirections compares subspace iteration with the eigenvectors of the explicit mean
// outer product. For few columns they must agree to rounding, for all families and with
// weights; for many columns to the accuracy that the residual eigenvalues permit.
func TestLeadingDirections(t *testing.T) {
	for _, c := range []struct {
		d, rank int
		within  float64
	}{{7, 7, 1e-10}, {7, 3, 1e-10}, {60, 4, 1e-2}} {
		for _, f := range []Family{GaussianFamily, Matern32Family, Matern12Family} {
			s := rng.New(4, "directions", 0)
			u, a := normals(80, c.d, "rows"), normals(80, 2, "weights")
			weights := make(compute.Weights, 80)
			for i := range 80 {
				weights[i] = 0.5 + s.Float64()
				for j := range c.d {
					u.Data[i*c.d+j] *= 2 / float64(1+j)
				}
			}
			g := outerProducts(u, a, weights, f, 1)
			want := rootOf(mat.NewSymDense(c.d, g.Data), c.rank)
			l := newGradientField(u, a, weights, f, 2).leading(c.rank, 1)
			if e := distance(l, want); l.Rows != c.rank || !(e < c.within) {
				t.Errorf("%d of %d directions, family %d: %d found, the metric is off by %.2g", c.rank, c.d, f, l.Rows, e)
			}
		}
	}
}

// TestRootAfter compares the metric after a low-rank metric with its formula in all columns.
func TestRootAfter(t *testing.T) {
	half, l := normals(9, 4, "half"), normals(4, 11, "map")
	g := compute.NewMatrix(4, 4)
	compute.AddGram(g, half, 1)
	compute.Mirror(g)
	dense := mat.NewDense(4, 11, compute.Clone(l).Data)
	var right, all mat.Dense
	right.Mul(mat.NewDense(4, 4, compute.Clone(g).Data), dense)
	all.Mul(dense.T(), &right)
	sym := mat.NewSymDense(11, nil)
	for i := range 11 {
		for j := i; j < 11; j++ {
			sym.SetSym(i, j, all.At(i, j))
		}
	}
	for _, rank := range []int{4, 2} {
		if n := rootAfter(g, l, rank); n.Rows != rank || !(distance(n, rootOf(sym, rank)) < 1e-10) {
			t.Errorf("rank %d: %d rows, off by %.2g", rank, n.Rows, distance(n, rootOf(sym, rank)))
		}
	}
}
