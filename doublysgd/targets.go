package doublysgd

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// unitsOf returns the units of targets: for a regression the best constant of the loss,
// from which the constant of the function starts, and 1.4826 times the median absolute
// deviation from the median; for the targets ±1 of classes their mean if the loss is
// squared or shares its normal equations, and none for other losses of a label.
func unitsOf(y compute.Matrix, weights []float64, l loss.Loss, each []loss.Scalar, classes int) descent.Units {
	switch {
	case classes == 0:
		return (&descent.Risk{Scalar: l.(loss.Scalar), Each: each, Weights: weights}).BestConstants(y)
	case loss.Quadratic(l) || sharesNormalEquations(l):
		return descent.TargetMeans(y)
	}
	return descent.NoUnits(y.Cols)
}

// outputsFor is the number of outputs for so many classes under a loss.
func outputsFor(l loss.Loss, classes int) int {
	if _, multi := l.(loss.Multiclass); !multi && classes == 2 {
		return 1
	}
	return classes
}
