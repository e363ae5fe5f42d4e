package descent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// largestTarget is that in units of the spread which can be squared and summed.
const largestTarget = 1e100

// NewRisk returns the loss of targets in their units: numbers, ±1, or class indices
// for a Multiclass loss, and of a classification the class indices.
func NewRisk(y compute.Matrix, class []int, l loss.Loss, u Units, workers int) *Risk {
	if class == nil {
		return &Risk{Scalar: l.(loss.Scalar), Y: u.Standardise(y), Workers: workers}
	}
	r := &Risk{Class: class, Offset: u.Offset, Workers: workers}
	if m, ok := l.(loss.Multiclass); ok {
		r.Multi = m
		return r
	}
	r.Scalar, r.Y = l.(loss.Scalar), y
	return r
}

// BestConstants returns robust units of targets whose offset is the constant of the least loss at
// rows that count alike, from which a fit goes on to its own, or the median where targets are
// too large for one. It reads the losses and the weights.
func (r *Risk) BestConstants(y compute.Matrix) Units {
	u := RobustUnitsWeighed(y, r.Weights)
	z := compute.Transpose(u.Standardise(y))
	best := make([]float64, y.Cols)
	for o := range best {
		column := compute.Row(z, o)
		if floats.Norm(column, math.Inf(1)) <= largestTarget {
			best[o] = loss.Constant(r.Of(o), column)
		}
	}
	return u.Shifted(best)
}

// CheckTargets returns rkhs.ErrDiverged if targets are too large to be standardised and squared.
func (r *Risk) CheckTargets() error {
	for i := range r.Y.Rows {
		for o, v := range compute.Row(r.Y, i) {
			if !(math.Abs(v) <= largestTarget) {
				return fmt.Errorf("the target at row %d, column %d is %v in units of the spread: %w", i, o, v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}
