package gp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Interval returns the ends, n×q, of intervals that cover noisy targets of the rows x with a
// probability of the given level: f(x) and q·√(Variance + Noise) on either side. q is the quantile of
// that level of the errors at rows left out one by one, each in units of the deviation that the
// posterior of the other rows gives it; beyond the largest of n errors q grows as that of a normal
// distribution. With Options.Literal, and fewer than 10 rows, q is that of a normal distribution.
// The first call finds the errors, at all rows or 512 of them, which costs as much as the variance
// of as many points. The errors are those of Predict and Variance, and rkhs.ErrOption for a level
// outside of (0, 1).
func (m *Model) Interval(x mat.Matrix, level float64) (lower, upper *mat.Dense, err error) {
	if err := model.Fitted(pkg, "use", m.function()); err != nil {
		return nil, nil, err
	}
	if err := door.Level(pkg, level); err != nil {
		return nil, nil, err
	}
	if lower, err = m.Predict(x); err != nil {
		return nil, nil, err
	}
	upper, err = m.Variance(context.Background(), x)
	if err != nil {
		return nil, nil, err
	}
	deviations, err := m.deviations()
	if err != nil {
		return nil, nil, err
	}
	noise := m.Noise()
	n, q := lower.Dims()
	for o := range q {
		factor := deviations.quantile(o, level)
		for i := range n {
			f, half := lower.At(i, o), factor*math.Sqrt(upper.At(i, o)+noise[o])
			lower.Set(i, o, f-half)
			upper.Set(i, o, f+half)
		}
	}
	return lower, upper, nil
}

// normal returns the deviations on either side of the mean that hold a part of a normal distribution.
func normal(level float64) float64 { return distuv.UnitNormal.Quantile((1 + level) / 2) }
