package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/loss"
)

// Schedule is how the step size goes on from its first value eta_0, over steps
// counted by t = 0, 1, …
type Schedule uint8

const (
	// Automatic is LinearDecay where the number of rows to come is known, and
	// Averaged where it is not.
	Automatic Schedule = iota
	// LinearDecay falls in proportion to the rows seen, from eta_0 to
	// 0.02·eta_0 at the horizon, and stays there.
	LinearDecay
	// Averaged keeps eta_0. The model is a running average of the functions,
	// f̄ ← f̄ + 4/(t+4)·(f − f̄) after step t (polynomial-decay averaging; Shamir
	// and Zhang, 2013), which shares the dictionary.
	Averaged
	// Constant keeps eta_0, and the model is the last function: the first
	// schedule of the paper (Theorem 2).
	Constant
	// Diminishing is eta_t = eta_0/(1 + lam·eta_0·t): steps that fulfil the
	// conditions of the paper's second schedule (Theorem 1).
	Diminishing
)

// rate returns the step size after so many rows, of horizon, and steps, where it
// was first at the beginning.
func (s Schedule) rate(first, ridge float64, rows, horizon, steps int) float64 {
	switch s {
	case LinearDecay:
		const last = 0.02
		return first * max(last, 1-(1-last)*float64(rows)/float64(horizon))
	case Diminishing:
		return first / (1 + ridge*first*float64(steps))
	}
	return first
}

// budget returns the paper's eps for a step of size eta and the constant K.
func (s Schedule) budget(constant, eta float64) float64 {
	if s == Diminishing {
		return constant * eta * eta
	}
	return constant * eta * math.Sqrt(eta)
}

// first returns the step size for mini-batches of so many rows, before the schedule.
func (d *descent) first(rows int) float64 {
	if d.set.Rate > 0 {
		return d.set.Rate
	}
	top, kappa := d.spectrum()
	return min(d.gain()/(top+kappa/float64(rows)), 0.5/d.ridge())
}

// spectrum returns lam_1 and the mean of k(x, x), in the metric if there is one.
func (d *descent) spectrum() (top, kappa float64) {
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		return m.top, m.kappa
	}
	return d.from.top, d.from.kappa
}

// gain returns a of the step size. In a metric lam_1 is small, and a row moves its own score
// by nearly all of it: where derivatives do not fall towards the minimum that is too far.
func (d *descent) gain() float64 {
	const kinked = 3
	if d.f.metric != nil && loss.Kinked(d.set.Loss) {
		return d.from.gain / kinked
	}
	return d.from.gain
}

// ridge returns lam, for a stream without an end that of the rows so far.
func (d *descent) ridge() float64 {
	if d.from.noise > 0 {
		return d.from.noise / max(float64(d.totals.Rows), d.from.noise/d.from.ridge)
	}
	return d.from.ridge
}

// rate returns the size of the next step, on so many rows.
func (d *descent) rate(rows int) float64 {
	return d.set.Schedule.rate(d.first(rows), d.from.ridge, d.totals.Rows, d.set.Horizon, d.totals.Steps)
}

// constantRate returns the size of the next step of the constant.
func (d *descent) constantRate() float64 {
	return d.set.Schedule.rate(d.from.constant, d.from.ridge, d.totals.Rows, d.set.Horizon, d.totals.Steps)
}

// rows returns by how many rows the sum of a batch is divided: as many as it has, or with
// weights w as many as a step of the size eta needs to be no longer than a first step
// may be, of eta·(Σw·lam_1 + max w·kappa)/a.
func (d *descent) rows(b batch, eta float64) float64 {
	n := float64(b.x.Rows)
	if b.weights == nil || d.set.Rate > 0 {
		return n
	}
	top, kappa := d.spectrum()
	return max(n, eta*(b.weights.Total(b.x.Rows)*top+b.weights.Most()*kappa)/d.gain())
}

// budget returns eps² for a step of size eta that adds weights of the squared norm
// added.
func (d *descent) budget(eta, added float64) float64 {
	eps := d.set.Schedule.budget(d.set.BudgetConstant, eta)
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		added *= m.length / d.from.kappa
	}
	return max(eps*eps, d.set.Budget*added)
}
