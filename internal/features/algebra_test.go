package features_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

var scales = []float64{0.5, 2, 1, 3}

// combinations are composite kernels, each with its special property.
var combinations = []struct {
	name string
	k    kernel.Kernel
	data maker
}{
	{"scale", kernel.Scale{By: 3, Of: kernel.Gaussian{Sigma: 2}}, normals},
	{"zero", kernel.Scale{By: 0, Of: kernel.Gaussian{Sigma: 2}}, normals},
	{"sum", kernel.Sum{kernel.Gaussian{Sigma: 2}, kernel.Scale{By: 0.5, Of: kernel.Laplacian{Sigma: 4}}, kernel.Linear{}}, normals},
	{"product of frequencies", kernel.Product{kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 4}, kernel.Matern{Nu: 1.5, Length: 3}}, normals},
	{"product of pairs", kernel.Product{kernel.Gaussian{Sigma: 2}, kernel.SkewedChiSquared{C: 0.3}}, histograms},
	{"product of columns", kernel.Product{kernel.ArcCosine{Order: 0}, kernel.Linear{}}, sphere},
	{"pair times column", kernel.Product{kernel.Polynomial{Degree: 2, Offset: 0.5}, kernel.Gaussian{Sigma: 1}}, sphere},
	{"two series", kernel.Product{kernel.DotProduct{Coefficients: []float64{1, 1}}, kernel.Polynomial{Degree: 2, Offset: 1}}, sphere},
	{"additive times additive", kernel.Product{kernel.Intersection{}, kernel.AdditiveChiSquared{}}, histograms},
	{"sum in a product", kernel.Product{kernel.Sum{kernel.Gaussian{Sigma: 2}, kernel.Linear{}}, kernel.Scale{By: 2, Of: kernel.Cauchy{Sigma: 3}}}, normals},
	{"ARD of frequencies", kernel.ARD{Scales: scales, Of: kernel.Gaussian{Sigma: 1}}, normals},
	{"ARD of a polynomial", kernel.ARD{Scales: scales, Of: kernel.Polynomial{Degree: 2, Offset: 1}}, sphere},
	{"ARD of logarithms", kernel.ARD{Scales: scales, Of: kernel.SkewedIntersection{C: 0.4}}, histograms},
	{"ARD of ARD of a sum", kernel.ARD{Scales: scales, Of: kernel.ARD{Scales: scales, Of: kernel.Sum{kernel.Gaussian{Sigma: 1}, kernel.ArcCosine{Order: 1}}}}, normals},
	{"projected frequencies", kernel.Projected{L: mat.NewDense(2, 4, []float64{1, 0, 0.5, 0, 0, -1, 0.3, 0}), Of: kernel.Matern{Nu: 1.5, Length: 1}}, normals},
	{"projected sum of ARD", kernel.Projected{L: mat.NewDense(1, 4, []float64{1, 0, 0.5, 2}), Of: kernel.ARD{Scales: []float64{2}, Of: kernel.Sum{kernel.Gaussian{Sigma: 1}, kernel.Linear{}}}}, normals},
	{"spectral kernel of a user", triangle{2}, normals},
	{"user's in a product, scaled", kernel.Scale{By: 2, Of: kernel.Product{kernel.ARD{Scales: scales, Of: triangle{2}}, kernel.Gaussian{Sigma: 2}}}, normals},
	{"blocks of a user", kernel.Scale{By: 2, Of: kernel.ARD{Scales: scales, Of: signed{}}}, normals},
}

func TestCombinationsUnbiased(t *testing.T) {
	for _, c := range combinations {
		x, z := c.data(6, 4, 1), c.data(5, 4, 2)
		for _, s := range []features.Sampler{features.Auto, features.Independent} {
			m := mapOf(t, c.k, 4, features.Options{Columns: 48, Seed: 4, Sampler: s})
			if worst, _ := worstZ(m, x, z, fewer(2000)); !(worst < 5) {
				t.Errorf("%s, %v: mean is %.1f standard errors from the kernel", c.name, s, worst)
			}
		}
	}
}

// TestExact checks kernels with finitely many features.
func TestExact(t *testing.T) {
	x, z := histograms(7, 4, 1), histograms(5, 4, 2)
	lowRank := kernel.LowRank{Base: kernel.Gaussian{Sigma: 1}, Points: mat.NewDense(5, 4, z.Data), Weights: []float64{1, 0, 2, 3, 0.5}}
	for _, c := range []struct {
		k       kernel.Kernel
		columns int
	}{
		{kernel.Linear{}, 4},
		{kernel.Hellinger{}, 4},
		{lowRank, 5},
		{kernel.Scale{By: 2, Of: kernel.ARD{Scales: scales, Of: kernel.Hellinger{}}}, 4},
		{kernel.Sum{kernel.Linear{}, lowRank, kernel.Scale{By: 3, Of: kernel.Hellinger{}}}, 13},
	} {
		m := mapOf(t, c.k, 4, features.Options{Columns: 16})
		if !features.Exact(m) || m.Columns() != c.columns {
			t.Errorf("%v: exact is %v, %d columns, want %d", c.k, features.Exact(m), m.Columns(), c.columns)
		}
		got, _ := estimates(m, x, z, 0, 1)
		for i, want := range exactly(c.k, x, z).Data {
			if math.Abs(got.Data[i]-want) > 1e-14*math.Max(1, want) {
				t.Fatalf("%v: %v, want %v", c.k, got.Data[i], want)
			}
		}
	}
}

