package baseline

import (
	"math"

	"github.com/rkhs-go/rkhs/kernel"
)

// KLMS is kernel least mean squares (Liu, Pokharel and Principe, 2008),
//
//	f ← f + Step·e·k(x, ·),  e = y − f(x),
//
// of which the novelty criterion (Platt, 1991) takes only steps with an error
// |e| above Error, at a point further than Distance from the others.
type KLMS struct {
	Step, Distance, Error float64
	f                     *Expansion
}

// NewKLMS returns a learner of one output that has seen nothing.
func NewKLMS(k kernel.Kernel, inputs int, step, distance, err float64) *KLMS {
	return &KLMS{Step: step, Distance: distance, Error: err, f: newExpansion(k, inputs, 1)}
}

// Update learns from one row and returns its error e.
func (l *KLMS) Update(x []float64, y float64) (e float64) {
	var f [1]float64
	l.f.at(f[:], x)
	e = y - f[0]
	if math.Abs(e) > l.Error && l.nearest(x) > l.Distance {
		l.f.append(x, []float64{l.Step * e})
	}
	return e
}

func (l *KLMS) nearest(x []float64) float64 {
	least := math.Inf(1)
	for j := range l.f.Order() {
		s := 0.0
		for i, v := range l.f.point(j) {
			s += (v - x[i]) * (v - x[i])
		}
		least = min(least, s)
	}
	return math.Sqrt(least)
}

// Function returns the function so far. It changes with the next Update.
func (l *KLMS) Function() *Expansion { return l.f }
