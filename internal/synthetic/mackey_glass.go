package synthetic

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	mackeyGlassDelay  = 17
	mackeyGlassPeriod = 6 // between consecutive samples
	mackeyGlassSteps  = 10
	mackeyGlassSettle = 1000 // time before the first sample
	mackeyGlassNoise  = 0.004
)

// MackeyGlass returns n samples of the chaotic Mackey–Glass series,
//
//	dx/dt = 0.2·x(t−17)/(1 + x(t−17)¹⁰) − 0.1·x(t),
//
// at intervals of 6 units of time and with their mean removed. It returns the samples with
// added white Gaussian noise of variance 0.004 and without noise. The series is a
// benchmark for kernel adaptive filters (Liu, Pokharel and Príncipe, 2008).
//
// It integrates from a constant history of 1.2 by the fourth-order Runge–Kutta method with
// step 0.1. The same seed gives the same bits on every machine.
func MackeyGlass(n int, seed uint64) (noisy, clean []float64) {
	const (
		delay  = mackeyGlassDelay * mackeyGlassSteps
		settle = mackeyGlassSettle * mackeyGlassSteps
		period = mackeyGlassPeriod * mackeyGlassSteps
	)
	x := make([]float64, delay+settle+n*period)
	for i := range delay + 1 {
		x[i] = 1.2
	}
	for i := delay; i+1 < len(x); i++ {
		x[i+1] = mackeyGlassStep(x[i], x[i-delay], x[i-delay+1])
	}
	noisy, clean = make([]float64, n), make([]float64, n)
	mean := 0.0
	for i := range clean {
		clean[i] = x[delay+settle+i*period]
		mean += clean[i] / float64(n)
	}
	r := rng.New(seed, "mackey-glass noise", 0)
	for i := range clean {
		clean[i] -= mean
		noisy[i] = clean[i] + float64(math.Sqrt(mackeyGlassNoise)*r.NormFloat64())
	}
	return noisy, clean
}

// mackeyGlassStep advances x by one step, given the delayed values at both ends of the
// step. The conversions prevent fused multiply-adds.
func mackeyGlassStep(x, from, to float64) float64 {
	const h = 1.0 / mackeyGlassSteps
	slope := func(x, delayed float64) float64 {
		d2 := float64(delayed * delayed)
		d8 := float64(float64(d2*d2) * float64(d2*d2))
		return float64(0.2*delayed)/(1+float64(d8*d2)) - float64(0.1*x)
	}
	middle := (from + to) / 2
	k1 := slope(x, from)
	k2 := slope(x+float64(h/2*k1), middle)
	k3 := slope(x+float64(h/2*k2), middle)
	k4 := slope(x+float64(h*k3), to)
	return x + float64(h/6*(k1+float64(2*k2)+float64(2*k3)+k4))
}

// Embed turns a series into rows of length consecutive inputs. The target of a row is the
// element of targets at the next index. inputs and targets must have the same length;
// Embed panics if they are not longer than a row.
func Embed(inputs, targets []float64, length int) *dataset.Set {
	n := len(inputs) - length
	s := &dataset.Set{X: mat.NewDense(n, length, nil), Y: make([]float64, n)}
	for i := range n {
		s.X.SetRow(i, inputs[i:i+length])
		s.Y[i] = targets[i+length]
	}
	return s
}
