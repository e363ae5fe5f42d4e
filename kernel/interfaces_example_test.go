package kernel_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// Exponential is the kernel exp(<x, z>).
type Exponential struct{}

func (Exponential) Eval(x, y []float64) float64 { return math.Exp(floats.Dot(x, y)) }

func (Exponential) OfInnerProduct(s []float64) {
	for i, v := range s {
		s[i] = math.Exp(v)
	}
}

// A kernel of the inner product computes a function of many inner products at once.
func ExampleInnerProduct() {
	var k kernel.InnerProduct = Exponential{}
	var g mat.SymDense
	err := kernel.Gram(&g, k, mat.NewDense(2, 2, []float64{1, 0, 0.5, 2}))
	fmt.Printf("%.3f %v\n", mat.Formatted(&g), err)
	// Output:
	// ⎡ 2.718   1.649⎤
	// ⎣ 1.649  70.105⎦ <nil>
}

// Cosine is the cosine of the angle between two points other than zero.
type Cosine struct{}

func (Cosine) Eval(x, y []float64) float64 {
	return floats.Dot(x, y) / floats.Norm(x, 2) / floats.Norm(y, 2)
}

// Outside implements kernel.Domain.
func (Cosine) Outside(x []float64) (int, string) {
	if floats.Norm(x, 2) == 0 {
		return 0, "is the first of a row of zeros"
	}
	return -1, ""
}

// A kernel with a domain returns an error for rows outside of it.
func ExampleDomain() {
	var k kernel.Domain = Cosine{}
	var g mat.SymDense
	fmt.Println(kernel.Gram(&g, k, mat.NewDense(2, 2, []float64{1, 0, 3, 3})))
	fmt.Printf("%.4f\n", mat.Formatted(&g))
	fmt.Println(kernel.Gram(&g, k, mat.NewDense(2, 2, []float64{1, 0, 0, 0})))
	// Output:
	// <nil>
	// ⎡1.0000  0.7071⎤
	// ⎣0.7071  1.0000⎦
	// kernel: x at row 1, column 0: 0 is the first of a row of zeros: value is outside the domain
}

// A learner reports the search for its kernel. The noise gives the ridge for any number of
// rows.
func ExampleSearchResult() {
	best := kernel.Trial{Kernel: kernel.Gaussian{Sigma: 2}, Noise: 0.5, Rows: 1000, Error: 0.12}
	c := kernel.SearchResult{Trial: best, Exact: best, Curve: []kernel.Trial{best}}
	fmt.Println(c.Kernel, c.Error, c.Ridge(1000), c.Ridge(1e6))
	// Output: kernel.Gaussian{Sigma: 2} 0.12 0.0005 5e-07
}

// The sum of two functions contains equal points once.
func ExampleExpansion_Add() {
	f := kernel.Expansion{Kernel: kernel.Linear{}, Points: mat.NewDense(2, 1, []float64{1, 2}), Weights: mat.NewDense(2, 1, []float64{1, 1})}
	g := kernel.Expansion{Kernel: kernel.Linear{}, Points: mat.NewDense(1, 1, []float64{2}), Weights: mat.NewDense(1, 1, []float64{3})}
	sum, err := f.Add(-1, g)
	fmt.Println(sum.ModelOrder(), mat.Formatted(sum.Weights.T()), err)
	inputs, outputs := sum.Dims()
	fmt.Println(inputs, outputs)
	// Output:
	// 2 [ 1  -2] <nil>
	// 1 1
}

// The option Metric selects the map of the columns that a fit may learn. Any other value is an
// error.
func ExampleMetric() {
	for _, m := range []kernel.Metric{kernel.AutoMetric, kernel.DiagonalMetric, 9} {
		fmt.Println(m, m.Valid())
	}
	// Output:
	// AutoMetric true
	// DiagonalMetric true
	// Metric(9) false
}

// Bump is the kernel Π_i max(0, 1 − |x_i−z_i|/Width) with a parameter that can be learned.
type Bump struct{ Width float64 }

func (k Bump) Eval(x, y []float64) float64 {
	p := 1.0
	for i, v := range x {
		p *= max(0, 1-math.Abs(v-y[i])/k.Width)
	}
	return p
}

