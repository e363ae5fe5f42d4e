package baseline

import (
	"math"

	"github.com/rkhs-go/rkhs/kernel"
)

// KLMS is kernel least mean squares (Liu, Pokharel and Principe, 2008),
//
//	f ← f + Step·e·k(x, ·),  e = y − f(x).
//
// With the novelty criterion (Platt, 1991) it updates only if |e| > Error and the distances to all
// other points exceed Distance.
type KLMS struct {
	Step, Distance, Error float64
	f                     *Expansion
}

// NewKLMS returns an untrained learner with one output.
func NewKLMS(k kernel.Kernel, inputs int, step, distance, err float64) *KLMS {
	return &KLMS{Step: step, Distance: distance, Error: err, f: newExpansion(k, inputs, 1)}
}

// Update trains on one row and returns the error e before the update.
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

// Function returns the current function. The next Update changes it.
func (l *KLMS) Function() *Expansion { return l.f }
