package testutil

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
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

// points returns n random points of the domain.
func (c kernelCheck) points(n int) *mat.Dense {
	x := gapped(n, c.d)
	for i := range n {
		c.point(c.r, x.RawRowView(i))
	}
	return x
}

// weights returns a matrix of normal variables.
func (c kernelCheck) weights(rows, cols int) *mat.Dense {
	w := gapped(rows, cols)
	w.Apply(func(int, int, float64) float64 { return c.r.NormFloat64() }, w)
	return w
}

// gapped returns a matrix with gaps between its rows, and gap in all elements.
func gapped(rows, cols int) *mat.Dense {
	return constant(rows, cols+3, gap).Slice(0, rows, 0, cols).(*mat.Dense)
}

const gap = 1e300

// values returns the matrix of k(x_i, z_j) by Eval, and bounds on the rounding errors of other
// methods.
func (c kernelCheck) values(x, z *mat.Dense) (want, tolerance *mat.Dense) {
	n, _ := x.Dims()
	m, _ := z.Dims()
	want, tolerance = gapped(n, m), gapped(n, m)
	rootX, rootZ := c.roots(x), c.roots(z)
	for i := range n {
		for j := range m {
			xi, zj := x.RawRowView(i), z.RawRowView(j)
			want.Set(i, j, c.k.Eval(xi, zj))
			tolerance.Set(i, j, 1e-13*rootX[i]*rootZ[j]+c.distanceRounding(xi, zj))
		}
	}
	return want, tolerance
}

