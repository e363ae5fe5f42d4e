package kernel

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// ExponentialSemigroup is the kernel
//
//	k(x, z) = exp(−Beta·Σ_i √(x_i + z_i))
//
// on x_i ≥ 0. Source: Yang, Sindhwani, Fan, Avron and Mahoney, "Random Laplace feature maps for semigroup kernels on
// histograms", CVPR 2014.
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

func (k ExponentialSemigroup) row(dst, x []float64, z compute.Matrix) {
	for j := range dst {
		dst[j] = -k.Beta * k.sum(x, compute.Row(z, j))
	}
	compute.Exp(dst, dst)
}

func (k ExponentialSemigroup) structure() gram.Structure { return gram.Structure{Row: k.row} }

func (k ExponentialSemigroup) logGradient(dst, x, y []float64) int {
	t := k.Beta * k.sum(x, y)
	dst[0] = -t * math.Exp(-t)
	return 1
}

func (k ExponentialSemigroup) family() (Kernel, any) {
	return k, LaplaceTransform{scaled(quantile.Levy, k.Beta*k.Beta)}
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

// ReciprocalSemigroup is the kernel
//
//	k(x, z) = Π_i Lambda / (x_i + z_i + Lambda)
//
// on x_i ≥ 0. Source: as for ExponentialSemigroup.
type ReciprocalSemigroup struct {
	Lambda float64 // positive
}

// Eval divides once: two chains of products make the denominator.
func (k ReciprocalSemigroup) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	inverse := 1 / k.Lambda
	p, q := 1.0, 1.0
	for len(x) >= 2 && len(y) >= 2 {
		p *= 1 + (x[0]+y[0])*inverse
		q *= 1 + (x[1]+y[1])*inverse
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		p *= 1 + (x[0]+y[0])*inverse
	}
	return 1 / (p * q)
}

func (k ReciprocalSemigroup) logGradient(dst, x, y []float64) int {
	s := 0.0
	for i, v := range x {
		u := v + y[i]
		s += u / (u + k.Lambda)
	}
	dst[0] = s * k.Eval(x, y)
	return 1
}

func (k ReciprocalSemigroup) family() (Kernel, any) {
	return k, LaplaceTransform{scaled(quantile.Exponential, 1/k.Lambda)}
}

func (k ReciprocalSemigroup) validate(int) error {
	return checkLength("ReciprocalSemigroup.Lambda", k.Lambda)
}
func (k ReciprocalSemigroup) parameters() []Parameter           { return []Parameter{{"Lambda", k.Lambda}} }
func (k ReciprocalSemigroup) withParameters(v []float64) Kernel { return ReciprocalSemigroup{only(v)} }
func (k ReciprocalSemigroup) outside(x []float64) (int, string) { return negative(x) }
func (k ReciprocalSemigroup) String() string                    { return literal(k) }
