package main

import (
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/internal/ridge"
	"github.com/rkhs-go/rkhs/kernel"
)

// choice is what leave-one-out cross-validation settles on.
type choice struct {
	kernel     kernel.Kernel
	lam, error float64
}

// trainExact fits exact kernel ridge regression with the Gaussian kernel and the
// lam of the least leave-one-out error: the bandwidth is the median distance of
// the rows or a half of it.
func trainExact(t task) (r result, best choice, err error) {
	start := time.Now()
	median, err := kernel.MedianDistance(t.train.X, 0)
	if err != nil {
		return r, best, err
	}
	best.error = math.Inf(1)
	for _, sigma := range []float64{median, median / 2} {
		c := choice{kernel: kernel.Gaussian{Sigma: sigma}}
		c.lam, c.error, err = ridge.LeaveOneOut(c.kernel, t.train.X, t.train.Y, lamGrid())
		if err != nil {
			return r, best, err
		}
		if c.error < best.error {
			best = c
		}
	}
	model, err := ridge.FitCentred(best.kernel, t.train.X, t.train.Y, best.lam)
	if err != nil {
		return r, best, err
	}
	r = result{terms: len(t.train.Y), seconds: time.Since(start).Seconds()}
	f, err := model.Predict(t.test.X)
	if err != nil {
		return r, best, err
	}
	r.rmse, err = dataset.RMSE(mat.NewVecDense(len(f), f), t.test.Targets())
	return r, best, err
}

func lamGrid() []float64 {
	var grid []float64
	for e := -8.0; e <= 1; e += 0.5 {
		grid = append(grid, math.Pow(10, e))
	}
	return grid
}
