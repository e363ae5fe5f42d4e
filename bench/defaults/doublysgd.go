package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	ridgefit "github.com/rkhs-go/rkhs/ridge"
)

// Variants that isolate the two causes of error of doublysgd. More features, or an exact solution
// with the same kernel and ridge, measure the effect of the features. The kernel of package ridge
// measures the effect of the kernel search.
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
		return ridgefit.FitClassifier(context.Background(), x, y, &ridgefit.Options{Seed: seed, Kernel: m.Model().Kernel(), Ridge: r.Search.Ridge(r.Rows)})
	})
	for name, features := range map[string]int{"doublysgd-of-ridge": 0, "doublysgd-of-ridge-65536": 65536} {
		learners[name] = learn(nil, func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			m, err := ridgefit.FitClassifier(context.Background(), x, y, &ridgefit.Options{Seed: seed})
			if err != nil {
				return nil, err
			}
			return doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Seed: seed, Kernel: m.Model().Report().Search.Kernel, Features: features})
		})
	}
}
