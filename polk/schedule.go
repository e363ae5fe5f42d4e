package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/loss"
)

// Schedule determines the step sizes eta_t of steps t = 0, 1, … from the first one, eta_0.
type Schedule uint8

const (
	// Automatic is LinearDecay if the number of rows is known, else Averaged.
	Automatic Schedule = iota
	// LinearDecay decreases linearly in the rows, from eta_0 to 0.02·eta_0 at the horizon.
	LinearDecay
	// Averaged keeps eta_0. The model is the running average f̄ ← f̄ + 4/(t+4)·(f − f̄), which
	// shares the dictionary (polynomial-decay averaging; Shamir and Zhang, 2013).
	Averaged
	// Constant keeps eta_0. The model is the last function (Theorem 2 of the paper).
	Constant
	// Diminishing is eta_t = eta_0/(1 + lam·eta_0·t), which satisfies the conditions of Theorem
	// 1 of the paper.
	Diminishing
)

// rate returns the step size after a number of rows, out of horizon, and of steps.
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

// budget returns eps of the paper for step size eta and the constant K.
func (s Schedule) budget(constant, eta float64) float64 {
	if s == Diminishing {
		return constant * eta * eta
	}
	return constant * eta * math.Sqrt(eta)
}

// first returns eta_0 for mini-batches of a number of rows.
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

// gain returns a of the step size. In a metric, lam_1 is small and a row moves its own score by
// nearly a. Such a step is too long if derivatives do not decrease towards the minimum.
func (d *descent) gain() float64 {
	const kinked = 3
	if d.f.metric != nil && loss.Kinked(d.set.Loss) {
		return d.from.gain / kinked
	}
	return d.from.gain
}

// ridge returns lam, which depends on the rows so far in a stream without a horizon.
func (d *descent) ridge() float64 {
	if d.from.noise > 0 {
		return d.from.noise / max(float64(d.totals.Rows), d.from.noise/d.from.ridge)
	}
	return d.from.ridge
}

// rate returns the size of the next step.
func (d *descent) rate(rows int) float64 {
	return d.set.Schedule.rate(d.first(rows), d.from.ridge, d.totals.Rows, d.set.Horizon, d.totals.Steps)
}

// constantRate returns the size of the next step of the constant.
func (d *descent) constantRate() float64 {
	return d.set.Schedule.rate(d.from.constant, d.from.ridge, d.totals.Rows, d.set.Horizon, d.totals.Steps)
}

// rows returns the divisor of the sum over a batch: its number of rows or, with weights w, more
// if the step would exceed the stable size of eta·(Σw·lam_1 + max w·kappa)/a.
func (d *descent) rows(b batch, eta float64) float64 {
	n := float64(b.x.Rows)
	if b.weights == nil || d.set.Rate > 0 {
		return n
	}
	top, kappa := d.spectrum()
	return max(n, eta*(b.weights.Total(b.x.Rows)*top+b.weights.Most()*kappa)/d.gain())
}

// budget returns eps² of a step of size eta with new weights of the squared norm added.
func (d *descent) budget(eta, added float64) float64 {
	eps := d.set.Schedule.budget(d.set.BudgetConstant, eta)
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		added *= m.length / d.from.kappa
	}
	return max(eps*eps, d.set.Budget*added)
}
