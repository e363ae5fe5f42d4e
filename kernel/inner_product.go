package kernel

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Linear is the kernel
//
//	k(x, z) = <x, z>
//
// on R^d.
type Linear struct{}

func (Linear) Eval(x, y []float64) float64 { return gram.Dot(x, y) }

func (Linear) engine(self Kernel) gram.Engine {
	return gram.Fused(self, compute.Func{Family: compute.InnerProduct})
}

func (k Linear) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: k}
}

func (Linear) OfInnerProduct([]float64)          {}
func (Linear) scaleGradient(dst, x, y []float64) { productsOf(dst, x, y, -2) }
func (k Linear) String() string                  { return literal(k) }

// Polynomial is the kernel
//
//	k(x, z) = (Scale·<x, z> + Offset)^Degree
//
// on R^d. Its functions are the polynomials of d variables up to that degree, or
// of exactly that degree if Offset is zero.
type Polynomial struct {
	Degree int     // 1 to 1000
	Scale  float64 // positive; 0 means 1
	Offset float64 // nonnegative
}

func (k Polynomial) slope() float64 {
	if k.Scale == 0 {
		return 1
	}
	return k.Scale
}

func (k Polynomial) Eval(x, y []float64) float64 {
	return gram.Power(k.slope()*gram.Dot(x, y)+k.Offset, k.Degree)
}

func (k Polynomial) OfInnerProduct(s []float64) {
	a := k.slope()
	for i, v := range s {
		s[i] = gram.Power(a*v+k.Offset, k.Degree)
	}
}

func (k Polynomial) engine(self Kernel) gram.Engine {
	return gram.Fused(self, compute.Func{Family: compute.Polynomial, A: k.slope(), B: k.Offset, P: float64(k.Degree)})
}

const maxDegree = 1000

func (k Polynomial) validate(int) error {
	if k.Degree < 1 || k.Degree > maxDegree {
		return fmt.Errorf("kernel: Polynomial.Degree is %d, want 1 to %d: %w", k.Degree, maxDegree, rkhs.ErrOption)
	}
	if err := checkNonnegative("Polynomial.Scale", k.Scale); err != nil {
		return err
	}
	return checkNonnegative("Polynomial.Offset", k.Offset)
}

func (k Polynomial) parameters() []Parameter {
	return []Parameter{{"Scale", k.slope()}, {"Offset", k.Offset}}
}

func (k Polynomial) withParameters(v []float64) Kernel {
	checkCount(v, 2)
	return Polynomial{Degree: k.Degree, Scale: v[0], Offset: v[1]}
}

func (k Polynomial) logGradient(dst, x, y []float64) int {
	s := k.slope() * gram.Dot(x, y)
	f := float64(k.Degree) * gram.Power(s+k.Offset, k.Degree-1)
	dst[0], dst[1] = f*s, f*k.Offset
	return 2
}

func (k Polynomial) scaleGradient(dst, x, y []float64) {
	f := float64(k.Degree) * gram.Power(k.slope()*gram.Dot(x, y)+k.Offset, k.Degree-1)
	productsOf(dst, x, y, -2*k.slope()*f)
}

func (k Polynomial) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: k}
}

func (k Polynomial) String() string { return literal(k, "Scale") }

// productsOf sets dst_i = factor·x_i·y_i.
func productsOf(dst, x, y []float64, factor float64) {
	y = gram.SameLength(x, y)
	for i, v := range x {
		dst[i] = factor * v * y[i]
	}
}

// DotProduct is the kernel
//
//	k(x, z) = Σ_n Coefficients[n]·<x, z>^n
//
// on R^d. It is positive semidefinite for every d exactly if no coefficient is
// negative. Source: Kar and Karnick, "Random feature maps for dot product
// kernels", AISTATS 2012, theorem 1 (after Schoenberg).
type DotProduct struct {
	Coefficients []float64 // nonnegative
}

func (k DotProduct) Eval(x, y []float64) float64 { return k.horner(gram.Dot(x, y)) }

func (k DotProduct) horner(s float64) float64 {
	v := 0.0
	for n := len(k.Coefficients) - 1; n >= 0; n-- {
		v = v*s + k.Coefficients[n]
	}
	return v
}

// derivative returns dk/ds.
func (k DotProduct) derivative(s float64) float64 {
	v := 0.0
	for n := len(k.Coefficients) - 1; n > 0; n-- {
		v = v*s + float64(n)*k.Coefficients[n]
	}
	return v
}

func (k DotProduct) OfInnerProduct(s []float64) {
	for i, v := range s {
		s[i] = k.horner(v)
	}
}

func (k DotProduct) validate(int) error {
	if len(k.Coefficients) == 0 {
		return fmt.Errorf("kernel: DotProduct.Coefficients is empty: %w", rkhs.ErrOption)
	}
	for n, a := range k.Coefficients {
		if !(a >= 0) || math.IsInf(a, 1) {
			return checkNonnegative(fmt.Sprintf("DotProduct.Coefficients[%d]", n), a)
		}
	}
	return nil
}

func (k DotProduct) parameters() []Parameter {
	p := make([]Parameter, len(k.Coefficients))
	for n, a := range k.Coefficients {
		p[n] = Parameter{fmt.Sprintf("Coefficients[%d]", n), a}
	}
	return p
}

func (k DotProduct) withParameters(v []float64) Kernel {
	checkCount(v, len(k.Coefficients))
	return DotProduct{Coefficients: append([]float64(nil), v...)}
}

func (k DotProduct) logGradient(dst, x, y []float64) int {
	s, p := gram.Dot(x, y), 1.0
	for n, a := range k.Coefficients {
		dst[n] = a * p
		p *= s
	}
	return len(k.Coefficients)
}

func (k DotProduct) scaleGradient(dst, x, y []float64) {
	productsOf(dst, x, y, -2*k.derivative(gram.Dot(x, y)))
}

func (k DotProduct) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: k}
}

func (k DotProduct) engine(self Kernel) gram.Engine { return gram.OfProduct(self, k) }
func (k DotProduct) String() string                 { return literal(k) }