// roots returns √k(x_i, x_i).
func (c kernelCheck) roots(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	d := make([]float64, n)
	for i := range d {
		d[i] = math.Sqrt(c.k.Eval(x.RawRowView(i), x.RawRowView(i)))
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

// products are the results of the four operations with rows x and z and weights w. The diagonal is
// a row.
type products [4]*mat.Dense

var operations = [4]string{"Gram", "Cross", "Diag", "Mul"}

// evaluate calls an Evaluator with matrices that have gaps between their rows.
func (c kernelCheck) evaluate(t testing.TB, workers int, x, z, w *mat.Dense) products {
	e := gram.Evaluator{Kernel: c.k, Workers: workers}
	xs, zs, ws := x.RawMatrix(), z.RawMatrix(), w.RawMatrix()
	p := products{gapped(xs.Rows, xs.Rows), gapped(xs.Rows, zs.Rows), gapped(1, xs.Rows), gapped(xs.Rows, ws.Cols)}
	e.Gram(p[0].RawMatrix(), xs)
	e.Cross(p[1].RawMatrix(), xs, zs)
	e.Diag(p[2].RawRowView(0), xs)
	e.Mul(p[3].RawMatrix(), xs, zs, ws)
	for o, m := range p {
		raw := m.RawMatrix()
		for i, v := range raw.Data {
			if i%raw.Stride >= raw.Cols && v != gap {
				t.Fatalf("%s wrote beyond the columns of row %d", operations[o], i/raw.Stride)
			}
		}
	}
	return p
}

// public calls the functions of package kernel.
func (c kernelCheck) public(t testing.TB, x, z, w mat.Matrix) products {
	var gram mat.SymDense
	var cross, mul mat.Dense
	var diag mat.VecDense
	noError(t, kernel.Gram(&gram, c.k, x))
	noError(t, kernel.Cross(&cross, c.k, x, z))
	noError(t, kernel.Diag(&diag, c.k, x))
	noError(t, kernel.Mul(&mul, c.k, x, z, w))
	return products{mat.DenseCopyOf(&gram), &cross, mat.DenseCopyOf(diag.T()), &mul}
}

// byEval computes the products from values of Eval, and bounds on the rounding errors of other
// methods.
func (c kernelCheck) byEval(x, z, w *mat.Dense) (want, tolerance products) {
	n, q := x.RawMatrix().Rows, w.RawMatrix().Cols
	want[0], tolerance[0] = c.values(x, x)
	want[1], tolerance[1] = c.values(x, z)
	want[2], tolerance[2] = gapped(1, n), gapped(1, n)
	want[3], tolerance[3] = gapped(n, q), gapped(n, q)
	for i := range n {
		want[2].Set(0, i, want[0].At(i, i))
		tolerance[2].Set(0, i, tolerance[0].At(i, i))
		for j := range q {
			sum, rounding := 0.0, 0.0
			for l, k := range want[1].RawRowView(i) {
				v := w.At(l, j)
				sum += k * v
				rounding += math.Abs(v) * (tolerance[1].At(i, l) + 4*eps*math.Abs(k))
			}
			want[3].Set(i, j, sum)
			tolerance[3].Set(i, j, rounding)
		}
	}
	return want, tolerance
}

func (c kernelCheck) agreesWithEval(t testing.TB, got products, x, z, w *mat.Dense) {
	want, tolerance := c.byEval(x, z, w)
	for o, m := range got {
		n, q := m.Dims()
		for i := range n {
			for j := range q {
				v, by, tol := m.At(i, j), want[o].At(i, j), tolerance[o].At(i, j)
				if !(math.Abs(v-by) <= tol) {
					t.Fatalf("%s of %d rows: entry %d,%d is %v, by Eval %v: difference %g, tolerance %g",
						operations[o], n, i, j, v, by, v-by, tol)
				}
			}
		}
	}
}

func (p products) sameBits(t testing.TB, method string, other products) {
	for o, name := range operations {
		require(t, identical(p[o], other[o]), "%s: %s has other bits than an Evaluator with one worker", name, method)
	}
}

// operations compares an Evaluator with Eval, with itself for several workers, and with the public
// functions. Some rows are equal, at distance 0.
func (c kernelCheck) operations(t testing.TB) {
	sizes := [][3]int{{1, 1, 1}, {2, 1, 2}, {1, 7, 1}, {7, 1, 2}, {131, 5, 3}, {3, 517, 3}, {9, 4, 70}, {141, 40, 2}}
	for _, n := range sizes {
		x, z, w := c.points(n[0]), c.points(n[1]), c.weights(n[1], n[2])
		x.SetRow(n[0]-1, x.RawRowView(0))
		z.SetRow(n[1]-1, x.RawRowView(0))
		got := c.evaluate(t, 1, x, z, w)
		c.agreesWithEval(t, got, x, z, w)
		require(t, identical(got[0], mat.DenseCopyOf(got[0].T())), "Gram of %d rows is not symmetric", n[0])
		for _, workers := range []int{2, 8} {
			got.sameBits(t, fmt.Sprintf("%d workers", workers), c.evaluate(t, workers, x, z, w))
		}
		got.sameBits(t, "package kernel", c.public(t, x, z, w))
	}
}

// Sparse returns the nonzero elements of m.
func Sparse(m mat.Matrix) *rkhs.Sparse {
	rows := compute.DensePoints(mat.DenseCopyOf(m).RawMatrix())
	return input.Matrix(compute.SparsePoints(rows.Thin())).(*rkhs.Sparse)
}

// sparsePoints returns points with half of the coordinates zero, where the domain of the kernel
// has such points.
func (c kernelCheck) sparsePoints(n int) *mat.Dense {
	x := c.points(n)
	for i := range n {
		row := x.RawRowView(i)
		before := slices.Clone(row)
		for j := range row {
			if c.r.IntN(2) == 0 {
				row[j] = 0
			}
		}
		if kernel.Check(c.k, between(x, i, i+1)) != nil {
			copy(row, before)
		}
	}
	return x
}

// sparse compares the operations on sparse rows with Eval. One of the two sides may be dense.
func (c kernelCheck) sparse(t testing.TB) {
	for _, n := range [][2]int{{1, 1}, {140, 5}, {3, 517}} {
		x, z, w := c.sparsePoints(n[0]), c.sparsePoints(n[1]), c.weights(n[1], 2)
		z.SetRow(n[1]-1, x.RawRowView(0))
		for _, pair := range [][2]mat.Matrix{{Sparse(x), Sparse(z)}, {Sparse(x), z}, {x, Sparse(z)}} {
			c.agreesWithEval(t, c.public(t, pair[0], pair[1], w), x, z, w)
		}
		got := c.public(t, Sparse(x), z, w)
		for i := range n[0] {
			g, d := got[0].At(i, i), got[2].At(0, i)
			require(t, g == d, "sparse row %d: Gram has %v on the diagonal, Diag gives %v", i, g, d)
		}
	}
}

// batches compares Cross and Mul of all rows with the same of a part.
func (c kernelCheck) batches(t testing.TB) {
	x, z, w := c.points(140), c.points(60), c.weights(60, 1)
	all := c.evaluate(t, 0, x, z, w)
	for _, b := range [][2]int{{0, 1}, {1, 2}, {2, 77}, {139, 140}} {
		part := c.evaluate(t, 0, x.Slice(b[0], b[1], 0, c.d).(*mat.Dense), z, w)
		for _, o := range []int{1, 3} {
			same := identical(part[o], between(all[o], b[0], b[1]))
			require(t, same, "%s: rows %v have other bits without the rest", operations[o], b)
		}
	}
}

func (c kernelCheck) symmetry(t testing.TB) {
	x := c.points(20)
	roots := c.roots(x)
	for i, a := range roots {
		for j, b := range roots {
			xi, xj := x.RawRowView(i), x.RawRowView(j)
			k, l := c.k.Eval(xi, xj), c.k.Eval(xj, xi)
			require(t, math.Abs(k-l) <= 1e-14*a*b, "k(x, z) = %v, k(z, x) = %v", k, l)
		}
	}
}

// semidefinite allows for the rounding error of each entry.
func (c kernelCheck) semidefinite(t testing.TB) {
	const n = 40
	x := c.points(n)
	x.SetRow(n-1, x.RawRowView(0))
	var g mat.SymDense
	noError(t, kernel.Gram(&g, c.k, x))
	var e mat.EigenSym
	require(t, e.Factorize(&g, false), "the eigenvalues of the Gram matrix were not found")
	v := e.Values(nil)
	_, tolerance := c.values(x, x)
	tol := n * (eps*v[n-1] + mat.Max(tolerance))
	require(t, v[0] >= -tol, "smallest eigenvalue %g, largest %g: not positive semidefinite within %g", v[0], v[n-1], tol)
}
