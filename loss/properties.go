package loss

import "math"

// Margin reports whether l is a decreasing loss of y·f for a label y = ±1. A method Margin() bool
// decides; the default is false.
func Margin(l Loss) bool {
	m, ok := l.(interface{ Margin() bool })
	return ok && m.Margin()
}

// Kinked reports whether l has kinks, that is, an infinite Curvature.
func Kinked(l Loss) bool { return math.IsInf(l.Curvature(), 1) }

// Quadratic reports whether the second derivative of l equals its Curvature everywhere, so that one
// Newton step gives the minimum. A method Quadratic() bool decides; the default is false.
func Quadratic(l Loss) bool {
	q, ok := l.(interface{ Quadratic() bool })
	return ok && q.Quadratic()
}

// StepCurvature returns the curvature for the step sizes of gradient methods: Curvature, or 1 for a
// loss with kinks, which has derivatives of about 1.
func StepCurvature(l Loss) float64 {
	if Kinked(l) {
		return 1
	}
	return l.Curvature()
}

// Rate returns a, the size of the first step of a stochastic gradient
//
//	a/(lam_1 + kappa/B)
//
// on batches of B rows, where lam_1 is the largest eigenvalue of K/n and kappa the mean of k(x, x).
// A method Rate() float64 decides. The default is 1/Curvature for a smooth loss, 12 for a loss of
// labels with kinks, and 4, in the unit of the targets, for another loss with kinks.
func Rate(l Loss) float64 {
	if r, ok := l.(interface{ Rate() float64 }); ok {
		return r.Rate()
	}
	_, multi := l.(Multiclass)
	switch {
	case !Kinked(l):
		return 1 / l.Curvature()
	case multi || Margin(l):
		return labelRate
	}
	return 4
}

// InTargetUnit reports whether l has the unit of the targets rather than its square: whether it is a
// Scalar loss of real targets with kinks. The first step of a stochastic gradient then has this unit
// and the weight of a squared norm its inverse. For a smooth loss, both have no unit.
func InTargetUnit(l Loss) bool {
	_, scalar := l.(Scalar)
	return scalar && Kinked(l) && !Margin(l)
}

// labelRate is the rate of losses of labels. Their gradients do not decrease towards the minimum, or
// their curvature is much smaller than its bound if most labels are correct.
const labelRate = 12
