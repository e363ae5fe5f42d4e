package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// The noise search varies the noise by factors of noiseStep between minNoise and maxNoise, in units of
// k(x_m, x_m), while the error falls by the fraction cvGain.
const (
	firstNoise         = 0.01
	noiseStep          = 3.1622776601683795
	minNoise, maxNoise = 1e-12, 1e6
)

// noise returns the noise with the lowest error of ridge regression on the landmarks. From the given
// noise it searches downwards, or upwards if the first step down does not lower the error.
func (c *crossValidation) noise(from float64) float64 {
	best, lowest := from, c.ridgeError(from)
	for _, step := range []float64{1 / noiseStep, noiseStep} {
		for next := best * step; next >= minNoise && next <= maxNoise; next = best * step {
			e := c.ridgeError(next)
			if !(e < lowest*(1-cvGain)) {
				break
			}
			best, lowest = next, e
		}
		if best != from {
			break
		}
	}
	return best
}

// ridgeError returns the error over all folds and outputs, relative to the variance of the targets. It
// is +Inf if a system is singular or the fit was stopped.
func (c *crossValidation) ridgeError(noise float64) float64 {
	total := 0.0
	for _, d := range c.folds {
		if c.fit.monitor.Stopped() {
			return math.Inf(1)
		}
		errors, ok := c.ridge(d, noise)
		if !ok {
			return math.Inf(1)
		}
		for i, e := range errors {
			if yy := c.squares(d.problems[i]); yy > 0 {
				total += e / yy
			}
		}
	}
	c.fit.monitor.Report(rkhs.Progress{Phase: "noise", ModelOrder: c.fit.columns.count(),
		Objective: math.NaN(), Gap: math.NaN()})
	return total
}

// ridge sets the problems of a fold to ridge regression and returns the errors on the fold.
func (c *crossValidation) ridge(d *fold, noise float64) (errors []float64, ok bool) {
	s := c.fit.settings
	d.ridge, ok = d.sums.Ridge(d.ridge, c.fit.gram, noise, s.Workers)
	if !ok {
		return nil, false
	}
	errors = make([]float64, len(d.problems))
	compute.Parallel(len(d.problems), s.Workers, func(i int) {
		p := d.problems[i]
		p.Start(p.Outputs(d.ridge.W), 1)
		errors[i] = p.score(s.NoIntercept)
	})
	return errors, true
}

// squares returns ‖Y‖² of a problem over all rows.
func (c *crossValidation) squares(p *foldProblem) float64 {
	sum := 0.0
	for o := range p.W.Cols {
		sum += c.fit.total.yy[p.Output+o]
	}
	return sum
}

// ridges starts the penalty search at ridge regression and adds the norm to the problems of all folds.
// For each problem it returns the lam·nu at which the penalty begins to remove columns, the error of
// ridge regression, and the error of the constant. They are nil without a norm or folds.
func (c *crossValidation) ridges() (onset, lowest, base []float64) {
	f := c.fit
	if f.noise == 0 || len(c.folds) == 0 {
		return nil, nil, nil
	}
	n := len(f.problems)
	onset, lowest, base = make([]float64, n), make([]float64, n), make([]float64, n)
	for i, d := range c.folds {
		if f.monitor.Stopped() {
			return nil, nil, nil
		}
		for j, p := range d.problems {
			clear(p.Mu)
			compute.Zero(p.W)
			base[j] += p.score(f.settings.NoIntercept)
		}
		errors, ok := c.ridge(d, f.noise)
		if !ok {
			return nil, nil, nil
		}
		d.ridge.Fall(f.problems)
		d.sums.AddNorm(f.gram, f.noise)
		for j, p := range d.problems {
			lowest[j] += errors[j]
			if i == 0 {
				onset[j] = d.ridge.Onset(p.Problem) / d.share(1, f.total.n)
			}
			d.ridge.Start(p.Problem, d.share(onset[j], f.total.n))
		}
		d.ridge = nil
	}
	return onset, lowest, base
}
