package loss

import (
	"math"
	"slices"
)

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

// Constant returns the constant of least loss for the targets y, one or more finite
// numbers: what the method Constant(sorted []float64) float64 returns of the
// targets in ascending order, if there is one; else the zero of the sum of the
// derivatives, or of their jump, between the smallest and the largest target.
// O(n·log n).
func Constant(l Scalar, y []float64) float64 {
	sorted := slices.Sorted(slices.Values(y))
	if c, ok := l.(interface{ Constant([]float64) float64 }); ok {
		return c.Constant(sorted)
	}
	low, high := sorted[0], sorted[len(sorted)-1]
	for range 200 {
		middle := low/2 + high/2
		if middle <= low || middle >= high {
			break
		}
		if slope(l, middle, sorted) > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return low/2 + high/2
}

func slope(l Scalar, f float64, targets []float64) (sum float64) {
	for _, y := range targets {
		sum += l.Derivative(f, y)
	}
	return sum
}

// middle returns the upper one of the two elements in the middle.
func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

// mean does not overflow.
func mean(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

// Probable is a loss of labels ±1 whose scores stand for probabilities, as those of
// Logistic do.
type Probable interface {
	Scalar
	// Probability returns the probability of the label +1.
	Probability(f float64) float64
}

// MultiProbable is a loss of classes whose scores stand for probabilities, as those
// of Softmax do.
type MultiProbable interface {
	Multiclass
	// Probabilities sets dst_c to the probability of class c. dst may be f.
	Probabilities(dst, f []float64)
}