// Validate implements kernel.Validator.
func (k Bump) Validate(int) error {
	if !(k.Width > 0) {
		return fmt.Errorf("Bump.Width is %v, want a positive number: %w", k.Width, rkhs.ErrOption)
	}
	return nil
}

// Parameters, WithParameters and LogGradient implement kernel.Parametric.
func (k Bump) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "Width", Value: k.Width}}
}
func (k Bump) WithParameters(v []float64) kernel.Kernel { return Bump{v[0]} }
func (k Bump) LogGradient(dst, x, y []float64) (count int) {
	dst[0] = 0
	for i, v := range x {
		if d := math.Abs(v - y[i]); d < k.Width {
			dst[0] += k.Eval(x, y) * d / (k.Width - d)
		}
	}
	return 1
}

// ScaleGradient implements kernel.ScaleDifferentiable. ARD uses it for gradients with respect to its scales.
func (k Bump) ScaleGradient(dst, x, y []float64) {
	for i, v := range x {
		dst[i] = 0
		if d := math.Abs(v - y[i]); d < k.Width {
			dst[i] = k.Eval(x, y) * d / (k.Width - d)
		}
	}
}

// A user-defined kernel can have parameters, their gradients and their checks.
func ExampleParametric() {
	var k kernel.Parametric = Bump{Width: 2}
	var _ kernel.ScaleDifferentiable = Bump{}
	var check kernel.Validator = Bump{}
	fmt.Println(check.Validate(1))
	scaled := kernel.ARD{Scales: []float64{1, 2}, Of: k}
	for _, p := range kernel.Parameters(scaled) {
		fmt.Println(p.Name, p.Value)
	}
	// Output:
	// Bump.Width is 0, want a positive number: invalid option
	// Scales[0] 1
	// Scales[1] 2
	// Of.Width 2
}

// Check reports rows and parameters that a kernel does not accept.
func ExampleCheck() {
	fmt.Println(kernel.Check(kernel.Gaussian{Sigma: -1}, mat.NewDense(1, 1, nil)))
	fmt.Println(kernel.Check(kernel.Intersection{}, mat.NewDense(1, 2, []float64{1, -1})))
	// Output:
	// kernel: Gaussian.Sigma is -1, want a positive number between 1e-150 and 1e+150: invalid option
	// kernel: x at row 0, column 1: -1 is negative: value is outside the domain
}

// Chi is the additive χ² kernel under another name, with the random features of its family.
type Chi struct{}

func (Chi) Eval(x, y []float64) float64 { return kernel.AdditiveChiSquared{}.Eval(x, y) }

func (k Chi) Representation(int) kernel.Representation {
	sech := func(u []float64) {
		for i, v := range u {
			u[i] = math.Log(math.Tan(math.Pi*v/2)) / math.Pi
		}
	}
	return kernel.Representation{Of: k, Gain: 1, Family: kernel.Homogeneous{Quantile: sech}}
}

// Decay is the kernel 1/(1 + x + z) of numbers x ≥ 0: E[exp(−w·(x+z))] for w exponentially distributed.
type Decay struct{}

func (Decay) Eval(x, y []float64) float64 { return 1 / (1 + x[0] + y[0]) }

func (k Decay) Representation(int) kernel.Representation {
	exponential := func(u []float64) {
		for i, v := range u {
			u[i] = -math.Log1p(-v)
		}
	}
	return kernel.Representation{Of: k, Gain: 1, Family: kernel.LaplaceTransform{Of: kernel.Separable{Quantile: exponential}}}
}

// Kernels of nonnegative points can have random features.
func ExampleHomogeneous() {
	x := mat.NewDense(2, 1, []float64{1, 0.5})
	for _, k := range []kernel.Represented{Chi{}, Decay{}} {
		m, err := features.New(k, 1, features.Options{Columns: 1 << 16})
		if err != nil {
			fmt.Println(err)
			return
		}
		phi, err := features.NewTransformer(m).Transform(x)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.1f, want %.1f\n", mat.Dot(phi.RowView(0), phi.RowView(1)), k.Eval(x.RawRowView(0), x.RawRowView(1)))
	}
	// Output:
	// 0.7, want 0.7
	// 0.4, want 0.4
}
