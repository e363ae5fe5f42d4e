package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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

// OfInnerProduct implements InnerProduct.
func (Linear) OfInnerProduct([]float64) {}

func (k Linear) engine() gram.Engine {
	return gram.Fused(k, compute.Func{Family: compute.InnerProduct})
}
func (Linear) scaleGradient(dst, x, y []float64) { productsOf(dst, x, y, -2) }
func (k Linear) family() (Kernel, any)           { return k, k }
func (k Linear) String() string                  { return literal(k) }

// Polynomial is the kernel
//
//	k(x, z) = (Scale·<x, z> + Offset)^Degree
//
// on R^d. Its functions are the polynomials in d variables up to that degree, or of that degree if Offset is zero.
type Polynomial struct {
	Degree int     // 1 to 1000
	Scale  float64 // positive; 0 means 1
	Offset float64 // nonnegative
}

func (k Polynomial) slope() float64 { return cmp.Or(k.Scale, 1) }

func (k Polynomial) Eval(x, y []float64) float64 {
	return gram.Power(k.slope()*gram.Dot(x, y)+k.Offset, k.Degree)
}

// OfInnerProduct implements InnerProduct.
func (k Polynomial) OfInnerProduct(s []float64) {
	a := k.slope()
	for i, v := range s {
		s[i] = gram.Power(a*v+k.Offset, k.Degree)
	}
}

func (k Polynomial) engine() gram.Engine {
	return gram.Fused(k, compute.Func{Family: compute.Polynomial, A: k.slope(), B: k.Offset, P: float64(k.Degree)})
}

func (k Polynomial) validate(int) error {
	if k.Degree < 1 || k.Degree > 1000 {
		return fmt.Errorf("kernel: Polynomial.Degree is %d, want 1 to 1000: %w", k.Degree, rkhs.ErrOption)
	}
	return cmp.Or(checkNonnegative("Polynomial.Scale", k.Scale), checkNonnegative("Polynomial.Offset", k.Offset))
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

func (k Polynomial) family() (Kernel, any) { return k, k }
func (k Polynomial) String() string        { return literal(k, "Scale") }

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
// on R^d. It is positive semidefinite for every d exactly if no coefficient is negative. Source: Kar and Karnick,
// "Random feature maps for dot product kernels", AISTATS 2012, theorem 1 (after Schoenberg).
type DotProduct struct {
	Coefficients []float64 // nonnegative
}

func (k DotProduct) Eval(x, y []float64) float64 { return k.horner(gram.Dot(x, y)) }

func (k DotProduct) horner(s float64) float64 {
	v := 0.0
	for _, a := range slices.Backward(k.Coefficients) {
		v = v*s + a
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

// OfInnerProduct implements InnerProduct.
func (k DotProduct) OfInnerProduct(s []float64) {
	for i, v := range s {
		s[i] = k.horner(v)
	}
}

func (k DotProduct) validate(int) error {
	if len(k.Coefficients) == 0 {
		return fmt.Errorf("kernel: DotProduct.Coefficients is empty: %w", rkhs.ErrOption)
	}
	return checkEach(checkNonnegative, "DotProduct.Coefficients", k.Coefficients)
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
	return DotProduct{slices.Clone(v)}
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

func (k DotProduct) family() (Kernel, any) { return k, k }
func (k DotProduct) String() string        { return literal(k) }

// ArcCosine is the kernel of order n = 0, 1 or 2
//
//	k(x, z) = (‖x‖·‖z‖)^n · J_n(θ)/π,  θ the angle between x and z,
//	J_0 = π − θ
//	J_1 = sin θ + (π − θ)·cos θ
//	J_2 = 3·sin θ·cos θ + (π − θ)·(1 + 2·cos² θ)
//
// on R^d, the kernel of an infinitely wide layer of units max(0, w·x)^n. Its diagonal is ‖x‖^2n times 1, 1, 3. It is
// zero if x or z is zero. Source: Cho and Saul, "Kernel methods for deep learning", NIPS 2009, eqs. (3) to (6).
type ArcCosine struct {
	Order int // 0, 1 or 2
}

func (k ArcCosine) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	nx, ny := gram.Norm(x), gram.Norm(y)
	if nx == 0 || ny == 0 {
		return 0
	}
	t := gram.Angle(x, y, nx, ny)
	s, c := math.Sincos(t)
	return k.ofAngle(t, s, c) * gram.Power(nx*ny, k.Order)
}

// ofAngle returns J_n(t)/π. s and c are the sine and cosine of t.
func (k ArcCosine) ofAngle(t, s, c float64) float64 {
	switch k.Order {
	case 0:
		return 1 - t/math.Pi
	case 1:
		return (s + (math.Pi-t)*c) / math.Pi
	default:
		return (3*s*c + (math.Pi-t)*(1+2*c*c)) / math.Pi
	}
}

func (k ArcCosine) validate(int) error {
	if k.Order < 0 || k.Order > 2 {
		return fmt.Errorf("kernel: ArcCosine.Order is %d, want 0, 1 or 2: %w", k.Order, rkhs.ErrOption)
	}
	return nil
}

func (k ArcCosine) engine() gram.Engine   { return gram.Angular(k, k.Order, k.ofAngle) }
func (k ArcCosine) family() (Kernel, any) { return k, k }
func (k ArcCosine) String() string        { return literal(k) }
