package quantile

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// A gammaDistribution has the density x^(a−1)·exp(−x)/Γ(a), x > 0, for the shape a.
type gammaDistribution struct {
	shape    float64
	logGamma float64 // log Γ(shape)
}

// largeShape is the shape above which the expansion about the normal distribution is accurate to 1e-8.
const largeShape = 2000

// Gamma returns the quantile function of the gamma distribution with the given shape and scale 1. Its
// relative accuracy is about 1e-12, or 1e-8 for shapes above 2000. Its minimum is 1e-260.
func Gamma(shape float64) func(u []float64) { return newGamma(shape).quantile }

func newGamma(shape float64) gammaDistribution {
	return gammaDistribution{shape, logGamma(shape)}
}

func (g gammaDistribution) quantile(u []float64) {
	if g.shape > largeShape {
		g.expansion(u)
		return
	}
	y := g.start(u)
	x, next := make([]float64, len(u)), make([]float64, len(u))
	for range 100 {
		compute.Exp(x, y)
		if !g.improve(next, y, x, u) {
			break
		}
		y, next = next, y
	}
	copy(u, x)
}

// expansion is the Cornish-Fisher expansion in powers of a^−½.
func (g gammaDistribution) expansion(u []float64) {
	Normal(u)
	root := math.Sqrt(g.shape)
	for i, z := range u {
		z2 := float64(z * z)
		c1 := (z2 - 1) / 3
		c2 := z * (z2 - 7) / 36
		c3 := -math.FMA(z2, math.FMA(3, z2, 7), -16) / 810
		c4 := z * math.FMA(z2, math.FMA(9, z2, 256), -433) / 38880
		s := math.FMA(c4/root, 1/root, c3/root) + c2
		u[i] = g.shape + math.FMA(root, z, c1+s/root)
	}
}

// start estimates the logarithms of the quantiles: by P(x) ≈ x^a/Γ(a+1) in the lower tail, and by the
// Wilson-Hilferty cube elsewhere.
func (g gammaDistribution) start(u []float64) []float64 {
	a := g.shape
	z, low := append([]float64(nil), u...), append([]float64(nil), u...)
	Normal(z)
	compute.Log(low, low)
	one := []float64{a}
	compute.Log(one, one)
	ninth := 1 / (9 * a)
	for i := range z {
		low[i] = (low[i] + g.logGamma + one[0]) / a
		t := 1 - ninth + float64(z[i]*math.Sqrt(ninth))
		z[i] = max(float64(a*t)*t*t, 1e-300)
	}
	compute.Log(z, z)
	for i, t := range low {
		if a < 1 && t < -1 || z[i] < -600 {
			z[i] = t
		}
	}
	return z
}

// improve applies a Newton step in y = log x to log P(x) = log u, or to log Q(x) = log(1−u) above the
// median. Both are concave, so it converges from any start. It reports whether a step exceeded
// rounding errors.
func (g gammaDistribution) improve(next, y, x, u []float64) bool {
	// The density of y is exp(a·y − x)/Γ(a).
	density, ratio := make([]float64, len(u)), make([]float64, len(u))
	for i, v := range y {
		density[i] = math.FMA(g.shape, v, -x[i]) - g.logGamma
	}
	compute.Exp(density, density)
	for i, v := range x {
		lower, upper := g.tails(v, density[i])
		p, want := lower, u[i]
		if u[i] >= 0.5 {
			p, want = upper, 1-u[i]
		}
		density[i] /= p
		ratio[i] = want / p
	}
	compute.Log(ratio, ratio)
	moved := false
	for i, r := range ratio {
		step := r / density[i]
		if u[i] >= 0.5 {
			step = -step
		}
		if step-step != 0 {
			step = 0 // out of range: keep the start
		}
		step = max(-4, min(4, step))
		next[i] = max(y[i]+step, -600)
		moved = moved || math.Abs(step) > 1e-13*max(1, math.Abs(y[i]))
	}
	return moved
}

// tails returns P(x) and Q(x) = 1 − P(x) given density = x^a·exp(−x)/Γ(a), by the series below the mean
// and the continued fraction above.
func (g gammaDistribution) tails(x, density float64) (lower, upper float64) {
	a := g.shape
	if x < a+1 {
		term, sum := 1/a, 1/a
		for n := 1.0; term > 1e-17*sum; n++ {
			term = float64(term * (x / (a + n)))
			sum += term
		}
		lower = float64(density * sum)
		return lower, 1 - lower
	}
	// Lentz's method.
	b := x + 1 - a
	c, d := 1e300, 1/b
	h := d
	for n := 1.0; n < 10000; n++ {
		an := float64(n * (a - n))
		b += 2
		d = 1 / math.FMA(an, d, b)
		c = b + an/c
		h *= c * d
		if math.Abs(float64(c*d)-1) < 1e-16 {
			break
		}
	}
	upper = float64(density * h)
	return 1 - upper, upper
}

// logGamma returns log Γ(x) for x > 0, by the Stirling series for x ≥ 16 and Γ(x) = Γ(x+1)/x below.
func logGamma(x float64) float64 {
	product := 1.0
	for x < 16 {
		product *= x
		x++
	}
	l := []float64{x, product}
	compute.Log(l, l)
	const halfLog2Pi = 0.91893853320467274178
	i2 := 1 / float64(x*x)
	s := 1.0 / 156
	for _, c := range []float64{-691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12} {
		s = math.FMA(s, i2, c)
	}
	return math.FMA(x-0.5, l[0], -x) + halfLog2Pi + s/x - l[1]
}
