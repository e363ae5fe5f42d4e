package loss

import "math"

// Margin reports whether l is a loss of a score and a label y that is +1 or −1,
// which punishes small or negative y·f: whether it has a method Margin() bool that
// returns true.
func Margin(l Loss) bool {
	m, ok := l.(interface{ Margin() bool })
	return ok && m.Margin()
}

// Kinked reports whether l has kinks: whether its Curvature is infinite.
func Kinked(l Loss) bool { return math.IsInf(l.Curvature(), 1) }

// Quadratic reports whether the second derivative of l is its Curvature everywhere,
// so that the normal equations of one step of Newton's method give the minimum:
// whether it has a method Quadratic() bool that returns true.
func Quadratic(l Loss) bool {
	q, ok := l.(interface{ Quadratic() bool })
	return ok && q.Quadratic()
}

// StepCurvature returns the curvature by which the steps of a gradient method are
// made: that of l, and 1 for a loss with kinks, whose derivatives are about 1.
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
// on batches of B rows, where lam_1 is the largest eigenvalue of K/n and kappa the
// mean of k(x, x). It is what the method Rate() float64 returns, if there is one; else
// 1/Curvature of a smooth loss, 4 of one with kinks, in the unit of the targets, and
// 12 of one with kinks that is of labels.
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

// InTargetUnit reports whether l counts targets in their own unit and not in its square:
// whether it is a Scalar loss of real targets that has kinks. The first step of a
// stochastic gradient is then in this unit and the weight of a squared norm in its
// inverse, while those of a smooth loss have no unit.
func InTargetUnit(l Loss) bool {
	_, scalar := l.(Scalar)
	return scalar && Kinked(l) && !Margin(l)
}

// labelRate is the rate of losses of labels whose gradients do not fall towards the
// minimum, or whose curvature is far below its bound where most labels are right.
const labelRate = 12
