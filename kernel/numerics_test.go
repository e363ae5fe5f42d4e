package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/gram"
	. "github.com/rkhs-go/rkhs/kernel"
)

func rowsOf(v ...[]float64) blas64.General {
	m := blas64.General{Rows: len(v), Cols: len(v[0]), Stride: len(v[0])}
	for _, r := range v {
		m.Data = append(m.Data, r...)
	}
	return m
}

func one(k Kernel, x, y []float64) float64 {
	dst := rowsOf([]float64{math.NaN()})
	gram.Evaluator{Kernel: k}.Cross(dst, rowsOf(x), rowsOf(y))
	return dst.Data[0]
}

// Coordinates that are multiples of 1/64 move by 2^40 without rounding.
func TestShiftedPointsKeepTheirDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range []Kernel{Gaussian{2}, Laplacian{2}, Cauchy{2}, Matern{0.5, 2}, Matern{1.2, 2}, RationalQuadratic{1, 2}, Dirichlet{1.5}} {
		for range 100 {
			var x, y, xs, ys [5]float64
			for i := range x {
				x[i], y[i] = float64(r.IntN(256))/64, float64(r.IntN(256))/64
				xs[i], ys[i] = x[i]+0x1p40, y[i]+0x1p40
			}
			if a, b := k.Eval(x[:], y[:]), k.Eval(xs[:], ys[:]); a != b {
				t.Fatalf("%v: %v, and %v when both points are moved", k, a, b)
			}
		}
	}
}

// The block of Dirichlet works on cosines of each row, not of differences.
func TestDirichletBlockFarFromTheOrigin(t *testing.T) {
	for _, shift := range []float64{0, 1e3, 1e8, 1e12} {
		x, y := []float64{shift + 0.25, 1}, []float64{shift - 0.5, 2.5}
		if got, want := one(Dirichlet{1.7}, x, y), (Dirichlet{1.7}).Eval(x, y); math.Abs(got-want) > 1e-14 {
			t.Errorf("shift %g: %v, want %v", shift, got, want)
		}
	}
}

// The angle of nearly parallel vectors is as accurate in a block as in Eval. The arc cosine of a rounded inner product
// would have an error of 1e-8.
func TestArcCosineOfSmallAngles(t *testing.T) {
	for _, turn := range []float64{0, math.Pi} {
		for _, angle := range []float64{0, 1e-12, 1e-9, 1e-6, 1e-3, 0.04, 0.05} {
			x := []float64{3, 0}
			y := []float64{2 * math.Cos(turn+angle), 2 * math.Sin(turn+angle)}
			theta := angle
			if turn > 0 {
				theta = math.Pi - angle
			}
			want := 1 - theta/math.Pi
			for _, got := range []float64{one(ArcCosine{0}, x, y), (ArcCosine{0}).Eval(x, y)} {
				if math.Abs(got-want) > 1e-15 {
					t.Errorf("angle %v: %v, want %v", theta, got, want)
				}
			}
		}
	}
}

func TestArcCosineOfZeroVectors(t *testing.T) {
	zero, x := []float64{0, 0}, []float64{1, 2}
	for n := range 3 {
		k := ArcCosine{n}
		g := rowsOf([]float64{9, 9}, []float64{9, 9})
		gram.Evaluator{Kernel: k}.Gram(g, rowsOf(zero, x))
		if k.Eval(zero, x) != 0 || k.Eval(zero, zero) != 0 || g.Data[0] != 0 || g.Data[1] != 0 {
			t.Errorf("order %d: k(0, x) = %v, k(0, 0) = %v, Gram matrix %v", n, k.Eval(zero, x), k.Eval(zero, zero), g.Data)
		}
		if want := []float64{1, 5, 75}[n]; math.Abs(k.Eval(x, x)-want) > 1e-13*want {
			t.Errorf("order %d: k(x, x) = %v, want %v", n, k.Eval(x, x), want)
		}
	}
}

func TestArcCosineOfHugeAndTinyVectors(t *testing.T) {
	for _, s := range []float64{1e-200, 1e200} {
		x, y := []float64{s, 0}, []float64{s, s}
		if got := one(ArcCosine{0}, x, y); math.Abs(got-0.75) > 1e-15 {
			t.Errorf("scale %g: %v, want 0.75", s, got)
		}
	}
}

// Empty bins, and histograms without a common bin, have the limit 0 and no NaN.
func TestHistogramsWithEmptyBins(t *testing.T) {
	x, y, zero := []float64{0, 0.25, 0, 0.75, 0}, []float64{1, 0, 0, 0, 0}, make([]float64, 5)
	for _, k := range []Kernel{AdditiveChiSquared{}, Hellinger{}, Intersection{}, JensenShannon{}} {
		for _, of := range []func(a, b []float64) float64{k.Eval, func(a, b []float64) float64 { return one(k, a, b) }} {
			if of(x, y) != 0 || of(x, zero) != 0 || of(zero, zero) != 0 || math.Abs(of(x, x)-1) > 1e-15 {
				t.Errorf("%v: k(x, y) = %v, k(x, 0) = %v, k(0, 0) = %v, k(x, x) = %v", k, of(x, y), of(x, zero), of(zero, zero), of(x, x))
			}
		}
	}
}

