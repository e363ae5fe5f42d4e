package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	ridgefit "github.com/rkhs-go/rkhs/ridge"
)

// What holds doublysgd back: the features, by many of them and by the exact solution with the kernel
// and the ridge that it chose, or the choice, by the kernel that ridge chooses.
func init() {
	learners["doublysgd-65536"] = learn(nil, func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
		return doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Seed: seed, Features: 65536})
	})
	learners["doublysgd-exact"] = learn(nil, func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
		m, err := doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Seed: seed})
		if err != nil {
			return nil, err
		}
		r := m.Model().Report()
		return ridgefit.FitClassifier(context.Background(), x, y, &ridgefit.Options{Seed: seed, Kernel: m.Model().Kernel(), Ridge: r.Choice.Ridge(r.Rows)})
	})
	for name, features := range map[string]int{"doublysgd-of-ridge": 0, "doublysgd-of-ridge-65536": 65536} {
		learners[name] = learn(nil, func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			m, err := ridgefit.FitClassifier(context.Background(), x, y, &ridgefit.Options{Seed: seed})
			if err != nil {
				return nil, err
			}
			return doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Seed: seed, Kernel: m.Model().Report().Choice.Kernel, Features: features})
		})
	}
}
