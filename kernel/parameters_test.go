package kernel_test

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// distanceOf returns the distance of two points by its definition.
func distanceOf(d gram.Distance, x, z []float64) float64 {
	s := 0.0
	for i, v := range x {
		if d == gram.SquaredEuclidean {
			s += (v - z[i]) * (v - z[i])
		} else {
			s += math.Abs(v - z[i])
		}
	}
	return s
}

// TestLengthScaled compares the values of kernels with their declared distance and parameter.
func TestLengthScaled(t *testing.T) {
	x, z := []float64{1, -0.3, 2}, []float64{0.4, 0.5, 1.1}
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 1.3}, kernel.Laplacian{Sigma: 0.7}, kernel.Matern{Nu: 1.5, Length: 2}, kernel.Matern{Nu: 2.2, Length: 0.3}} {
		less, d := make([]float64, 2), gram.Describe(k)
		d.LessDiagonal(less, []float64{0, distanceOf(d.Distance, x, z)})
		if want := k.Eval(x, z) - k.Eval(x, x); less[0] != 0 || math.Abs(less[1]-want) > 1e-14 {
			t.Errorf("%v: %v less the diagonal, want 0 and %v", k, less, want)
		}
		const unit = 3
		wide := d.WithParameters([]float64{unit * d.Parameters[0]})
		u, v := make([]float64, 3), make([]float64, 3)
		for i := range u {
			u[i], v[i] = unit*x[i], unit*z[i]
		}
		if got, want := wide.Eval(u, v), k.Eval(x, z); math.Abs(got-want) > 1e-14 {
			t.Errorf("%v: in another unit %v, want %v", k, got, want)
		}
	}
	less := []float64{1e-20}
	gram.Describe(kernel.Gaussian{Sigma: 1}).LessDiagonal(less, less)
	if less[0] != -0.5e-20 {
		t.Errorf("%v less the diagonal, want -0.5e-20", less[0])
	}
}

func TestHarmonic(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.Dirichlet{Sigma: 1.7}} {
		x, z := []float64{0.3}, []float64{1.9}
		d := gram.Describe(k)
		w := d.Parameters[0]
		got := k.Eval(x, x) - k.Eval(x, z)
		if want := d.Amplitude * (1 - math.Cos(w*(x[0]-z[0]))); math.Abs(got-want) > 1e-14 {
			t.Errorf("%v: %v below the diagonal, want %v", k, got, want)
		}
	}
}

func TestLogQuadratic(t *testing.T) {
	x, z := []float64{1, -0.3}, []float64{0.4, 0.5}
	for _, k := range []kernel.Kernel{kernel.Gaussian{Sigma: 1.7}} {
		if got, want := k.Eval(x, z), math.Exp(-gram.Describe(k).Precision*distanceOf(gram.SquaredEuclidean, x, z)); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v: %v, want %v", k, got, want)
		}
	}
}

func TestUnscaled(t *testing.T) {
	d := gram.Describe(kernel.ARD{Of: kernel.Gaussian{Sigma: 2}})
	if !d.Scaled || d.Unscaled != (kernel.Gaussian{Sigma: 2}) || gram.Describe(kernel.ARD{}).Unscaled != nil {
		t.Errorf("%v is the kernel inside", d.Unscaled)
	}
}
