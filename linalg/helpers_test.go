package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const eps = 0x1p-52

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// point is a point of a stream in the plane, with the Gaussian kernel of bandwidth 1.
type point [2]float64

func kernel(x, z point) float64 {
	a, b := x[0]-z[0], x[1]-z[1]
	return math.Exp(-(a*a + b*b) / 2)
}

// kernelRow returns the values of x against points.
func kernelRow(x point, points []point) []float64 {
	k := make([]float64, len(points))
	for i, z := range points {
		k[i] = kernel(x, z)
	}
	return k
}

// kernelMatrix returns the values of xs against points.
func kernelMatrix(xs, points []point) blas64.General {
	k := general(len(xs), len(points))
	for i, x := range xs {
		copy(compute.Row(k, i), kernelRow(x, points))
	}
	return k
}

// gram returns K + jitter·I.
func gram(points []point, jitter float64) *mat.Dense {
	n := len(points)
	k := mat.NewDense(n, n, nil)
	for i, x := range points {
		for j, z := range points {
			k.Set(i, j, kernel(x, z))
		}
		k.Set(i, i, k.At(i, i)+jitter)
	}
	return k
}

// uniform draws a point from a square of the given side.
func uniform(r *rand.Rand, side float64) point {
	return point{side * r.Float64(), side * r.Float64()}
}

// near draws a point at most 1e-9 away in each coordinate.
func near(r *rand.Rand, x point) point {
	return point{x[0] + 1e-9*(2*r.Float64()-1), x[1] + 1e-9*(2*r.Float64()-1)}
}

// general returns an r×c matrix of zeros with a stride of c + 3.
func general(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c + 3, Data: make([]float64, r*(c+3))}
}

// random returns an r×c matrix of standard normal numbers.
func random(rng *rand.Rand, r, c int) blas64.General {
	m := general(r, c)
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	return m
}

func toDense(m blas64.General) *mat.Dense {
	d := mat.NewDense(m.Rows, m.Cols, nil)
	for i := range m.Rows {
		d.SetRow(i, compute.Row(m, i))
	}
	return d
}

func column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

// factor returns L as a dense matrix.
func factor(c *Cholesky) *mat.Dense {
	l := mat.NewDense(c.Len(), c.Len(), nil)
	for i := range c.Len() {
		for j, v := range c.l.Row(i) {
			l.Set(i, j, v)
		}
	}
	return l
}

// inverse returns G as a dense matrix.
func inverse(w *Woodbury) *mat.Dense {
	g := mat.NewDense(w.Len(), w.Len(), nil)
	for j := range w.Len() {
		col := make([]float64, w.Len())
		w.g.column(col, j)
		g.SetCol(j, col)
	}
	return g
}

// checkSolution fails unless ‖A·X − B‖/(n·eps·‖A‖·‖X‖) ≤ 10 in the 1-norm.
func checkSolution(t testing.TB, name string, a, x, b mat.Matrix) {
	t.Helper()
	if r := solutionResidual(a, x, b); !(r <= 10) {
		t.Errorf("%s: scaled residual %.3g, want ≤ 10", name, r)
	}
}

func solutionResidual(a, x, b mat.Matrix) float64 {
	n, _ := a.Dims()
	var ax mat.Dense
	ax.Mul(a, x)
	ax.Sub(&ax, b)
	return mat.Norm(&ax, 1) / (float64(n) * eps * mat.Norm(a, 1) * mat.Norm(x, 1))
}

// checkFactor fails unless ‖L·Lᵀ − A‖/(n·eps·‖A‖) ≤ 10 and the diagonal of L is
// positive.
func checkFactor(t testing.TB, c *Cholesky, a *mat.Dense) {
	t.Helper()
	l := factor(c)
	checkSolution(t, "L·Lᵀ", l, l.T(), a)
	for i := range c.Len() {
		if !(l.At(i, i) > 0) {
			t.Errorf("L has %v at %d on the diagonal", l.At(i, i), i)
		}
	}
}

// inverseDiag returns the diagonal of A⁻¹ by another factorisation.
func inverseDiag(t testing.TB, a *mat.Dense) []float64 {
	t.Helper()
	var inv mat.Dense
	if err := inv.Inverse(a); err != nil {
		if _, ok := err.(mat.Condition); !ok {
			t.Fatal(err)
		}
	}
	n, _ := a.Dims()
	d := make([]float64, n)
	for i := range d {
		d[i] = inv.At(i, i)
	}
	return d
}

// relativeError returns max |got − want|/|want|.
func relativeError(got, want []float64) float64 {
	var worst float64
	for i := range want {
		worst = math.Max(worst, math.Abs(got[i]-want[i])/math.Abs(want[i]))
	}
	return worst
}

// mustPanic fails unless f panics.
func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

// cloneOf returns an independent copy.
func cloneOf(c *Cholesky) *Cholesky {
	n, rows, diag := c.State()
	d, err := RestoreCholesky(c.Jitter(), n, rows, diag)
	if err != nil {
		panic(err)
	}
	return d
}
