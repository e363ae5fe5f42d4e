package kernel_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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

// A function of the inner product gets all inner products at once.
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

// Outside makes it a kernel.Domain.
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

// Parameters out of range are refused by name wherever the kernel is used.
func ExampleValidator() {
	var k kernel.Validator = kernel.Gaussian{Sigma: -1}
	fmt.Println(k.Validate(2))
	// Output: kernel: Gaussian.Sigma is -1, want a positive number between 1e-150 and 1e+150: invalid option
}

// What the parameters of a kernel mean, so that a search knows what it changes.
func ExampleLengthScaled() {
	for _, k := range []kernel.Kernel{
		kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 2}, kernel.Dirichlet{Sigma: 3},
		kernel.ARD{Scales: []float64{1, 4}, Of: kernel.Gaussian{Sigma: 1}},
	} {
		switch k := k.(type) {
		case kernel.LengthScaled:
			fmt.Println(k, "has a length, and is one of ‖x−z‖²:", k.Distance() == kernel.SquaredEuclidean)
		case kernel.Harmonic:
			fmt.Println(k, "has a frequency, of amplitude", k.Amplitude())
		case kernel.CoordinateScaled:
			fmt.Println("each coordinate has a scale for", k.Unscaled())
		}
	}
	// Output:
	// kernel.Gaussian{Sigma: 2} has a length, and is one of ‖x−z‖²: true
	// kernel.Laplacian{Sigma: 2} has a length, and is one of ‖x−z‖²: false
	// kernel.Dirichlet{Sigma: 3} has a frequency, of amplitude 2
	// each coordinate has a scale for kernel.Gaussian{Sigma: 1}
}

// The derivatives by the scales of the coordinates. Of the kernel
// exp(−Precision·‖x−z‖²) they are products of matrices.
func ExampleScaleDifferentiable() {
	var k kernel.ScaleDifferentiable = kernel.Gaussian{Sigma: 1}
	gradient := make([]float64, 2)
	k.ScaleGradient(gradient, []float64{0, 0}, []float64{1, 2})
	fmt.Printf("%.4f\n", gradient)
	if q, ok := k.(kernel.LogQuadratic); ok {
		fmt.Println(q.Precision())
	}
	// Output:
	// [0.0821 0.3283]
	// 0.5
}

// What a learner reports of the search for its kernel: the ridge for other numbers of
// rows follows from the noise.
func ExampleChoice() {
	best := kernel.Trial{Kernel: kernel.Gaussian{Sigma: 2}, Noise: 0.5, Rows: 1000, Error: 0.12}
	c := kernel.Choice{Trial: best, Exact: best, Curve: []kernel.Trial{best}}
	fmt.Println(c.Kernel, c.Error, c.Ridge(1000), c.Ridge(1e6))
	// Output: kernel.Gaussian{Sigma: 2} 0.12 0.0005 5e-07
}

// The random features of a kernel are those of its family.
func ExampleHomogeneous() {
	for _, k := range []kernel.Kernel{kernel.Matern{Nu: 1.5, Length: 1}, kernel.ReciprocalSemigroup{Lambda: 1}, kernel.Intersection{}} {
		r, err := kernel.RepresentationOf(k, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		switch r.Family.(type) {
		case kernel.FourierTransform:
			fmt.Println(k, "is an expectation of cos <w, x−z>")
		case kernel.LaplaceTransform:
			fmt.Println(k, "is one of exp(−<w, x+z>)")
		case kernel.Homogeneous:
			fmt.Println(k, "is a sum of √(x·z)·cos(w·log(x/z))")
		}
	}
	// Output:
	// kernel.Matern{Nu: 1.5, Length: 1} is an expectation of cos <w, x−z>
	// kernel.ReciprocalSemigroup{Lambda: 1} is one of exp(−<w, x+z>)
	// kernel.Intersection{} is a sum of √(x·z)·cos(w·log(x/z))
}

// Near the diagonal a kernel is its value there to rounding; what it is less is not.
func ExampleLengthScaled_lessDiagonal() {
	less := make([]float64, 2)
	for _, k := range []kernel.LengthScaled{kernel.Gaussian{Sigma: 1}, kernel.Laplacian{Sigma: 1}} {
		k.LessDiagonal(less, []float64{1e-20, 2})
		fmt.Printf("%.4g\n", less)
	}
	// Output:
	// [-5e-21 -0.6321]
	// [-1e-20 -0.8647]
}

// Sums of functions of one space, points that agree once.
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

// What a fit may learn about the columns is an option of it; one that is not among the
// constants is refused.
func ExampleMetric() {
	for _, m := range []kernel.Metric{kernel.AutoMetric, kernel.DiagonalMetric, 9} {
		fmt.Println(m, m.Valid())
	}
	// Output:
	// AutoMetric true
	// DiagonalMetric true
	// Metric(9) false
}
