package testutil

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Point fills x with a random point of the domain of a kernel.
type Point func(r *rand.Rand, x []float64)

const eps = 0x1p-52

// CheckKernel runs the checks that every kernel must pass, at points of length d. The four
// operations must agree with Eval for sizes on both sides of every block, for dense and sparse
// rows, and give the same bits for any number of workers and in any batch. Gram matrices must be
// positive semidefinite, gradients must agree with differences, and the text, the file and the
// errors must be correct.
func CheckKernel(t *testing.T, k kernel.Kernel, d int, point Point) {
	t.Helper()
	c := kernelCheck{k: k, d: d, point: point, r: rand.New(rand.NewPCG(uint64(d), 7))}
	runAll(t, c.checks())
}

type kernelCheck struct {
	k     kernel.Kernel
	d     int
	point Point
	r     *rand.Rand
}

func (c kernelCheck) checks() []check {
	return []check{
		{"symmetry", c.symmetry},
		{"operations", c.operations},
		{"sparse", c.sparse},
		{"semidefinite", c.semidefinite},
		{"batches", c.batches},
		{"log gradient", c.logGradient},
		{"scale gradient", c.scaleGradient},
		{"text", c.text},
		{"file", c.file},
		{"bad data", c.badData},
		{"domain", c.domain},
	}
}

// points returns n random points of the domain, with gaps between the rows.
func (c kernelCheck) points(n int) compute.Matrix {
	x := gapped(n, c.d)
	for i := range n {
		c.point(c.r, row(x, i))
	}
	return x
}

// weights returns a matrix of normal variables, with gaps between the rows.
func (c kernelCheck) weights(rows, cols int) compute.Matrix {
	w := gapped(rows, cols)
	for i := range rows {
		for j := range cols {
			row(w, i)[j] = c.r.NormFloat64()
		}
	}
	return w
}

// gap is the value between the rows of a gapped matrix.
const gap = 1e300

func gapped(rows, cols int) compute.Matrix {
	m := compute.Matrix{Rows: rows, Cols: cols, Stride: cols + 3, Data: make([]float64, rows*(cols+3))}
	for i := range m.Data {
		m.Data[i] = gap
	}
	return m
}

func row(m compute.Matrix, i int) []float64 { return compute.Row(m, i) }

func dense(m compute.Matrix) *mat.Dense {
	return mat.NewDense(m.Rows, m.Cols, compute.Clone(m).Data)
}

func sameBits(a, b compute.Matrix) bool { return identical(dense(a), dense(b)) }

// values returns the matrix of k(x_i, z_j) by Eval, and bounds on the rounding errors of other
// methods.
func (c kernelCheck) values(x, z compute.Matrix) (want, tolerance compute.Matrix) {
	want, tolerance = gapped(x.Rows, z.Rows), gapped(x.Rows, z.Rows)
	rootX, rootZ := c.roots(x), c.roots(z)
	for i := range x.Rows {
		for j := range z.Rows {
			xi, zj := row(x, i), row(z, j)
			row(want, i)[j] = c.k.Eval(xi, zj)
			row(tolerance, i)[j] = 1e-13*rootX[i]*rootZ[j] + c.distanceRounding(xi, zj)
		}
	}
	return want, tolerance
}

// roots returns √k(x_i, x_i).
func (c kernelCheck) roots(x compute.Matrix) []float64 {
	d := make([]float64, x.Rows)
	for i := range d {
		d[i] = math.Sqrt(c.k.Eval(row(x, i), row(x, i)))
	}
	return d
}

// distanceRounding bounds the error of a function of the squared distance that is due to the
// rounding of ‖x‖² + ‖z‖² − 2<x,z>.
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
