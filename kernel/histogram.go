package kernel

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// The additive kernels of this file compare histograms: points with x_i ≥ 0,
// most often of sum 1. Each is homogeneous of degree 1, k(cx, cz) = c·k(x, z),
// and k(x, x) = Σ_i x_i. Source: Vedaldi and Zisserman, "Efficient additive
// kernels via explicit feature maps", IEEE PAMI 34 (2012), table 1.

// AdditiveChiSquared is the kernel
//
//	k(x, z) = Σ_i 2·x_i·z_i / (x_i + z_i),  with 0/0 = 0,
//
// on x_i ≥ 0. It is Σ x_i/2 + Σ z_i/2 less half of the χ² distance.
type AdditiveChiSquared struct{}

func (AdditiveChiSquared) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	var s, t float64
	for len(x) >= 2 && len(y) >= 2 {
		s += x[0] * (y[0] / (x[0] + y[0] + tiny))
		t += x[1] * (y[1] / (x[1] + y[1] + tiny))
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		s += x[0] * (y[0] / (x[0] + y[0] + tiny))
	}
	return 2 * (s + t)
}

// tiny makes 0/0 into 0 and is lost in any sum of which it is no rounding error.
const tiny = 0x1p-1022

func (k AdditiveChiSquared) row(dst, x []float64, z blas64.General) {
	for j := range dst {
		dst[j] = k.Eval(x, compute.Row(z, j))
	}
}

func (k AdditiveChiSquared) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: Homogeneous{quantile.Sech, quantile.SechDensity}}
}

func (k AdditiveChiSquared) outside(x []float64) (int, string) { return negative(x) }
func (k AdditiveChiSquared) String() string                    { return literal(k) }
func (k AdditiveChiSquared) engine(Kernel) gram.Engine         { return gram.Loop(k.row) }

// Hellinger is the kernel
//
//	k(x, z) = Σ_i √(x_i·z_i)
//
// on x_i ≥ 0, the inner product of the elementwise square roots; also called the
// Bhattacharyya coefficient.
type Hellinger struct{}

func (Hellinger) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	s := 0.0
	for i, v := range x {
		s += math.Sqrt(v) * math.Sqrt(y[i])
	}
	return s
}

func (Hellinger) engine(Kernel) gram.Engine {
	return gram.Mapped(gram.Roots{}, gram.EngineOf(Linear{}))
}

func (k Hellinger) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Embedding: gram.Roots{}, Family: Linear{}}
}

func (k Hellinger) outside(x []float64) (int, string) { return negative(x) }
func (k Hellinger) String() string                    { return literal(k) }

// Intersection is the histogram intersection kernel
//
//	k(x, z) = Σ_i min(x_i, z_i)
//
// on x_i ≥ 0.
type Intersection struct{}

func (Intersection) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += min(x[0], y[0])
		s1 += min(x[1], y[1])
		s2 += min(x[2], y[2])
		s3 += min(x[3], y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += min(v, y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func (k Intersection) row(dst, x []float64, z blas64.General) {
	for j := range dst {
		dst[j] = k.Eval(x, compute.Row(z, j))
	}
}

func (k Intersection) engine(Kernel) gram.Engine { return gram.Loop(k.row) }

func (k Intersection) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: Homogeneous{scaled(quantile.Cauchy, 0.5).Quantile, halfCauchyDensity}}
}

func (k Intersection) outside(x []float64) (int, string) { return negative(x) }
func (k Intersection) String() string                    { return literal(k) }

// negative returns the first column of x that is negative.
func negative(x []float64) (int, string) {
	for i, v := range x {
		if v < 0 {
			return i, "is negative"
		}
	}
	return -1, ""
}