// TestTooManyColumns checks that kernels with too many exact features use unbiased random features.
func TestTooManyColumns(t *testing.T) {
	x, z := histograms(4, 9, 1), histograms(4, 9, 2)
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Hellinger{}} {
		m := mapOf(t, k, 9, features.Options{Columns: 8})
		if features.Exact(m) || m.Columns() != 8 {
			t.Errorf("%v: exact is %v, %d columns", k, features.Exact(m), m.Columns())
		}
		if worst, _ := worstZ(m, x, z, fewer(2000)); !(worst < 5) {
			t.Errorf("%v: mean is %.1f standard errors from the kernel", k, worst)
		}
	}
}

// TestSumSplitsColumns checks the documented rule.
func TestSumSplitsColumns(t *testing.T) {
	k := kernel.Sum{kernel.Gaussian{Sigma: 1}, kernel.Linear{}, kernel.Laplacian{Sigma: 1}, kernel.ArcCosine{Order: 1}}
	// 3 of 50 columns are for Linear. The remaining 47 make 23 pairs: 8, 8 and 7.
	if m := mapOf(t, k, 3, features.Options{Columns: 50}); m.Columns() != 3+16+16+14 {
		t.Errorf("%d columns", m.Columns())
	}
}

// triangle is the kernel Π max(0, 1 − |x_i − z_i|/A). Its frequency density (1 − cos Aw)/(πAw²) is
// sampled by rejection as a function of uniforms.
type triangle struct{ A float64 }

func (k triangle) Eval(x, y []float64) float64 {
	p := 1.0
	for i, v := range x {
		p *= math.Max(0, 1-math.Abs(v-y[i])/k.A)
	}
	return p
}

const tries = 12 // of probability ½ each; the remaining bias is 2^−12

func (k triangle) Representation(int) kernel.Representation {
	return kernel.Representation{Of: k, Gain: 1, Family: kernel.FourierTransform{Of: k}}
}

func (k triangle) Uniforms(d int) int { return 3 * tries * d }

// FromUniforms draws from the envelope min(1, 4/t²)/(2π), t = Aw, and accepts with the ratio of the
// density of t to the envelope.
func (k triangle) FromUniforms(w, u []float64, _ int) {
	for i := range w {
		w[i] = k.frequency(u[3*tries*i:][:3*tries])
	}
}

func (k triangle) frequency(u []float64) float64 {
	t := 0.0
	for ; len(u) > 0; u = u[3:] {
		// Half of the mass of the envelope is in [−2, 2].
		t = 4*u[0] - 2
		if u[1] < 0.5 {
			t = math.Copysign(2/math.Abs(2*u[0]-1), t)
		}
		if u[2]*min(1, 4/(t*t)) < 2*(1-math.Cos(t))/(t*t) {
			break
		}
	}
	return t / k.A
}

// signed is the linear kernel with blocks that draw their own signs.
type signed struct{ kernel.Linear }

func (k signed) Representation(int) kernel.Representation {
	return kernel.Representation{Of: k, Gain: 1, Family: features.Blocks(signedBlocks)}
}

func signedBlocks(seed uint64, d, columns int) features.Block {
	w := compute.NewMatrix(columns, d)
	compute.Uniforms(w.Data, compute.Address{Seed: seed}, 0)
	for i, u := range w.Data {
		w.Data[i] = math.Copysign(1/math.Sqrt(float64(columns)), u-0.5)
	}
	return signedBlock{w}
}

type signedBlock struct{ w compute.Matrix }

func (b signedBlock) TransformTo(dst, x blas64.General) {
	for i := range dst.Rows {
		clear(rowOf(dst, i))
	}
	compute.MulNT(dst, x, b.w, 0)
}

func (b signedBlock) Bytes() int { return 8 * len(b.w.Data) }

type plain struct{}

func (plain) Eval(x, y []float64) float64 { return 1 }
func (plain) String() string              { return "plain{}" }

