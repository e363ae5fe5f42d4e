package kernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/gram"
	. "github.com/rkhs-go/rkhs/kernel"
)

// cloud returns normal rows about a point far from the origin.
func cloud(n, d int, offset float64, seed uint64) blas64.General {
	random := rand.New(rand.NewPCG(seed, 1))
	m := blas64.General{Rows: n, Cols: d, Stride: d, Data: make([]float64, n*d)}
	for i := range m.Data {
		m.Data[i] = offset + random.NormFloat64()
	}
	return m
}

func empty(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
}

// farther returns the largest difference over the largest value.
func farther(a, b blas64.General) float64 {
	most, size := 0.0, 0.0
	for i, v := range b.Data {
		most, size = max(most, math.Abs(a.Data[i]-v)), max(size, math.Abs(v))
	}
	return most / size
}

// TestSingle compares single precision with double. Distances are measured from
// a point among the rows, so that an offset costs no digits.
func TestSingle(t *testing.T) {
	const d = 20
	for _, c := range []struct {
		k      Kernel
		offset float64
	}{
		{Gaussian{Sigma: 5}, 0}, {Gaussian{Sigma: 5}, 1e8}, {Matern{0.5, 6}, 1e8}, {Matern{1.5, 6}, -1e6}, {Matern{2.5, 6}, 0},
		{RationalQuadratic{0.7, 5}, 1e8}, {Linear{}, 0}, {Polynomial{Degree: 3, Scale: 0.1, Offset: 1}, 0},
		{Scale{1e6, Gaussian{Sigma: 5}}, 1e8}, {ARD{scales(d), Gaussian{Sigma: 3}}, 1e4},
	} {
		x, z, w := cloud(300, d, c.offset, 1), cloud(70, d, c.offset, 2), cloud(70, 3, 0, 3)
		double, single := gram.Evaluator{Kernel: c.k}, gram.Evaluator{Kernel: c.k, SinglePrecision: true}
		for name, product := range map[string]func(e gram.Evaluator) blas64.General{
			"Gram":  func(e gram.Evaluator) blas64.General { k := empty(300, 300); e.Gram(k, x); return k },
			"Cross": func(e gram.Evaluator) blas64.General { k := empty(300, 70); e.Cross(k, x, z); return k },
			"Mul":   func(e gram.Evaluator) blas64.General { p := empty(300, 3); e.Mul(p, x, z, w); return p },
		} {
			got := product(single)
			if e := farther(got, product(double)); e > 2e-6 {
				t.Errorf("%v at %g: %s is off by %.1e of the largest value", c.k, c.offset, name, e)
			}
			if name != "Mul" && slices.Equal(got.Data, product(double).Data) {
				t.Errorf("%v: %s has the bits of double precision", c.k, name)
			}
			for _, workers := range []int{1, 2, 8} {
				e := single
				e.Workers = workers
				if !slices.Equal(product(e).Data, got.Data) {
					t.Errorf("%v: %s has other bits with %d workers", c.k, name, workers)
				}
			}
		}
	}
}

// TestSingleLeavesOthersAlone: kernels without a single-precision form have unchanged bits.
func TestSingleLeavesOthersAlone(t *testing.T) {
	x := cloud(40, 6, 0, 4)
	for _, k := range []Kernel{Laplacian{3}, Matern{3.5, 2}, Sum{Gaussian{2}, Linear{}}, Product{Gaussian{2}, Laplacian{3}}, ArcCosine{1}, evalOnly{2}} {
		got, want := empty(40, 40), empty(40, 40)
		gram.Evaluator{Kernel: k, SinglePrecision: true}.Cross(got, x, x)
		gram.Evaluator{Kernel: k}.Cross(want, x, x)
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%v differs by %g", k, farther(got, want))
		}
	}
}

func TestSingleGramIsSymmetric(t *testing.T) {
	x := cloud(200, 9, 1e7, 5)
	g := empty(200, 200)
	gram.Evaluator{Kernel: Gaussian{Sigma: 3}, SinglePrecision: true}.Gram(g, x)
	for i := range 200 {
		for j := range 200 {
			if g.Data[i*200+j] != g.Data[j*200+i] || g.Data[i*200+i] != 1 {
				t.Fatalf("entry %d, %d: %v and %v", i, j, g.Data[i*200+j], g.Data[j*200+i])
			}
		}
	}
}

// TestSingleRange: the result does not depend on units. One outlying row or large weight does not reduce the accuracy
// of other rows.
func TestSingleRange(t *testing.T) {
	for _, c := range []struct {
		k       func(unit float64) Kernel
		unit    float64
		outlier float64
	}{
		{func(u float64) Kernel { return Gaussian{Sigma: 2 * u} }, 1, 1e9},
		{func(u float64) Kernel { return Gaussian{Sigma: 2 * u} }, 1, 1e30},
		{func(u float64) Kernel { return Gaussian{Sigma: 2 * u} }, 1e-25, 0},
		{func(u float64) Kernel { return Gaussian{Sigma: 2 * u} }, 1e60, 0},
		{func(u float64) Kernel { return Matern{1.5, 3 * u} }, 1e25, 1e60},
		{func(u float64) Kernel { return RationalQuadratic{1, 3 * u} }, 1e-30, 0},
		{func(float64) Kernel { return Linear{} }, 1e30, 0},
		{func(u float64) Kernel { return Polynomial{Degree: 2, Scale: 1 / u / u, Offset: 1} }, 1e-30, 0},
	} {
		x, w := cloud(70, 5, 0, 1), cloud(70, 2, 0, 2)
		for i := range x.Data {
			x.Data[i] *= c.unit
		}
		x.Data[17] += c.outlier
		for i := range w.Data {
			w.Data[i] *= 1e45
		}
		k := c.k(c.unit)
		for name, product := range map[string]func(e gram.Evaluator) blas64.General{
			"Gram":  func(e gram.Evaluator) blas64.General { k := empty(70, 70); e.Gram(k, x); return k },
			"Cross": func(e gram.Evaluator) blas64.General { k := empty(70, 70); e.Cross(k, x, x); return k },
			"Mul":   func(e gram.Evaluator) blas64.General { p := empty(70, 2); e.Mul(p, x, x, w); return p },
		} {
			if e := farther(product(gram.Evaluator{Kernel: k, SinglePrecision: true}), product(gram.Evaluator{Kernel: k})); !(e < 3e-6) {
				t.Errorf("%v, unit %g, outlier %g: %s is off by %.1e of the largest value", k, c.unit, c.outlier, name, e)
			}
		}
	}
}