// These kernels are homogeneous of degree 1 from the smallest bin to the largest.
func TestHistogramsAreHomogeneous(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	x, y := make([]float64, 9), make([]float64, 9)
	cx, cy := make([]float64, 9), make([]float64, 9)
	for _, k := range []Kernel{AdditiveChiSquared{}, Hellinger{}, Intersection{}, JensenShannon{}} {
		for _, c := range []float64{0x1p-800, 0x1p-20, 0x1p20, 0x1p800} {
			histogram(r, x)
			histogram(r, y)
			for i := range x {
				cx[i], cy[i] = c*x[i], c*y[i]
			}
			want := c * k.Eval(x, y)
			for _, got := range []float64{k.Eval(cx, cy), one(k, cx, cy)} {
				if !(math.Abs(got-want) <= 1e-12*want) {
					t.Errorf("%v: %v at scale %g, want %v", k, got, c, want)
				}
			}
		}
	}
}

// Bins of very different sizes keep the digits of the small one.
func TestJensenShannonOfUnequalBins(t *testing.T) {
	// For x ≪ y the kernel is (x·log2(y/x) + x/ln 2)/2 to first order.
	for _, x := range []float64{1e-20, 1e-200, 5e-300} {
		want := x * (math.Log2(10/x) + 1/math.Ln2) / 2
		for _, got := range []float64{(JensenShannon{}).Eval([]float64{x}, []float64{10}), one(JensenShannon{}, []float64{x}, []float64{10})} {
			if math.Abs(got-want) > 1e-14*want {
				t.Errorf("x = %g: %v, want %v", x, got, want)
			}
		}
	}
}

// With Alpha → ∞ the kernel is the Gaussian; its power would lose Alpha·2⁻⁵³.
func TestRationalQuadraticOfLargeAlpha(t *testing.T) {
	x, y := []float64{1, 2}, []float64{0.3, 2.5}
	want := Gaussian{1.3}.Eval(x, y)
	for _, got := range []float64{RationalQuadratic{1e14, 1.3}.Eval(x, y), one(RationalQuadratic{1e14, 1.3}, x, y)} {
		if math.Abs(got-want) > 1e-13*want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// Distances much larger than all scales give 0, not NaN.
func TestFarPoints(t *testing.T) {
	x, y := []float64{1e200, -1e200}, []float64{-1e200, 0}
	for _, k := range []Kernel{
		Gaussian{1}, Laplacian{1}, Cauchy{1}, Matern{0.5, 1}, Matern{0.7, 1}, Matern{1.5, 1}, Matern{2.5, 1}, Matern{3.5, 1}, Matern{60, 1},
		RationalQuadratic{1, 1}, Gaussian{1e-150}, Laplacian{1e-150}, Matern{1.5, 1e-150},
	} {
		for _, of := range []func(a, b []float64) float64{k.Eval, func(a, b []float64) float64 { return one(k, a, b) }} {
			if far, same := of(x, y), of(x, x); !(far >= 0 && far < 1e-300) || same != 1 {
				t.Errorf("%v: k(x, y) = %v, k(x, x) = %v", k, far, same)
			}
		}
	}
}

// A sum of radial kernels computes distances once, and equals the sum of its separate terms.
func TestSumOfRadialKernelsEqualsItsTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	x := mat.NewDense(40, 3, nil)
	for i := range 40 {
		normals(r, x.RawRowView(i))
	}
	terms := Sum{Gaussian{0.5}, Scale{0.3, Gaussian{1}}, Product{Gaussian{2}, Matern{1.5, 3}}, RationalQuadratic{2, 1}}
	var whole mat.SymDense
	if err := Gram(&whole, terms, x); err != nil {
		t.Fatal(err)
	}
	total := mat.NewSymDense(40, nil)
	for _, k := range terms {
		var g mat.SymDense
		if err := Gram(&g, k, x); err != nil {
			t.Fatal(err)
		}
		total.AddSym(total, &g)
	}
	if !mat.EqualApprox(total, &whole, 1e-13) {
		t.Error("the sum differs from its terms")
	}
}

// A block needs memory for itself, not for each of its rows or values.
func TestAllocationsDoNotGrowWithTheMatrix(t *testing.T) {
	if raceEnabled {
		t.Skip("pools do not hold under the race detector")
	}
	const n = 120
	x := blas64.General{Rows: n, Cols: 4, Stride: 4, Data: make([]float64, n*4)}
	dst := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for _, k := range []Kernel{Gaussian{1}, Laplacian{1}, Matern{0.7, 1}, Intersection{}, JensenShannon{}, ArcCosine{1}, Sum{Gaussian{1}, Gaussian{2}}, ARD{[]float64{1, 2, 3, 4}, Cauchy{1}}} {
		if a := testing.AllocsPerRun(5, func() { gram.Evaluator{Kernel: k, Workers: 1}.Cross(dst, x, x) }); a > n/2 {
			t.Errorf("%v: %v allocations for %d rows", k, a, n)
		}
	}
}
