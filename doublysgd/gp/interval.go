package gp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Interval returns lower and upper bounds, n×q, of prediction intervals for noisy targets
// at the rows x. Level is the coverage, in (0, 1). The bounds are
//
//	f(x) ± c·√(Variance + Noise).
//
// The factor c is the quantile of leave-one-out errors, each divided by its posterior
// standard deviation. It may depend on the mean or on a column if that narrows the
// intervals. For a coverage above n/(n + 1), with n errors, a normal distribution extrapolates
// c. With Options.NoConstant, or with fewer than 10 rows, c is the normal quantile.
//
// The first call computes the errors at up to 512 rows, at the cost of as many variances.
// Errors are the errors of Predict and Variance, and rkhs.ErrOption for an invalid coverage.
func (m *Model) Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	if err := model.Fitted(pkg, "use", m.function()); err != nil {
		return nil, nil, err
	}
	if err := input.Coverage(pkg, coverage); err != nil {
		return nil, nil, err
	}
	variance, err := m.Variance(context.Background(), x)
	if err != nil {
		return nil, nil, err
	}
	rows, err := model.Rows(pkg, "x", m.function(), x)
	if err != nil {
		return nil, nil, err
	}
	n, q := variance.Dims()
	f, halves := compute.NewMatrix(n, q), compute.NewMatrix(n, q)
	if err := m.f.EvalTo(f, rows); err != nil {
		return nil, nil, err
	}
	if err := m.halvesTo(halves, f, rows, coverage); err != nil {
		return nil, nil, err
	}
	noise := m.Noise()
	lower, upper = mat.NewDense(n, q, nil), mat.NewDense(n, q, nil)
	for i := range n {
		for o, v := range compute.Row(f, i) {
			half := float64(compute.Row(halves, i)[o] * math.Sqrt(variance.At(i, o)+noise[o]))
			lower.Set(i, o, v-half)
			upper.Set(i, o, v+half)
		}
	}
	return lower, upper, nil
}

// halvesTo sets dst to the half-widths of the intervals around f, in standard deviations.
func (m *Model) halvesTo(dst, f compute.Matrix, x compute.Points, coverage float64) error {
	units, err := m.units()
	if err != nil {
		return err
	}
	if !units.Fitted() {
		for i := range dst.Data {
			dst.Data[i] = normal(coverage)
		}
		return nil
	}
	known := min(coverage, units.Highest())
	if err := units.HalvesTo(dst, f, x, known); err != nil {
		return err
	}
	floats.Scale(normal(coverage)/normal(known), dst.Data)
	return nil
}

// normal returns the half-width, in standard deviations, of a central normal interval.
func normal(coverage float64) float64 { return distuv.UnitNormal.Quantile((1 + coverage) / 2) }
