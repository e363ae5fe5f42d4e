package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Noise is searched in steps of noiseStep between these, in units of k(x_m, x_m), as long
// as a step gains the fraction cvGain of the error.
const (
	noiseStep             = 3.1622776601683795
	leastNoise, mostNoise = 1e-12, 1e6
)

// firstNoise is where the search begins if nothing is known.
const firstNoise = 0.01

// noise returns the noise of ridge regression on the landmarks with the least error: it goes
// from the one given to lower ones as long as that helps or, if it does not, to higher ones.
func (c *crossValidation) noise(from float64) float64 {
	best, least := from, c.ridgeError(from)
	for _, step := range []float64{1 / noiseStep, noiseStep} {
		for {
			next := best * step
			if next < leastNoise || next > mostNoise {
				break
			}
			e := c.ridgeError(next)
			if !(e < least*(1-cvGain)) {
				break
			}
			best, least = next, e
		}
		if best != from {
			break
		}
	}
	return best
}

// ridgeError is the error of all folds and outputs, each in units of the variance of its
// targets; +Inf where a system is singular, and after the fit was stopped.
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
	c.fit.monitor.Report(rkhs.Progress{Phase: "noise", ModelOrder: c.fit.columns.count(), Objective: math.NaN(), Gap: math.NaN()})
	return total
}

// ridge makes the ridge regression on the rows outside a fold the solution at hand of its
// problems, and returns the errors on those of the fold.
func (c *crossValidation) ridge(d *fold, noise float64) (errors []float64, ok bool) {
	s := c.fit.settings
	d.ridge, ok = d.sums.Ridge(d.ridge, c.fit.gram, noise, s.Workers)
	if !ok {
		return nil, false
	}
	errors = make([]float64, len(d.problems))
	compute.Parallel(len(d.problems), s.Workers, func(i int) {
		p := d.problems[i]
		p.Start(compute.Columns(d.ridge.W, p.Output, p.Output+p.W.Cols), 1)
		errors[i] = p.score(s.NoIntercept)
	})
	return errors, true
}

// squares is ‖Y‖² of a problem on all rows.
func (c *crossValidation) squares(p *foldProblem) float64 {
	sum := 0.0
	for o := range p.W.Cols {
		sum += c.fit.total.yy[p.Output+o]
	}
	return sum
}

// ridges begins the search for penalties from ridge regression: it adds the norm to the
// problems of all folds, and returns for each problem the lam·nu at which the penalty begins
// to take columns out, the error of ridge regression, and that of the constant. They are nil
// without a norm or without folds.
func (c *crossValidation) ridges() (onset, least, base []float64) {
	f := c.fit
	if f.noise == 0 || len(c.folds) == 0 {
		return nil, nil, nil
	}
	onset, least, base = make([]float64, len(f.problems)), make([]float64, len(f.problems)), make([]float64, len(f.problems))
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
			least[j] += errors[j]
			if i == 0 {
				onset[j] = d.ridge.Onset(p.Problem) / d.share(1, f.total.n)
			}
			d.ridge.Start(p.Problem, d.share(onset[j], f.total.n))
		}
		d.ridge = nil
	}
	return onset, least, base
}