func TestBadInput(t *testing.T) {
	g := kernel.Gaussian{Sigma: 1}
	long := make(kernel.Product, 8)
	for i := range long {
		long[i] = kernel.Sum{g, kernel.Laplacian{Sigma: 1}}
	}
	for _, c := range []struct {
		name    string
		k       kernel.Kernel
		d       int
		opts    features.Options
		want    error
		message string
	}{
		{"no kernel", nil, 3, features.Options{}, rkhs.ErrOption, "nil"},
		{"a parameter", kernel.Gaussian{}, 3, features.Options{}, rkhs.ErrOption, "Sigma"},
		{"no columns of x", g, 0, features.Options{}, rkhs.ErrShape, ""},
		{"columns of ARD", kernel.ARD{Scales: scales, Of: g}, 3, features.Options{}, rkhs.ErrShape, ""},
		{"odd columns", g, 3, features.Options{Columns: 7}, rkhs.ErrOption, "Columns"},
		{"negative columns", g, 3, features.Options{Columns: -2}, rkhs.ErrOption, "Columns"},
		{"too many columns", kernel.Polynomial{Degree: 2}, 3, features.Options{Columns: 1 << 40}, rkhs.ErrOption, "Columns"},
		{"workers", g, 3, features.Options{Workers: -1}, rkhs.ErrOption, "Workers"},
		{"sampler", g, 3, features.Options{Sampler: 17}, rkhs.ErrOption, "Sampler(17)"},
		{"a user's kernel", plain{}, 3, features.Options{}, rkhs.ErrOption, "plain{}"},
		{"a user's kernel in a sum", kernel.Sum{g, plain{}}, 3, features.Options{}, rkhs.ErrOption, "plain{}"},
		{"blocks in a product", kernel.Product{g, signed{}}, 3, features.Options{}, rkhs.ErrOption, "product"},
		{"orthogonal", kernel.Laplacian{Sigma: 1}, 3, features.Options{Sampler: features.Orthogonal}, rkhs.ErrOption, "Orthogonal"},
		{"Fastfood", kernel.Cauchy{Sigma: 1}, 3, features.Options{Sampler: features.Fastfood}, rkhs.ErrOption, "Fastfood"},
		{"Fastfood of units", kernel.ArcCosine{}, 3, features.Options{Sampler: features.Fastfood}, rkhs.ErrOption, "Fastfood"},
		{"Sobol", g, 257, features.Options{Sampler: features.Sobol}, rkhs.ErrOption, "257"},
		{"Sobol of a polynomial", kernel.Polynomial{Degree: 2}, 3, features.Options{Sampler: features.Sobol}, rkhs.ErrOption, "Sobol"},
		{"many terms", long, 3, features.Options{Columns: 64}, rkhs.ErrOption, "Columns"},
		{"coefficients", kernel.DotProduct{Coefficients: []float64{1e308, 1e308}}, 3, features.Options{}, rkhs.ErrOption, "overflow"},
		{"binomials", kernel.Product{g, kernel.Polynomial{Degree: 1000, Offset: 3}}, 3, features.Options{}, rkhs.ErrOption, "overflow"},
		{"overflow", kernel.Dirichlet{Sigma: 1}, 700, features.Options{}, rkhs.ErrOption, "overflow"},
		{"leverage without points", g, 3, features.Options{Leverage: &features.Leverage{}}, rkhs.ErrEmpty, "Points"},
		{"leverage of other columns", g, 3, features.Options{Leverage: &features.Leverage{Points: mat.NewDense(2, 2, nil)}}, rkhs.ErrShape, "Points"},
		{"ridge", g, 3, features.Options{Leverage: &features.Leverage{Points: mat.NewDense(2, 3, nil), Ridge: -1}}, rkhs.ErrOption, "Ridge"},
		{"candidates", g, 3, features.Options{Leverage: &features.Leverage{Points: mat.NewDense(2, 3, nil), Candidates: 1}}, rkhs.ErrOption, "Candidates"},
		{"leverage of a polynomial", kernel.Polynomial{Degree: 2}, 3, features.Options{Leverage: &features.Leverage{Points: mat.NewDense(2, 3, nil)}}, rkhs.ErrOption, "Leverage"},
		{"leverage of coordinates", kernel.ARD{Scales: scales[:3], Of: kernel.Intersection{}}, 3, features.Options{Leverage: &features.Leverage{Points: mat.NewDense(2, 3, nil)}}, rkhs.ErrOption, "Leverage"},
		{"leverage of Fastfood", g, 3, features.Options{Sampler: features.Fastfood, Leverage: &features.Leverage{Points: mat.NewDense(2, 3, nil)}}, rkhs.ErrOption, "Leverage"},
	} {
		_, err := features.New(c.k, c.d, c.opts)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "features: ") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestSizes checks that blocks reject arguments of the wrong size.
func TestSizes(t *testing.T) {
	for _, c := range combinations {
		b := mapOf(t, c.k, 4, features.Options{Columns: 16}).Block(0)
		for _, s := range [][2]int{{3, 16}, {4, 14}, {4, 0}} {
			if c.name == "blocks of a user" {
				continue // it checks its own arguments
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %d columns of x, %d of dst: no panic", c.name, s[0], s[1])
					}
				}()
				b.TransformTo(compute.NewMatrix(2, s[1]), compute.NewMatrix(2, s[0]))
			}()
		}
	}
}
