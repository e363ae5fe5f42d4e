package polk

import "math"

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
