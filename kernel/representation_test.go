package kernel_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
	. "github.com/rkhs-go/rkhs/kernel"
)

// Secant is Π sech((x_i−z_i)/2), the Fourier transform of independent frequencies of
// the density sech πw.
type Secant struct{}

func (Secant) Eval(x, y []float64) float64 {
	p := 1.0
	for i, v := range x {
		p /= math.Cosh((v - y[i]) / 2)
	}
	return p
}

func (k Secant) Representation(int) Representation {
	frequencies := Separable{Quantile: func(u []float64) {
		for i, p := range u {
			u[i] = math.Log(math.Tan(math.Pi*p/2)) / math.Pi
		}
	}}
	return Representation{Of: k, Gain: 1, Family: FourierTransform{Of: frequencies}}
}

// A user-defined kernel with a representation has random features.
func ExampleRepresented() {
	compare(Secant{}, features.Sobol)
	// Output: 0.79, want 0.79
}

// LogGaussian is exp(−‖log x − log z‖²/2) on x_i > 0.
type LogGaussian struct{}

func (LogGaussian) Eval(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		d := math.Log(v / y[i])
		s += d * d
	}
	return math.Exp(-s / 2)
}

func (k LogGaussian) Representation(dim int) Representation {
	logarithms := func(dst, x []float64) {
		for i, v := range x {
			dst[i] = math.Log(v)
		}
	}
	return Representation{Of: k, Gain: 1, Map: logarithms, Width: dim, Family: FourierTransform{Of: Isotropic{Scale: 1}}}
}

// A Gaussian of the logarithms of the points uses the features of the Gaussian.
func ExampleRepresentation() {
	compare(LogGaussian{}, features.Sobol)
	// Output: 0.72, want 0.72
}

// Waves is the kernel ½·cos(x_0−z_0) + ½·cos(x_1−z_1): frequencies along one of the
// first two axes.
type Waves struct{}

func (Waves) Eval(x, y []float64) float64 { return (math.Cos(x[0]-y[0]) + math.Cos(x[1]-y[1])) / 2 }

func (k Waves) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: FourierTransform{Of: k}}
}

func (Waves) Uniforms(int) int { return 1 }

func (Waves) FromUniforms(w, u []float64, dim int) {
	clear(w)
	for i, v := range u {
		axis := int(2 * v)
		w[i*dim+axis] = math.Copysign(1, math.Mod(4*v, 2)-1)
	}
}

// The distribution of frequencies need be neither isotropic nor independent by coordinate.
func ExampleDistribution() {
	compare(Waves{}, features.Sobol)
	// Output: 0.54, want 0.54
}

// compare prints an inner product of features and the value of the kernel.
func compare(k Kernel, s features.Sampler) {
	m, err := features.New(k, 2, features.Options{Columns: 4096, Sampler: s})
	if err != nil {
		log.Fatal(err)
	}
	x := mat.NewDense(2, 2, []float64{1, 2, 2, 3})
	phi, err := features.NewTransformer(m).Transform(x)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f, want %.2f\n", mat.Dot(phi.RowView(0), phi.RowView(1)), k.Eval(x.RawRowView(0), x.RawRowView(1)))
}
