package descent

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// Shift returns what is to be added to the scores of each output for the least loss: the
// step in a constant that no ridge weighs on. It is zero where the loss has no minimum,
// as that of labels which are all the same may have none, and for a Multiclass loss with
// kinks. Of all minima it is the nearest. O(n·q) for the squared loss, and about 100
// times that for others.
func (r *Risk) Shift(f compute.Matrix) []float64 {
	if r.Multi != nil {
		return r.shiftTogether(f)
	}
	shift := make([]float64, f.Cols)
	for o := range shift {
		shift[o] = r.shiftOf(f, o)
	}
	return shift
}

const (
	farthestShift   = 1 << 62 // in units of the targets
	shiftBisections = 90      // the last bit, from a step of 1 down to residuals of 1e-10
	shiftSteps      = 100     // of several scores together
	shiftTolerance  = 1e-12   // of their mean derivatives
)

// shiftOf returns the zero of the slope, which rises.
func (r *Risk) shiftOf(f compute.Matrix, o int) float64 {
	l := r.Of(o)
	slope := func(c float64) float64 {
		return r.sum(f, func(row []float64, i int) float64 {
			return l.Derivative(r.score(row, o)+c, compute.Row(r.Y, i)[o])
		})
	}
	start := slope(0)
	if loss.Quadratic(l) {
		return -start / (l.Curvature() * r.Total())
	}
	near, far := 0.0, math.Copysign(1, -start)
	for start*slope(far) > 0 {
		if near, far = far, 2*far; math.Abs(far) > farthestShift {
			return 0
		}
	}
	for range shiftBisections {
		middle := near + (far-near)/2
		if middle == near || middle == far {
			break
		}
		if start*slope(middle) > 0 {
			near = middle
		} else {
			far = middle
		}
	}
	return far
}

// shiftTogether goes down the bound of a smooth loss of several scores.
func (r *Risk) shiftTogether(f compute.Matrix) []float64 {
	shift := make([]float64, f.Cols)
	if loss.Kinked(r.Multi) {
		return shift
	}
	at, down := compute.Clone(f), compute.NewMatrix(f.Rows, f.Cols)
	for range shiftSteps {
		r.Descent(down, at, 1/r.Multi.Curvature())
		step := r.means(down)
		compute.AddRow(at, step)
		floats.Add(shift, step)
		if floats.Norm(step, math.Inf(1)) < shiftTolerance {
			break
		}
	}
	return shift
}
