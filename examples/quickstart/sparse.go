package main

import (
	"context"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// trainSparse fits slkl with the default options, which draw landmarks, set the
// bandwidth and choose nu.
func trainSparse(ctx context.Context, t task) (*slkl.Model, result, error) {
	start := time.Now()
	model, err := slkl.Fit(ctx, t.train.X, t.train.Targets(), nil)
	if err != nil {
		return nil, result{}, err
	}
	r := result{terms: model.ModelOrder(), seconds: time.Since(start).Seconds()}
	f, err := model.Predict(t.test.X)
	if err != nil {
		return nil, r, err
	}
	r.rmse, err = dataset.RMSE(f, t.test.Targets())
	return model, r, err
}

// landmarks returns those of a learned kernel, of all its base kernels together.
func landmarks(k kernel.Kernel) *mat.Dense {
	var all mat.Dense
	switch k := k.(type) {
	case kernel.LowRank:
		return k.Points
	case kernel.Sum:
		for _, part := range k {
			points := landmarks(part)
			if all.IsEmpty() {
				all.CloneFrom(points)
				continue
			}
			stacked := new(mat.Dense)
			stacked.Stack(&all, points)
			all = *stacked
		}
	}
	return &all
}
