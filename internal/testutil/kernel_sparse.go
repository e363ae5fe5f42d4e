package testutil

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Sparse returns what m has that is not zero.
func Sparse(m mat.Matrix) *rkhs.Sparse {
	rows := compute.DensePoints(mat.DenseCopyOf(m).RawMatrix())
	return door.Matrix(compute.SparsePoints(rows.Thin())).(*rkhs.Sparse)
}

// holed returns points of which half of the coordinates are zero, as far as the kernel is
// defined on such.
func (c kernelCheck) holed(n int) compute.Matrix {
	x := compute.Clone(c.points(n))
	for i := range x.Rows {
		one := compute.Rows(x, i, i+1)
		kept := compute.Clone(one)
		for j := range x.Cols {
			if c.r.IntN(2) == 0 {
				row(x, i)[j] = 0
			}
		}
		if gram.Check(c.k, compute.DensePoints(one)) != nil {
			compute.CopyTo(one, kept)
		}
	}
	return x
}

// sparse holds the four operations on sparse rows to Eval, with either side dense as well.
func (c kernelCheck) sparse(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {140, 5}, {3, 517}} {
		x, z := c.holed(size[0]), c.holed(size[1])
		copy(row(z, z.Rows-1), row(x, 0))
		want := c.oracle(x, z)
		w := mat.NewDense(z.Rows, 2, nil)
		for j := range z.Rows {
			w.Set(j, j%2, c.r.NormFloat64())
		}
		for _, pair := range [][2]mat.Matrix{{Sparse(dense(x)), Sparse(dense(z))}, {Sparse(dense(x)), dense(z)}, {dense(x), Sparse(dense(z))}} {
			var k, kw mat.Dense
			if err := kernel.Cross(&k, c.k, pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
			want.same(t, k.RawMatrix())
			if err := kernel.Mul(&kw, c.k, pair[0], pair[1], w); err != nil {
				t.Fatal(err)
			}
			want.sameProduct(t, kw.RawMatrix(), w.RawMatrix())
		}
		var gram mat.SymDense
		var diagonal mat.VecDense
		if err := kernel.Gram(&gram, c.k, Sparse(dense(x))); err != nil {
			t.Fatal(err)
		}
		if err := kernel.Diag(&diagonal, c.k, Sparse(dense(x))); err != nil {
			t.Fatal(err)
		}
		c.oracle(x, x).same(t, mat.DenseCopyOf(&gram).RawMatrix())
		for i := range x.Rows {
			if gram.At(i, i) != diagonal.AtVec(i) {
				t.Fatalf("row %d: %v on the diagonal, Diag gives %v", i, gram.At(i, i), diagonal.AtVec(i))
			}
		}
	}
}
