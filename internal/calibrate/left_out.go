package calibrate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// rounding is the part of the targets to which predictions are rounded where they order rows: of rows that
	// are the same they differ by less, in an order that tells of the targets.
	rounding = 0x1p-30
	// leastLeft is the least 1 − h of copies, where these are all that their residual hangs on.
	leastLeft = 0x1p-44
)

// LeaveOut divides the residuals of a fit by 1 − h for the leverages h of the rows, which makes them those of fits to all
// other rows (Allen, "The relationship between variable selection and data augmentation and a method for
// prediction", 1974). Where a row has copies, with times their weight in units of its own, h is that of all of
// them, and the others are those that are no copies; times may be nil.
func LeaveOut(residuals compute.Matrix, left, times []float64) {
	for i, v := range left {
		if times != nil && times[i] != 1 {
			v = max(leastLeft, v-float64((times[i]-1)*(1-v)))
		}
		floats.Scale(1/v, compute.Row(residuals, i))
	}
}

// LeftOut returns a sample of rows x with targets y, centred by means, of which fits to all other rows leave some, and the fit to
// all rows leaves the rest.
func LeftOut(x compute.Points, y compute.Matrix, means []float64, left, rest compute.Matrix, class []int, weights compute.Weights) Sample {
	targets := compute.Clone(y)
	compute.AddRow(targets, means)
	scores, at := compute.Clone(targets), compute.Clone(y)
	unit := max(rounding*floats.Norm(at.Data, math.Inf(1)), math.SmallestNonzeroFloat64)
	for i := range scores.Rows {
		floats.Sub(compute.Row(scores, i), compute.Row(left, i))
		row := compute.Row(at, i)
		floats.Sub(row, compute.Row(rest, i))
		for o, v := range row {
			row[o] = math.Round(v/unit) * unit
		}
	}
	compute.AddRow(at, means)
	return Sample{X: x, Scores: scores, At: at, Targets: targets, Class: class, Weights: slices.Clone(weights)}
}
