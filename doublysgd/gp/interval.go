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
// probability of the given level by the posterior: f(x) and as many deviations √(Variance + Noise) on
// either side as a normal distribution has. The errors are those of Predict and Variance, and
// rkhs.ErrOption for a level outside of (0, 1).
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
	noise, z := m.Noise(), distuv.UnitNormal.Quantile((1+level)/2)
	n, q := lower.Dims()
	for i := range n {
		for o := range q {
			f, half := lower.At(i, o), z*math.Sqrt(upper.At(i, o)+noise[o])
			lower.Set(i, o, f-half)
			upper.Set(i, o, f+half)
		}
	}
	return lower, upper, nil
}
