package quantile

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
)

var probabilities = []float64{Least, 1e-12, 1e-6, 1e-3, 0.02, 0.0749, 0.0751, 0.2, 0.4, 0.5, 0.6, 0.9249, 0.9251, 0.99, 1 - 1e-6, 1 - 0x1p-40, 1 - 0x1p-53}

// checkInverse asserts that the distribution function, or its complement where it is smaller, maps
// quantiles to their probabilities.
func checkInverse(t *testing.T, name string, q func(u []float64), lower, upper func(x float64) float64, tol float64) {
	t.Helper()
	x := append([]float64(nil), probabilities...)
	q(x)
	for i, p := range probabilities {
		got, want := lower(x[i]), p
		if p > 0.5 {
			got, want = upper(x[i]), 1-p
		}
		if !(math.Abs(got-want) <= tol*want) {
			t.Errorf("%s: quantile of %v is %v, where the distribution has %v: relative error %.2g", name, p, x[i], got, got/want-1)
		}
	}
}

func TestQuantilesInvertDistributions(t *testing.T) {
	tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	even := func(f func(float64) float64) func(float64) float64 { return func(x float64) float64 { return f(-x) } }
	checkInverse(t, "normal", Normal, even(tail), tail, 2e-13)
	cauchy := func(x float64) float64 { return math.Atan2(1, x) / math.Pi }
	checkInverse(t, "Cauchy", Cauchy, even(cauchy), cauchy, 1e-13)
	laplace := func(x float64) float64 { return math.Exp(-x) / 2 }
	checkInverse(t, "Laplace", Laplace, even(laplace), laplace, 1e-13)
	sech := func(x float64) float64 { return 2 / math.Pi * math.Atan(math.Exp(-math.Pi*x)) }
	checkInverse(t, "hyperbolic secant", Sech, even(sech), sech, 1e-13)
	checkInverse(t, "exponential", Exponential, func(x float64) float64 { return math.Exp(-x) }, func(x float64) float64 { return -math.Expm1(-x) }, 1e-13)
	checkInverse(t, "Lévy", Levy, func(x float64) float64 { return math.Erfc(1 / math.Sqrt(4*x)) }, func(x float64) float64 { return math.Erf(1 / math.Sqrt(4*x)) }, 1e-12)
}

func TestGammaQuantile(t *testing.T) {
	for _, a := range []float64{0.1, 0.3, 0.5, 1, 1.5, 2.5, 7, 50, 400, 1999} {
		g := newGamma(a)
		checkInverse(t, "gamma", g.quantile,
			func(x float64) float64 { return mathext.GammaIncReg(a, x) },
			func(x float64) float64 { return mathext.GammaIncRegComp(a, x) }, 1e-10)
	}
}

// Above largeShape the expansion continues the values of the iteration.
func TestGammaExpansion(t *testing.T) {
	g := newGamma(largeShape)
	x, y := append([]float64(nil), probabilities...), append([]float64(nil), probabilities...)
	g.quantile(x)
	g.expansion(y)
	for i := range x {
		if math.Abs(x[i]/y[i]-1) > 1e-8 {
			t.Errorf("quantile of %v: %v by the iteration, %v by the expansion", probabilities[i], x[i], y[i])
		}
	}
}

func TestLogGamma(t *testing.T) {
	for _, x := range []float64{1e-8, 0.3, 1, 2, 7.5, 15.9, 16, 100, 1e8} {
		if want, _ := math.Lgamma(x); math.Abs(logGamma(x)-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("log Γ(%v) = %v, want %v", x, logGamma(x), want)
		}
	}
}

// Another quadrature rule integrates the density. The total is 1.
func TestJensenShannonQuantile(t *testing.T) {
	density := func(w float64) float64 { return 1 / math.Cosh(math.Pi*w) / math.Ln2 / (1 + 4*w*w) }
	tail := func(x float64) float64 { return quad.Fixed(density, x, x+10, 400, nil, 0) }
	if total := 2 * jensenShannonTails()[0]; math.Abs(total-1) > 1e-14 {
		t.Errorf("the density integrates to %v", total)
	}
	even := func(x float64) float64 { return tail(-x) }
	checkInverse(t, "Jensen–Shannon", JensenShannon, even, tail, 1e-9)
}
