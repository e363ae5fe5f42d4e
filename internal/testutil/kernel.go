package testutil

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Point fills x with a random point of the domain of a kernel.
type Point func(r *rand.Rand, x []float64)

const eps = 0x1p-52

// CheckKernel is the battery that every kernel must pass, at points of length d:
// symmetry, the four operations against Eval at sizes on both sides of every
// block, positive semidefinite Gram matrices, the same bits for any number of
// workers and in any batch, gradients, text, files, and errors.
func CheckKernel(t *testing.T, k kernel.Kernel, d int, point Point) {
	t.Helper()
	c := kernelCheck{k: k, d: d, point: point, r: rand.New(rand.NewPCG(uint64(d), 7))}
	for _, check := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"symmetry", c.symmetry},
		{"gram", c.gram},
		{"cross", c.cross},
		{"diagonal", c.diagonal},
		{"product", c.product},
		{"sparse", c.sparse},
		{"semidefinite", c.semidefinite},
		{"workers", c.workers},
		{"batches", c.batches},
		{"log gradient", c.logGradient},
		{"scale gradient", c.scaleGradient},
		{"text", c.text},
		{"file", c.file},
		{"bad data", c.badData},
		{"outside", c.outside},
	} {
		t.Run(check.name, check.run)
	}
}

type kernelCheck struct {
	k     kernel.Kernel
	d     int
	point Point
	r     *rand.Rand
}

// points returns n rows in a matrix with a gap between them.
func (c kernelCheck) points(n int) blas64.General {
	x := gapped(n, c.d)
	for i := range n {
		c.point(c.r, row(x, i))
	}
	return x
}

// gap fills what lies between the rows of a matrix.
const gap = 1e300

func gapped(rows, cols int) blas64.General {
	m := blas64.General{Rows: rows, Cols: cols, Stride: cols + 3, Data: make([]float64, rows*(cols+3))}
	for i := range m.Data {
		m.Data[i] = gap
	}
	return m
}

// overrun reports a write between the rows of m.
func overrun(t *testing.T, m blas64.General) {
	t.Helper()
	for i, v := range m.Data {
		if i%m.Stride >= m.Cols && v != gap {
			t.Fatalf("wrote beyond the columns of row %d", i/m.Stride)
		}
	}
}

func row(m blas64.General, i int) []float64 { return compute.Row(m, i) }

func dense(m blas64.General) *mat.Dense {
	return mat.NewDense(m.Rows, m.Cols, compute.Clone(m).Data)
}

func sameBits(a, b blas64.General) bool { return identical(dense(a), dense(b)) }

// oracle holds k(x_i, z_j) by Eval, and a bound on the difference to another
// computation of it.
type oracle struct{ want, tol blas64.General }

func (c kernelCheck) oracle(x, z blas64.General) oracle {
	o := oracle{gapped(x.Rows, z.Rows), gapped(x.Rows, z.Rows)}
	dx, dz := c.roots(x), c.roots(z)
	for i := range x.Rows {
		for j := range z.Rows {
			xi, zj := row(x, i), row(z, j)
			row(o.want, i)[j] = c.k.Eval(xi, zj)
			row(o.tol, i)[j] = 1e-13*dx[i]*dz[j] + c.distanceRounding(xi, zj)
		}
	}
	return o
}

// roots returns √k(x_i, x_i).
func (c kernelCheck) roots(x blas64.General) []float64 {
	d := make([]float64, x.Rows)
	for i := range d {
		d[i] = math.Sqrt(c.k.Eval(row(x, i), row(x, i)))
	}
	return d
}

// distanceRounding is what the rounding of ‖x‖² + ‖z‖² − 2<x,z> makes of a
// function of the squared distance.
func (c kernelCheck) distanceRounding(x, z []float64) float64 {
	f, ok := c.k.(kernel.Radial)
	if !ok {
		return 0
	}
	r2, size := 0.0, 0.0
	for i, v := range x {
		r2 += (v - z[i]) * (v - z[i])
		size += v*v + z[i]*z[i]
	}
	ends := []float64{max(0, r2-4*eps*size), r2 + 4*eps*size}
	f.OfSquaredDistance(ends)
	return math.Abs(ends[1] - ends[0])
}

// same compares a block with the oracle.
func (o oracle) same(t *testing.T, got blas64.General) {
	t.Helper()
	for i := range got.Rows {
		for j, g := range row(got, i) {
			if want, tol := row(o.want, i)[j], row(o.tol, i)[j]; !(math.Abs(g-want) <= tol) {
				t.Fatalf("%d×%d: entry %d,%d is %v, Eval gives %v: difference %g, tolerance %g", got.Rows, got.Cols, i, j, g, want, g-want, tol)
			}
		}
	}
}

// sameProduct compares K·W with the oracle.
func (o oracle) sameProduct(t *testing.T, got, w blas64.General) {
	t.Helper()
	for i := range got.Rows {
		for j, g := range row(got, i) {
			sum, tol := 0.0, 0.0
			for l, k := range row(o.want, i) {
				v := row(w, l)[j]
				sum += k * v
				tol += math.Abs(v) * (row(o.tol, i)[l] + 4*eps*math.Abs(k))
			}
			if !(math.Abs(g-sum) <= tol) {
				t.Fatalf("K·W has %v, sum of Eval is %v: difference %g, tolerance %g", g, sum, g-sum, tol)
			}
		}
	}
}
