package kernel

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// SkewedChiSquared is the kernel
//
//	k(x, z) = Π_i 2·√((x_i+C)·(z_i+C)) / (x_i + z_i + 2C)
//
// on x_i > −C. Source: Li, Ionescu and Sminchisescu, "Random Fourier approximations for skewed multiplicative histogram
// kernels", DAGM 2010.
type SkewedChiSquared struct {
	C float64 // shift of the data, nonnegative
}

func (k SkewedChiSquared) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	p := 1.0
	for i, v := range x {
		a, b := v+k.C, y[i]+k.C
		p *= 2 * math.Sqrt(a) * math.Sqrt(b) / (a + b)
	}
	return p
}

// mapRow maps a row to √(x_i+C).
func (k SkewedChiSquared) mapRow(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Sqrt(v + k.C)
	}
}

func (SkewedChiSquared) mappedRow(dst, x []float64, z compute.Matrix) {
	for j := range dst {
		zj := compute.Row(z, j)
		p := 1.0
		for i, a := range x {
			b := zj[i]
			p *= 2 * a * b / (a*a + b*b)
		}
		dst[j] = p
	}
}

func (k SkewedChiSquared) engine() gram.Engine {
	return gram.Mapped(gram.RowEmbedding{Map: k.mapRow}, gram.Loop(k.mappedRow))
}

func (k SkewedChiSquared) logGradient(dst, x, y []float64) int {
	s := 0.0
	for i, v := range x {
		a, b := v+k.C, y[i]+k.C
		// ½(1/a + 1/b) − 2/(a + b), without its cancellation at a = b.
		s += (a - b) / a * ((a - b) / b) / (2 * (a + b))
	}
	dst[0] = k.C * s * k.Eval(x, y)
	return 1
}

func (k SkewedChiSquared) representation(int) gram.Representation {
	family := FourierTransform{Separable{quantile.Sech}}
	return gram.Representation{Of: k, Gain: 1, Embedding: logarithms(k.C), Family: family}
}

func (k SkewedChiSquared) validate(int) error                { return checkNonnegative("SkewedChiSquared.C", k.C) }
func (k SkewedChiSquared) parameters() []Parameter           { return []Parameter{{"C", k.C}} }
func (k SkewedChiSquared) withParameters(v []float64) Kernel { return SkewedChiSquared{only(v)} }
func (k SkewedChiSquared) outside(x []float64) (int, string) { return notAbove(x, -k.C) }
func (k SkewedChiSquared) String() string                    { return literal(k) }

// SkewedIntersection is the kernel
//
//	k(x, z) = Π_i min(√((x_i+C)/(z_i+C)), √((z_i+C)/(x_i+C)))
//
// on x_i > −C: the Laplacian with Sigma = 2 of log(x_i+C). Source: as for SkewedChiSquared.
type SkewedIntersection struct {
	C float64 // shift of the data, nonnegative
}

func (k SkewedIntersection) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	s := 0.0
	for i, v := range x {
		s += math.Abs(math.Log((v + k.C) / (y[i] + k.C)))
	}
	return math.Exp(-s / 2)
}

// mapRow maps a row to log(x_i+C).
func (k SkewedIntersection) mapRow(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Log(v + k.C)
	}
}

func (k SkewedIntersection) engine() gram.Engine {
	return gram.Mapped(gram.RowEmbedding{Map: k.mapRow}, gram.Loop(Laplacian{Sigma: 2}.row))
}

func (k SkewedIntersection) logGradient(dst, x, y []float64) int {
	s := 0.0
	for i, v := range x {
		a, b := v+k.C, y[i]+k.C
		s += math.Abs((a-b)/a) / b
	}
	dst[0] = k.C * s / 2 * k.Eval(x, y)
	return 1
}

func (k SkewedIntersection) representation(int) gram.Representation {
	family := FourierTransform{scaled(quantile.Cauchy, 0.5)}
	return gram.Representation{Of: k, Gain: 1, Embedding: logarithms(k.C), Family: family}
}

// logarithms maps x to log(x + c). It differs from SkewedIntersection.mapRow in the last bits.
func logarithms(c float64) gram.Embedding {
	return gram.RowEmbedding{Map: func(dst, x []float64) {
		for i, v := range x {
			dst[i] = v + c
		}
		compute.Log(dst, dst)
	}}
}

func (k SkewedIntersection) validate(int) error                { return checkNonnegative("SkewedIntersection.C", k.C) }
func (k SkewedIntersection) parameters() []Parameter           { return []Parameter{{"C", k.C}} }
func (k SkewedIntersection) withParameters(v []float64) Kernel { return SkewedIntersection{only(v)} }
func (k SkewedIntersection) outside(x []float64) (int, string) { return notAbove(x, -k.C) }
func (k SkewedIntersection) String() string                    { return literal(k) }
