package kernel

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Laplacian is the kernel
//
//	k(x, z) = exp(−‖x−z‖₁ / Sigma)
//
// on R^d with the sum of absolute differences as distance. In one dimension it is Matern with Nu = 1/2. Source: Rahimi
// and Recht, "Random features for large-scale kernel machines", NIPS 2007, figure 1.
type Laplacian struct {
	Sigma float64 // length scale, positive
}

func (k Laplacian) Eval(x, y []float64) float64 {
	return math.Exp(-gram.AbsoluteDistance(x, y) / k.Sigma)
}

func (k Laplacian) row(dst, x []float64, z compute.Matrix) {
	for j := range dst {
		dst[j] = -gram.AbsoluteDistance(x, compute.Row(z, j)) / k.Sigma
	}
	compute.Exp(dst, dst)
}

func (k Laplacian) engine() gram.Engine       { return gram.Laplacian(k.Sigma) }
func (k Laplacian) structure() gram.Structure { return gram.Structure{Row: k.row} }

func (k Laplacian) logGradient(dst, x, y []float64) int {
	t := gram.AbsoluteDistance(x, y) / k.Sigma
	dst[0] = t * math.Exp(-t)
	return 1
}

func (k Laplacian) scaleGradient(dst, x, y []float64) {
	v := k.Eval(x, y)
	for i := range x {
		dst[i] = v * math.Abs(x[i]-y[i]) / k.Sigma
	}
}

func (k Laplacian) describe(d *gram.Description) {
	d.Distance = gram.Manhattan
	d.LessDiagonal = func(dst, s []float64) {
		for i, v := range s {
			dst[i] = math.Expm1(-v / k.Sigma)
		}
	}
}

func (k Laplacian) family() (Kernel, any) {
	return k, FourierTransform{scaled(quantile.Cauchy, 1/k.Sigma)}
}
func (k Laplacian) validate(int) error                { return checkLength("Laplacian.Sigma", k.Sigma) }
func (k Laplacian) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Laplacian) withParameters(v []float64) Kernel { return Laplacian{only(v)} }
func (k Laplacian) String() string                    { return literal(k) }

// Cauchy is the product over coordinates
//
//	k(x, z) = Π_i 1 / (1 + ((x_i−z_i)/Sigma)²)
//
// on R^d. Source: Rahimi and Recht, "Random features for large-scale kernel machines", NIPS 2007, figure 1.
type Cauchy struct {
	Sigma float64 // length scale, positive
}

// Eval divides once: two chains of products make the denominator.
func (k Cauchy) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	inverse := 1 / k.Sigma
	p, q := 1.0, 1.0
	for len(x) >= 2 && len(y) >= 2 {
		u, v := (x[0]-y[0])*inverse, (x[1]-y[1])*inverse
		p *= 1 + u*u
		q *= 1 + v*v
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		u := (x[0] - y[0]) * inverse
		p *= 1 + u*u
	}
	return 1 / (p * q)
}

func (k Cauchy) logGradient(dst, x, y []float64) int {
	s := 0.0
	for i := range x {
		s += k.slope(x[i] - y[i])
	}
	dst[0] = s * k.Eval(x, y)
	return 1
}

func (k Cauchy) scaleGradient(dst, x, y []float64) {
	v := k.Eval(x, y)
	for i := range x {
		dst[i] = v * k.slope(x[i]-y[i])
	}
}

// slope is the derivative of −log(1 + (d/s)²) by log s.
func (k Cauchy) slope(d float64) float64 {
	u := d / k.Sigma
	return 2 * u / (1/u + u)
}

func (k Cauchy) family() (Kernel, any) {
	return k, FourierTransform{scaled(quantile.Laplace, 1/k.Sigma)}
}
func (k Cauchy) validate(int) error                { return checkLength("Cauchy.Sigma", k.Sigma) }
func (k Cauchy) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Cauchy) withParameters(v []float64) Kernel { return Cauchy{only(v)} }
func (k Cauchy) String() string                    { return literal(k) }

// Dirichlet is the product over coordinates of the Dirichlet kernel of degree one,
//
//	k(x, z) = Π_i (1 + 2·cos(Sigma·(x_i−z_i)))
//
// on R^d. Its functions are a constant and one frequency in each coordinate. k(x, x) is 3^d, which overflows for
// d > 646. The source prints 1 + 2·cos(Sigma·‖x−z‖), which is the same on R but not positive semidefinite for d > 1.
// Source: Afkanpour, Szepesvári and Bowling, "Alignment based kernel learning with a continuous set of base kernels",
// 2011, section 3.1.
type Dirichlet struct {
	Sigma float64 // angular frequency, positive
}

func (k Dirichlet) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	p := 1.0
	for i, v := range x {
		p *= 1 + 2*math.Cos(k.Sigma*(v-y[i]))
	}
	return p
}

// mapRow maps a row to the cosines and sines of Sigma·x_i. It corrects the rounding error of the product, so that
// cosines of differences are accurate for rows at any distance from the origin.
func (k Dirichlet) mapRow(dst, x []float64) {
	d := len(x)
	for i, v := range x {
		t := k.Sigma * v
		s, c := math.Sincos(t)
		es, ec := math.Sincos(math.FMA(k.Sigma, v, -t))
		dst[i], dst[d+i] = c*ec-s*es, s*ec+c*es
	}
}

func (k Dirichlet) mappedRow(dst, x []float64, z compute.Matrix) {
	d := len(x) / 2
	for j := range dst {
		zj := compute.Row(z, j)
		p := 1.0
		for i, c := range x[:d] {
			p *= 1 + 2*(c*zj[i]+x[d+i]*zj[d+i])
		}
		dst[j] = p
	}
}

func (k Dirichlet) engine() gram.Engine {
	return gram.Mapped(gram.RowEmbedding{Map: k.mapRow, Columns: twice}, gram.Loop(k.mappedRow))
}

func twice(d int) int { return 2 * d }

func (k Dirichlet) logGradient(dst, x, y []float64) int {
	// p and g are the product and its derivative over the coordinates so far.
	p, g := 1.0, 0.0
	for i, v := range x {
		t := k.Sigma * (v - y[i])
		s, c := math.Sincos(t)
		f := 1 + 2*c
		p, g = p*f, g*f-p*2*s*t
	}
	dst[0] = g
	return 1
}

// representation has frequencies with coordinates −Sigma, 0 or Sigma.
func (k Dirichlet) representation(dim int) gram.Representation {
	gain := 1.0
	for range dim {
		gain *= 3
	}
	return gram.Representation{Of: k, Gain: gain, Family: FourierTransform{scaled(quantile.Thirds, k.Sigma)}}
}

func (k Dirichlet) describe(d *gram.Description)      { d.Amplitude = 2 }
func (k Dirichlet) validate(int) error                { return checkLength("Dirichlet.Sigma", k.Sigma) }
func (k Dirichlet) parameters() []Parameter           { return []Parameter{{"Sigma", k.Sigma}} }
func (k Dirichlet) withParameters(v []float64) Kernel { return Dirichlet{only(v)} }
func (k Dirichlet) String() string                    { return literal(k) }
