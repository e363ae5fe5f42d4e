package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/target"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// unitsOf returns the units of targets: for a regression the best constant of the loss,
// from which the constant of the function starts, and 1.4826 times the median absolute
// deviation from the median; for the targets ±1 of classes their mean if the loss is
// squared or shares its normal equations, and none for other losses of a label.
func unitsOf(y compute.Matrix, weights []float64, l loss.Loss, each []loss.Scalar, classes int) target.Units {
	switch {
	case classes == 0:
		return bestConstants(y, &batches.Risk{Scalar: l.(loss.Scalar), Each: each, Weights: weights})
	case loss.Quadratic(l) || sharesNormalEquations(l):
		return target.Means(y)
	}
	return target.None(y.Cols)
}

// bestConstants returns robust units whose offset is the constant of the least loss at rows
// that count alike, from which the fit goes on to its own, or the median where targets are
// too large for one.
func bestConstants(y compute.Matrix, r *batches.Risk) target.Units {
	u := target.RobustWeighed(y, r.Weights)
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

// largestTarget is that in units of the spread which can be squared and summed.
const largestTarget = 1e100

// outputsFor is the number of outputs for so many classes under a loss.
func outputsFor(l loss.Loss, classes int) int {
	if _, multi := l.(loss.Multiclass); !multi && classes == 2 {
		return 1
	}
	return classes
}

// riskOf returns the loss of targets in their units: numbers, ±1, or class indices
// for a Multiclass loss, and of a classification the class indices.
func riskOf(y compute.Matrix, class []int, l loss.Loss, u target.Units, workers int) *batches.Risk {
	if class == nil {
		return &batches.Risk{Scalar: l.(loss.Scalar), Y: u.Standardise(y), Workers: workers}
	}
	k := &batches.Risk{Class: class, Offset: u.Offset, Workers: workers}
	if m, ok := l.(loss.Multiclass); ok {
		k.Multi = m
		return k
	}
	k.Scalar, k.Y = l.(loss.Scalar), y
	return k
}

// checkTargets returns rkhs.ErrDiverged if targets are too large to be
// standardised and squared.
func checkTargets(k *batches.Risk) error {
	for i := range k.Y.Rows {
		for o, v := range compute.Row(k.Y, i) {
			if !(math.Abs(v) <= largestTarget) {
				return fmt.Errorf("doublysgd: the target at row %d, column %d is %v in units of the spread: %w", i, o, v, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}
