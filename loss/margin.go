package loss

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Hinge is max(0, 1 − y·f) for a label y = ±1, the loss of support vector machines.
type Hinge struct{}

// Value returns max(0, 1 − y·f).
func (Hinge) Value(f, y float64) float64 { return max(0, 1-y*f) }

// Derivative returns −y if y·f < 1, and 0 otherwise.
func (Hinge) Derivative(f, y float64) float64 {
	if y*f < 1 {
		return -y
	}
	return 0
}

// Curvature returns +Inf.
func (Hinge) Curvature() float64 { return math.Inf(1) }

// Margin returns true.
func (Hinge) Margin() bool { return true }

func (Hinge) String() string { return "Hinge{}" }

// SquaredHinge is max(0, 1 − y·f)²/2 for a label y = ±1.
type SquaredHinge struct{}

// Value returns max(0, 1 − y·f)²/2.
func (SquaredHinge) Value(f, y float64) float64 {
	slack := max(0, 1-y*f)
	return slack * slack / 2
}

// Derivative returns −y·max(0, 1 − y·f).
func (SquaredHinge) Derivative(f, y float64) float64 { return -y * max(0, 1-y*f) }

// Curvature returns 1.
func (SquaredHinge) Curvature() float64 { return 1 }

// Margin returns true.
func (SquaredHinge) Margin() bool { return true }

func (SquaredHinge) String() string { return "SquaredHinge{}" }

// Logistic is log(1 + exp(−y·f)) for a label y = ±1. f is the log-odds of y = +1.
type Logistic struct{}

// Value returns log(1 + exp(−y·f)), without overflow.
func (Logistic) Value(f, y float64) float64 {
	return max(0, -y*f) + math.Log1p(compute.ExpOne(-math.Abs(y*f)))
}

// Derivative returns −y/(1 + exp(y·f)).
func (Logistic) Derivative(f, y float64) float64 { return -y / (1 + compute.ExpOne(y*f)) }

// Rate returns 12, because the curvature is much smaller than its bound if most labels are correct.
func (Logistic) Rate() float64 { return labelRate }

// Probability returns 1/(1 + exp(−f)), the probability of the label +1.
func (Logistic) Probability(f float64) float64 { return 1 / (1 + compute.ExpOne(-f)) }

// Curvature returns 0.25.
func (Logistic) Curvature() float64 { return 0.25 }

// Margin returns true.
func (Logistic) Margin() bool { return true }

func (Logistic) String() string { return "Logistic{}" }
