package testutil

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// products are the results of the four operations with rows x and z and weights w. The diagonal is
// a row.
type products [4]compute.Matrix

var operations = [4]string{"Gram", "Cross", "Diag", "Mul"}

// evaluate calls an Evaluator with matrices that have gaps between their rows.
func (c kernelCheck) evaluate(t testing.TB, workers int, x, z, w compute.Matrix) products {
	t.Helper()
	e := gram.Evaluator{Kernel: c.k, Workers: workers}
	p := products{gapped(x.Rows, x.Rows), gapped(x.Rows, z.Rows), gapped(1, x.Rows), gapped(x.Rows, w.Cols)}
	e.Gram(p[0], x)
	e.Cross(p[1], x, z)
	e.Diag(row(p[2], 0), x)
	e.Mul(p[3], x, z, w)
	for o, m := range p {
		for i, v := range m.Data {
			if i%m.Stride >= m.Cols && v != gap {
				t.Fatalf("%s wrote beyond the columns of row %d", operations[o], i/m.Stride)
			}
		}
	}
	return p
}

// public calls the functions of package kernel.
func (c kernelCheck) public(t testing.TB, x, z, w mat.Matrix) products {
	t.Helper()
	var gram mat.SymDense
	var cross, mul mat.Dense
	var diag mat.VecDense
	for _, err := range []error{
		kernel.Gram(&gram, c.k, x), kernel.Cross(&cross, c.k, x, z), kernel.Diag(&diag, c.k, x), kernel.Mul(&mul, c.k, x, z, w),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return products{mat.DenseCopyOf(&gram).RawMatrix(), cross.RawMatrix(), mat.DenseCopyOf(diag.T()).RawMatrix(), mul.RawMatrix()}
}

// byEval computes the products from values of Eval, and bounds on the rounding errors of other
// methods.
func (c kernelCheck) byEval(x, z, w compute.Matrix) (want, tolerance products) {
	want[0], tolerance[0] = c.values(x, x)
	want[1], tolerance[1] = c.values(x, z)
	want[2], tolerance[2] = gapped(1, x.Rows), gapped(1, x.Rows)
	want[3], tolerance[3] = gapped(x.Rows, w.Cols), gapped(x.Rows, w.Cols)
	for i := range x.Rows {
		row(want[2], 0)[i], row(tolerance[2], 0)[i] = row(want[0], i)[i], row(tolerance[0], i)[i]
		for j := range w.Cols {
			sum, rounding := 0.0, 0.0
			for l, k := range row(want[1], i) {
				v := row(w, l)[j]
				sum += k * v
				rounding += math.Abs(v) * (row(tolerance[1], i)[l] + 4*eps*math.Abs(k))
			}
			row(want[3], i)[j], row(tolerance[3], i)[j] = sum, rounding
		}
	}
	return want, tolerance
}

func (c kernelCheck) agreesWithEval(t testing.TB, got products, x, z, w compute.Matrix) {
	t.Helper()
	want, tolerance := c.byEval(x, z, w)
	for o, m := range got {
		for i := range m.Rows {
			for j, v := range row(m, i) {
				if d := v - row(want[o], i)[j]; !(math.Abs(d) <= row(tolerance[o], i)[j]) {
					t.Fatalf("%s of %d and %d rows: entry %d,%d is %v, by Eval %v: difference %g, tolerance %g",
						operations[o], x.Rows, z.Rows, i, j, v, row(want[o], i)[j], d, row(tolerance[o], i)[j])
				}
			}
		}
	}
}

func (p products) sameBits(t testing.TB, method string, other products) {
	t.Helper()
	for o := range p {
		if !sameBits(p[o], other[o]) {
			t.Fatalf("%s with %s has other bits than Evaluator.%s with one worker", operations[o], method, operations[o])
		}
	}
}

// operations compares an Evaluator with Eval, with itself for several workers, and with the public
// functions. Some rows are equal, at distance 0.
func (c kernelCheck) operations(t testing.TB) {
	for _, n := range [][3]int{{1, 1, 1}, {2, 1, 2}, {1, 7, 1}, {7, 1, 2}, {131, 5, 3}, {3, 517, 3}, {9, 4, 70}, {141, 40, 2}} {
		x, z, w := c.points(n[0]), c.points(n[1]), c.weights(n[1], n[2])
		copy(row(x, x.Rows-1), row(x, 0))
		copy(row(z, z.Rows-1), row(x, 0))
		got := c.evaluate(t, 1, x, z, w)
		c.agreesWithEval(t, got, x, z, w)
		for i := range x.Rows {
			for j := range i {
				if row(got[0], i)[j] != row(got[0], j)[i] {
					t.Fatalf("Gram of %d rows: entries %d,%d and %d,%d differ", x.Rows, i, j, j, i)
				}
			}
		}
		for _, workers := range []int{2, 8} {
			got.sameBits(t, fmt.Sprintf("%d workers", workers), c.evaluate(t, workers, x, z, w))
		}
		got.sameBits(t, "package kernel", c.public(t, dense(x), dense(z), dense(w)))
	}
}

// Sparse returns the nonzero elements of m.
func Sparse(m mat.Matrix) *rkhs.Sparse {
	rows := compute.DensePoints(mat.DenseCopyOf(m).RawMatrix())
	return door.Matrix(compute.SparsePoints(rows.Thin())).(*rkhs.Sparse)
}

// sparsePoints returns points with half of the coordinates zero, where the domain of the kernel
// has such points.
func (c kernelCheck) sparsePoints(n int) compute.Matrix {
	x := compute.Clone(c.points(n))
	for i := range x.Rows {
		before := slices.Clone(row(x, i))
		for j := range x.Cols {
			if c.r.IntN(2) == 0 {
				row(x, i)[j] = 0
			}
		}
		if gram.Check(c.k, compute.DensePoints(compute.Rows(x, i, i+1))) != nil {
			copy(row(x, i), before)
		}
	}
	return x
}

// sparse compares the operations on sparse rows with Eval. One of the two sides may be dense.
func (c kernelCheck) sparse(t testing.TB) {
	for _, n := range [][2]int{{1, 1}, {140, 5}, {3, 517}} {
		x, z, w := c.sparsePoints(n[0]), c.sparsePoints(n[1]), c.weights(n[1], 2)
		copy(row(z, z.Rows-1), row(x, 0))
		sparseX, sparseZ := Sparse(dense(x)), Sparse(dense(z))
		for _, pair := range [][2]mat.Matrix{{sparseX, sparseZ}, {sparseX, dense(z)}, {dense(x), sparseZ}} {
			c.agreesWithEval(t, c.public(t, pair[0], pair[1], dense(w)), x, z, w)
		}
		got := c.public(t, sparseX, sparseZ, dense(w))
		for i, v := range row(got[2], 0) {
			if g := row(got[0], i)[i]; g != v {
				t.Fatalf("sparse row %d: Gram has %v on the diagonal, Diag gives %v", i, g, v)
			}
		}
	}
}

// batches compares Cross and Mul of all rows with the same of a part.
func (c kernelCheck) batches(t testing.TB) {
	x, z, w := c.points(140), c.points(60), c.weights(60, 1)
	all := c.evaluate(t, 0, x, z, w)
	for _, b := range [][2]int{{0, 1}, {1, 2}, {2, 77}, {139, 140}} {
		part := c.evaluate(t, 0, compute.Rows(x, b[0], b[1]), z, w)
		for _, o := range []int{1, 3} {
			if !sameBits(part[o], compute.Rows(all[o], b[0], b[1])) {
				t.Fatalf("%s: rows %v have other bits without the rest", operations[o], b)
			}
		}
	}
}

func (c kernelCheck) symmetry(t testing.TB) {
	x := c.points(20)
	roots := c.roots(x)
	for i := range x.Rows {
		for j := range i {
			xi, xj := row(x, i), row(x, j)
			if a, b := c.k.Eval(xi, xj), c.k.Eval(xj, xi); !(math.Abs(a-b) <= 1e-14*roots[i]*roots[j]) {
				t.Fatalf("k(x, z) = %v, k(z, x) = %v", a, b)
			}
		}
	}
}

// semidefinite allows for the rounding error of each entry.
func (c kernelCheck) semidefinite(t testing.TB) {
	const n = 40
	x, g := c.points(n), compute.Matrix{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	copy(row(x, n-1), row(x, 0))
	gram.Evaluator{Kernel: c.k}.Gram(g, x)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, g.Data), false) {
		t.Fatal("the eigenvalues of the Gram matrix were not found")
	}
	v := e.Values(nil)
	_, tolerance := c.values(x, x)
	if tol := n * (eps*v[n-1] + mat.Max(dense(tolerance))); v[0] < -tol {
		t.Fatalf("smallest eigenvalue %g, largest %g: not positive semidefinite within %g", v[0], v[n-1], tol)
	}
}
