package testutil

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

func (c kernelCheck) symmetry(t *testing.T) {
	x := c.points(20)
	d := c.roots(x)
	for i := range x.Rows {
		for j := range i {
			xi, xj := row(x, i), row(x, j)
			if a, b := c.k.Eval(xi, xj), c.k.Eval(xj, xi); !(math.Abs(a-b) <= 1e-14*d[i]*d[j]) {
				t.Fatalf("k(x, z) = %v, k(z, x) = %v", a, b)
			}
		}
	}
}

func (c kernelCheck) gram(t *testing.T) {
	for _, n := range []int{1, 2, 131} {
		x, g := c.points(n), gapped(n, n)
		copy(row(x, n-1), row(x, 0))
		gram.Evaluator{Kernel: c.k}.Gram(g, x)
		overrun(t, g)
		c.oracle(x, x).same(t, g)
		for i := range n {
			for j := range n {
				if row(g, i)[j] != row(g, j)[i] {
					t.Fatalf("n = %d: entries %d,%d and %d,%d differ", n, i, j, j, i)
				}
			}
		}
		c.checkedGram(t, x, g)
	}
}

// checkedGram compares the public function with the Evaluator, bit for bit.
func (c kernelCheck) checkedGram(t *testing.T, x, want blas64.General) {
	t.Helper()
	var g mat.SymDense
	if err := kernel.Gram(&g, c.k, dense(x)); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(&g, dense(want)) {
		t.Fatalf("n = %d: Gram and Evaluator.Gram differ", x.Rows)
	}
}

func (c kernelCheck) cross(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 7}, {7, 1}, {131, 5}, {3, 517}} {
		x, z := c.points(size[0]), c.points(size[1])
		copy(row(z, z.Rows-1), row(x, 0))
		dst := gapped(x.Rows, z.Rows)
		gram.Evaluator{Kernel: c.k}.Cross(dst, x, z)
		overrun(t, dst)
		c.oracle(x, z).same(t, dst)
		var checked mat.Dense
		if err := kernel.Cross(&checked, c.k, dense(x), dense(z)); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(&checked, dense(dst)) {
			t.Fatalf("%v: Cross and Evaluator.Cross differ", size)
		}
	}
}

func (c kernelCheck) diagonal(t *testing.T) {
	for _, n := range []int{1, 3, 131} {
		x, d := c.points(n), make([]float64, n)
		gram.Evaluator{Kernel: c.k}.Diag(d, x)
		for i, v := range d {
			one, got := compute.Rows(x, i, i+1), blas64.General{Rows: 1, Cols: 1, Stride: 1, Data: []float64{v}}
			c.oracle(one, one).same(t, got)
		}
		var checked mat.VecDense
		if err := kernel.Diag(&checked, c.k, dense(x)); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(&checked, mat.NewVecDense(n, d)) {
			t.Fatalf("n = %d: Diag and Evaluator.Diag differ", n)
		}
	}
}

func (c kernelCheck) product(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {3, 1, 2}, {131, 5, 3}, {3, 517, 3}, {9, 4, 70}} {
		x, z, w := c.points(size[0]), c.points(size[1]), gapped(size[1], size[2])
		for i := range w.Rows {
			for j := range w.Cols {
				row(w, i)[j] = c.r.NormFloat64()
			}
		}
		dst := gapped(x.Rows, w.Cols)
		gram.Evaluator{Kernel: c.k}.Mul(dst, x, z, w)
		overrun(t, dst)
		c.oracle(x, z).sameProduct(t, dst, w)
		var checked mat.Dense
		if err := kernel.Mul(&checked, c.k, dense(x), dense(z), dense(w)); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(&checked, dense(dst)) {
			t.Fatalf("%v: Mul and Evaluator.Mul differ", size)
		}
	}
}

// semidefinite allows for the rounding of each entry.
func (c kernelCheck) semidefinite(t *testing.T) {
	const n = 40
	x, g := c.points(n), blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	copy(row(x, n-1), row(x, 0))
	gram.Evaluator{Kernel: c.k}.Gram(g, x)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, g.Data), false) {
		t.Fatal("the eigenvalues of the Gram matrix were not found")
	}
	v := e.Values(nil)
	rounding := 0.0
	o := c.oracle(x, x)
	for i := range n {
		rounding = max(rounding, slices.Max(row(o.tol, i)))
	}
	if tol := n * (eps*v[n-1] + rounding); v[0] < -tol {
		t.Fatalf("smallest eigenvalue %g, largest %g: not positive semidefinite within %g", v[0], v[n-1], tol)
	}
}

func (c kernelCheck) workers(t *testing.T) {
	x, z, w := c.points(141), c.points(40), gapped(40, 2)
	for i := range w.Rows {
		row(w, i)[0], row(w, i)[1] = c.r.NormFloat64(), c.r.NormFloat64()
	}
	run := func(workers int) [4]blas64.General {
		e := gram.Evaluator{Kernel: c.k, Workers: workers}
		out := [4]blas64.General{gapped(141, 141), gapped(141, 40), gapped(141, 2), gapped(1, 141)}
		e.Gram(out[0], x)
		e.Cross(out[1], x, z)
		e.Mul(out[2], x, z, w)
		e.Diag(row(out[3], 0), x)
		return out
	}
	one := run(1)
	for _, workers := range []int{2, 8} {
		for i, got := range run(workers) {
			if name := [4]string{"Gram", "Cross", "Mul", "Diag"}[i]; !sameBits(got, one[i]) {
				t.Fatalf("%s: %d workers give other bits than one", name, workers)
			}
		}
	}
}

// batches asks for the same values row by row.
func (c kernelCheck) batches(t *testing.T) {
	x, z, w := c.points(140), c.points(60), gapped(60, 1)
	for i := range w.Rows {
		row(w, i)[0] = c.r.NormFloat64()
	}
	e := gram.Evaluator{Kernel: c.k}
	k, p := gapped(x.Rows, z.Rows), gapped(x.Rows, 1)
	e.Cross(k, x, z)
	e.Mul(p, x, z, w)
	for _, b := range [][2]int{{0, 1}, {1, 2}, {2, 77}, {139, 140}} {
		xb, kb, pb := compute.Rows(x, b[0], b[1]), gapped(b[1]-b[0], z.Rows), gapped(b[1]-b[0], 1)
		e.Cross(kb, xb, z)
		e.Mul(pb, xb, z, w)
		if !sameBits(kb, compute.Rows(k, b[0], b[1])) {
			t.Fatalf("Cross: rows %v alone give other bits", b)
		}
		if !sameBits(pb, compute.Rows(p, b[0], b[1])) {
			t.Fatalf("Mul: rows %v alone give other bits", b)
		}
	}
}
