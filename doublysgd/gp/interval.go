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

// Interval returns the ends, n×q, of intervals that cover noisy targets of the rows x with a
// probability of the given level: f(x) and q·√(Variance + Noise) on either side. The factor q is the
// quantile of the errors at rows left out one by one, each divided by its posterior deviation. It
// depends on the mean, or on a column, where intervals are narrower with it. Levels beyond n/(n + 1) of
// n errors extend q like a normal distribution, which gives q alone with Options.Literal and
// for fewer than 10 rows.
//
// The first call computes the errors at up to 512 rows. It costs as much as the variance of as many
// points. The errors are those of Predict and Variance, and rkhs.ErrOption for a level
// outside of (0, 1).
func (m *Model) Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error) {
	if err := model.Fitted(pkg, "use", m.function()); err != nil {
		return nil, nil, err
	}
	if err := input.Level(pkg, level); err != nil {
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
	if err := m.halvesTo(halves, f, rows, level); err != nil {
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

// halvesTo sets dst to half of the widths of intervals of the mean f at rows, in units of the deviations there.
func (m *Model) halvesTo(dst, f compute.Matrix, x compute.Points, level float64) error {
	units, err := m.units()
	if err != nil {
		return err
	}
	if !units.Fitted() {
		for i := range dst.Data {
			dst.Data[i] = normal(level)
		}
		return nil
	}
	known := min(level, units.Highest())
	if err := units.HalvesTo(dst, f, x, known); err != nil {
		return err
	}
	floats.Scale(normal(level)/normal(known), dst.Data)
	return nil
}

// normal returns the deviations on either side of the mean that hold a part of a normal distribution.
func normal(level float64) float64 { return distuv.UnitNormal.Quantile((1 + level) / 2) }
