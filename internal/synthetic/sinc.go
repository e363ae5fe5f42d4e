package synthetic

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// sincPower is the mean of sinc² over [−5,5]², (1/25)∫₀⁵∫₀⁵ (sin r/r)² da db
// with r² = a² + b².
const sincPower = 0.0953888427001524

// sincNoise is the standard deviation of noise 10 dB below sincPower.
var sincNoise = math.Sqrt(sincPower / 10)

// Sinc draws n rows of the sinc task of "Stochastic Low-Rank Kernel Learning for
// Regression", section 5.1. x is uniform in [−5,5]², and y = sin‖x‖/‖x‖ (1 at 0) plus white
// Gaussian noise of variance E[y²]/10 = 0.00954, a signal-to-noise ratio of 10 dB. It
// returns the rows with noisy targets, and the clean targets. The text of the paper
// describes tests on clean targets, but its figures match noisy targets.
//
// The first rows do not depend on n, so draw training and test rows in one call and
// split them. The same seed gives the same bits on every machine.
func Sinc(n int, seed uint64) (noisy *dataset.Set, clean []float64) {
	points, noise := rng.New(seed, "sinc points", 0), rng.New(seed, "sinc noise", 0)
	noisy = &dataset.Set{X: mat.NewDense(n, 2, nil), Y: make([]float64, n)}
	clean = make([]float64, n)
	for i := range clean {
		// The conversions prevent fused multiply-adds, here and in sin.
		a, b := float64(10*points.Float64())-5, float64(10*points.Float64())-5
		noisy.X.Set(i, 0, a)
		noisy.X.Set(i, 1, b)
		clean[i] = sinc(math.Sqrt(float64(a*a) + float64(b*b)))
		noisy.Y[i] = clean[i] + float64(sincNoise*noise.NormFloat64())
	}
	return noisy, clean
}

func sinc(r float64) float64 {
	if r == 0 {
		return 1
	}
	return sin(r) / r
}

// sin returns the sine of r, 0 <= r <= 5·sqrt(2). Unlike math.Sin, it has the same bits on
// every machine, because it uses correctly rounded operations only. It reduces r by the
// nearest multiple of π to |t| <= π/2 and sums the Taylor series to t²¹, with a truncation
// error below 2e-18.
func sin(r float64) float64 {
	const piRest = math.Pi - 0x1.921fb54442d18p+1 // π minus its nearest float64
	k := math.Floor(r/math.Pi + 0.5)
	t := r - float64(k*math.Pi) - float64(k*piRest) // k <= 2, so the first two terms are exact
	if k == 1 {
		t = -t
	}
	t2 := t * t
	s := 0.0
	for _, c := range sinSeries {
		s = float64(s*t2) + c
	}
	return t * s
}

// sinSeries holds the coefficients of sin(t)/t in t², highest power first.
var sinSeries = [...]float64{
	1.0 / 51090942171709440000, -1.0 / 121645100408832000, 1.0 / 355687428096000,
	-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
	-1.0 / 5040, 1.0 / 120, -1.0 / 6, 1,
}
