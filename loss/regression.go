package loss

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Squared is (f−y)²/2. Its minimizer is the mean of y.
type Squared struct{}

// Value returns (f−y)²/2.
func (Squared) Value(f, y float64) float64 { return (f - y) * (f - y) / 2 }

// Derivative returns f−y.
func (Squared) Derivative(f, y float64) float64 { return f - y }

// Constant returns the mean.
func (Squared) Constant(sorted []float64) float64 { return mean(sorted) }

// Curvature returns 1.
func (Squared) Curvature() float64 { return 1 }

// Quadratic returns true.
func (Squared) Quadratic() bool { return true }

func (Squared) String() string { return "Squared{}" }

// Huber is (f−y)²/2 for |f−y| ≤ Delta, and Delta·(|f−y| − Delta/2) otherwise (Huber, 1964). Its
// minimizer is a mean that is robust to outliers. Delta > 0 has the unit of y.
type Huber struct{ Delta float64 }

// Value returns the loss.
func (h Huber) Value(f, y float64) float64 {
	r := math.Abs(f - y)
	if r <= h.Delta {
		return r * r / 2
	}
	return h.Delta * (r - h.Delta/2)
}

// Derivative returns f−y, limited to [−Delta, Delta].
func (h Huber) Derivative(f, y float64) float64 { return max(-h.Delta, min(h.Delta, f-y)) }

// Constant returns the median. Its mean loss exceeds the minimum by at most Delta²/2.
func (Huber) Constant(sorted []float64) float64 { return middle(sorted) }

// Validate returns an error for an invalid parameter.
func (h Huber) Validate() error {
	return inRange(h, h.Delta > 0 && compute.Finite(h.Delta), "Delta must be positive")
}

// Curvature returns 1.
func (Huber) Curvature() float64 { return 1 }

func (h Huber) String() string { return fmt.Sprintf("Huber{Delta: %v}", h.Delta) }

// EpsilonInsensitive is max(0, |f−y| − Epsilon), the loss of support vector regression (Vapnik,
// 1995). Epsilon ≥ 0 has the unit of y.
type EpsilonInsensitive struct{ Epsilon float64 }

// Value returns max(0, |f−y| − Epsilon).
func (e EpsilonInsensitive) Value(f, y float64) float64 { return max(0, math.Abs(f-y)-e.Epsilon) }

// Derivative returns the sign of f−y if |f−y| > Epsilon, and 0 otherwise.
func (e EpsilonInsensitive) Derivative(f, y float64) float64 {
	switch {
	case f-y > e.Epsilon:
		return 1
	case y-f > e.Epsilon:
		return -1
	}
	return 0
}

// Constant returns the median. Its mean loss exceeds the minimum by at most Epsilon.
func (EpsilonInsensitive) Constant(sorted []float64) float64 { return middle(sorted) }

// Validate returns an error for an invalid parameter.
func (e EpsilonInsensitive) Validate() error {
	return inRange(e, e.Epsilon >= 0 && compute.Finite(e.Epsilon), "Epsilon must not be negative")
}

func (e EpsilonInsensitive) String() string {
	return fmt.Sprintf("EpsilonInsensitive{Epsilon: %v}", e.Epsilon)
}

// Curvature returns +Inf.
func (EpsilonInsensitive) Curvature() float64 { return math.Inf(1) }

// Absolute is |f−y|. Its minimizer is the median of y.
type Absolute struct{}

// Value returns |f−y|.
func (Absolute) Value(f, y float64) float64 { return math.Abs(f - y) }

// Derivative returns the sign of f−y, or 0.
func (Absolute) Derivative(f, y float64) float64 { return EpsilonInsensitive{}.Derivative(f, y) }

// Constant returns the median.
func (Absolute) Constant(sorted []float64) float64 { return middle(sorted) }

// Curvature returns +Inf.
func (Absolute) Curvature() float64 { return math.Inf(1) }

func (Absolute) String() string { return "Absolute{}" }

// Pinball is (1−Tau)·(f−y) for f ≥ y and Tau·(y−f) for f < y. Its minimizer is the Tau-quantile of y
// (Koenker and Bassett, 1978). Tau is in (0, 1).
type Pinball struct{ Tau float64 }

// Value returns the loss.
func (p Pinball) Value(f, y float64) float64 { return p.Derivative(f, y) * (f - y) }

// Derivative returns 1−Tau for f ≥ y and −Tau for f < y.
func (p Pinball) Derivative(f, y float64) float64 {
	if f >= y {
		return 1 - p.Tau
	}
	return -p.Tau
}

// Constant returns the Tau-quantile.
func (p Pinball) Constant(sorted []float64) float64 {
	return sorted[int(p.Tau*float64(len(sorted)))]
}

// Validate returns an error for an invalid parameter.
func (p Pinball) Validate() error {
	return inRange(p, p.Tau > 0 && p.Tau < 1, "Tau must lie between 0 and 1")
}

// Curvature returns +Inf.
func (Pinball) Curvature() float64 { return math.Inf(1) }

func (p Pinball) String() string { return fmt.Sprintf("Pinball{Tau: %v}", p.Tau) }
