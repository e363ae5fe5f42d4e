package svm

import (
	"context"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// PathRegression minimises
//
//	‖f‖²/2 + Σ_i C_i·max(0, |y_i − f(x_i) − b| − epsilon)
//
// for one C after the other, as Path does, on the rows of x (n×d) with finite targets y.
// Options.Start is not used. Beta_i is between −C_i and C_i; Objective is
// Σ y_i·β_i − epsilon·Σ|β_i| − ½·βᵀKβ.
func PathRegression(ctx context.Context, k kernel.Kernel, x compute.Points, y []float64, epsilon float64, cs []float64, o Options) ([]*Solution, error) {
	o.Start = nil
	if len(y) != x.Rows {
		return nil, fmt.Errorf("svm: %d targets for %d rows: %w", len(y), x.Rows, rkhs.ErrShape)
	}
	if !(epsilon >= 0) {
		return nil, fmt.Errorf("svm: epsilon = %v is out of range: %w", epsilon, rkhs.ErrOption)
	}
	return path(ctx, k, x, tube(y, epsilon), cs, o)
}

// OneClass minimises
//
//	‖f‖²/2 + Σ_i C_i·max(0, r − f(x_i)) − r
//
// over f and r, which Bias is the negative of, for C_i = C·w_i with C = 1/(fraction·n). Weights
// have mean one. Options.C and Options.Start are not used. Beta_i is between 0 and C_i and
// adds up to 1; Objective is −½·βᵀKβ. Violation is in the unit of the kernel.
func OneClass(ctx context.Context, k kernel.Kernel, x compute.Points, fraction float64, o Options) (*Solution, error) {
	o.Start = first(fraction*float64(x.Rows), x.Rows, o.Weights)
	list, err := path(ctx, k, x, support(x.Rows), []float64{1 / (fraction * float64(x.Rows))}, o)
	if len(list) == 0 {
		return nil, err
	}
	return list[0], err
}

// first returns variables that add up to 1: as many of the first of n rows as are
// needed have the most that they may, which is their weight over total.
func first(total float64, n int, weights compute.Weights) []float64 {
	beta, left := make([]float64, n), 1.0
	for i := range beta {
		beta[i] = min(left, weights.At(i)/total)
		left -= beta[i]
	}
	return beta
}
