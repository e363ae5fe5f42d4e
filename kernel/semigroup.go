package kernel

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// ExponentialSemigroup is the kernel
//
//	k(x, z) = exp(−Beta·Σ_i √(x_i + z_i))
//
// on x_i ≥ 0. Source: Yang, Sindhwani, Fan, Avron and Mahoney, "Random Laplace
// feature maps for semigroup kernels on histograms", CVPR 2014.
type ExponentialSemigroup struct {
	Beta float64 // positive
}

func (k ExponentialSemigroup) Eval(x, y []float64) float64 { return math.Exp(-k.Beta * k.sum(x, y)) }

func (ExponentialSemigroup) sum(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	var s, t float64
	for len(x) >= 2 && len(y) >= 2 {
		s += math.Sqrt(x[0] + y[0])
		t += math.Sqrt(x[1] + y[1])
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		s += math.Sqrt(x[0] + y[0])
	}
	return s + t
}

func (k ExponentialSemigroup) row(dst, x []float64, z blas64.General) {
	for j := range dst {
		dst[j] = -k.Beta * k.sum(x, compute.Row(z, j))
	}
	compute.Exp(dst, dst)
}

func (k ExponentialSemigroup) logGradient(dst, x, y []float64) int {
	t := k.Beta * k.sum(x, y)
	dst[0] = -t * math.Exp(-t)
	return 1
}

func (k ExponentialSemigroup) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: LaplaceTransform{scaled(quantile.Levy, k.Beta*k.Beta)}}
}

func (k ExponentialSemigroup) validate(int) error {
	return checkLength("ExponentialSemigroup.Beta", k.Beta)
}

func (k ExponentialSemigroup) parameters() []Parameter { return []Parameter{{"Beta", k.Beta}} }

func (k ExponentialSemigroup) withParameters(v []float64) Kernel {
	return ExponentialSemigroup{only(v)}
}

func (k ExponentialSemigroup) outside(x []float64) (int, string) { return negative(x) }
func (k ExponentialSemigroup) String() string                    { return literal(k) }
func (k ExponentialSemigroup) engine(Kernel) gram.Engine         { return gram.Loop(k.row) }

// ReciprocalSemigroup is the kernel
//
//	k(x, z) = Π_i Lambda / (x_i + z_i + Lambda)
//
// on x_i ≥ 0. Source: Yang, Sindhwani, Fan, Avron and Mahoney, "Random Laplace
// feature maps for semigroup kernels on histograms", CVPR 2014.
type ReciprocalSemigroup struct {
	Lambda float64 // positive
}

func (k ReciprocalSemigroup) Eval(x, y []float64) float64 {
	return 1 / k.denominator(x, gram.SameLength(x, y), 1/k.Lambda)
}

// denominator divides nothing: the one division of a value is left to the caller.
func (ReciprocalSemigroup) denominator(x, y []float64, inverse float64) float64 {
	p, q := 1.0, 1.0
	for len(x) >= 2 && len(y) >= 2 {
		p *= 1 + (x[0]+y[0])*inverse
		q *= 1 + (x[1]+y[1])*inverse
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		p *= 1 + (x[0]+y[0])*inverse
	}
	return p * q
}

func (k ReciprocalSemigroup) row(dst, x []float64, z blas64.General) {
	inverse := 1 / k.Lambda
	for j := range dst {
		dst[j] = 1 / k.denominator(x, compute.Row(z, j), inverse)
	}
}

func (k ReciprocalSemigroup) engine(Kernel) gram.Engine { return gram.Loop(k.row) }

func (k ReciprocalSemigroup) logGradient(dst, x, y []float64) int {
	s := 0.0
	for i, v := range x {
		u := v + y[i]
		s += u / (u + k.Lambda)
	}
	dst[0] = s * k.Eval(x, y)
	return 1
}

func (k ReciprocalSemigroup) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: LaplaceTransform{scaled(quantile.Exponential, 1/k.Lambda)}}
}

func (k ReciprocalSemigroup) validate(int) error {
	return checkLength("ReciprocalSemigroup.Lambda", k.Lambda)
}

func (k ReciprocalSemigroup) parameters() []Parameter           { return []Parameter{{"Lambda", k.Lambda}} }
func (k ReciprocalSemigroup) withParameters(v []float64) Kernel { return ReciprocalSemigroup{only(v)} }
func (k ReciprocalSemigroup) outside(x []float64) (int, string) { return negative(x) }
func (k ReciprocalSemigroup) String() string                    { return literal(k) }
