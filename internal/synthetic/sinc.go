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
// Regression", section 5.1: x uniform in [−5,5]², y = sin‖x‖/‖x‖ (1 at 0) plus
// white Gaussian noise at a signal-to-noise ratio of 10 dB, that is of variance
// E[y²]/10 = 0.00954. It returns the noisy targets with the rows, and beside
// them the clean ones: the paper tests on clean targets by its text, on noisy
// ones by its figures.
//
// The first rows do not depend on n, so training and test rows are best drawn
// together and cut apart. Same seed, same bits, on every machine.
func Sinc(n int, seed uint64) (noisy *dataset.Set, clean []float64) {
	points, noise := rng.New(seed, "sinc points", 0), rng.New(seed, "sinc noise", 0)
	noisy = &dataset.Set{X: mat.NewDense(n, 2, nil), Y: make([]float64, n)}
	clean = make([]float64, n)
	for i := range clean {
		// The conversions forbid a fused multiply-add, here and in sin.
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

// sin returns the sine of r, 0 <= r <= 5·sqrt(2), by correctly rounded
// operations, which math.Sin is not on every machine: the Taylor series to t²¹
// of what remains of r beyond the nearest k·π, so that |t| <= π/2 and the series
// errs by less than 2e-18.
func sin(r float64) float64 {
	const piRest = math.Pi - 0x1.921fb54442d18p+1 // π less its nearest float64
	k := math.Floor(r/math.Pi + 0.5)
	t := r - float64(k*math.Pi) - float64(k*piRest) // k <= 2: the first two are exact
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

// sinSeries holds the coefficients of sin(t)/t in t², the highest first.
var sinSeries = [...]float64{
	1.0 / 51090942171709440000, -1.0 / 121645100408832000, 1.0 / 355687428096000,
	-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
	-1.0 / 5040, 1.0 / 120, -1.0 / 6, 1,
}
