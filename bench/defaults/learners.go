package main

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	ridgefit "github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

// learnerFunc trains on one table and returns predictions for another, numbers or labels (n×1).
type learnerFunc func(train, test *table, seed uint64) (compute.Matrix, error)

// learners maps names to learners. Each split has a different seed.
var learners = map[string]learnerFunc{
	"search": ridgeOf(func(x compute.Points, y compute.Matrix, labels []int, o search.Options) kernel.SearchResult {
		o.Metric = kernel.NoMetric
		return search.Tune(x, y, labels, o)
	}),
	"metric": ridgeOf(search.Tune),
	"alignment": learn(
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return alignment.Fit(context.Background(), x, y, &alignment.Options{Seed: seed})
		},
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return alignment.FitClassifier(context.Background(), x, y, &alignment.Options{Seed: seed})
		}),
	"doublysgd": learn(
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return doublysgd.Fit(context.Background(), x, y, &doublysgd.Options{Seed: seed})
		},
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return doublysgd.FitClassifier(context.Background(), x, y, &doublysgd.Options{Seed: seed})
		}),
	"gp": learn(
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return gp.Fit(context.Background(), x, y, &gp.Options{Seed: seed})
		}, nil),
	"polk":          polkOf(polk.Options{}),
	"polk-one-pass": polkOf(polk.Options{Passes: 1}),
	"ridge": learn(
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return ridgefit.Fit(context.Background(), x, y, &ridgefit.Options{Seed: seed})
		},
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return ridgefit.FitClassifier(context.Background(), x, y, &ridgefit.Options{Seed: seed})
		}),
	"slkl": learn(
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return slkl.Fit(context.Background(), x, y, &slkl.Options{Seed: seed})
		},
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			return slkl.FitClassifier(context.Background(), x, y, &slkl.Options{Seed: seed})
		}),
}

type fitFunc func(x, y mat.Matrix, seed uint64) (rkhs.Model, error)

// learn returns a learner from a fit function for numbers and one for labels. Either may be nil.
func learn(numbers, labels fitFunc) learnerFunc {
	return func(train, test *table, seed uint64) (compute.Matrix, error) {
		fit, y := numbers, train.y
		if train.labels != nil {
			fit, y = labels, train.labelColumn()
		}
		if fit == nil {
			return compute.Matrix{}, errNoLabels
		}
		m, err := fit(dense(train.x), dense(y), seed)
		if err != nil {
			return compute.Matrix{}, err
		}
		f, err := m.Predict(dense(test.x))
		if err != nil {
			return compute.Matrix{}, err
		}
		return f.RawMatrix(), nil
	}
}

// polkOf returns package polk with the given options.
func polkOf(o polk.Options) learnerFunc {
	return learn(
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			o := o
			o.Seed = seed
			return polk.Fit(context.Background(), x, y, &o)
		},
		func(x, y mat.Matrix, seed uint64) (rkhs.Model, error) {
			o := o
			o.Seed = seed
			return polk.FitClassifier(context.Background(), x, y, &o)
		})
}

func dense(m compute.Matrix) *mat.Dense { return mat.NewDense(m.Rows, m.Cols, m.Data) }

// ridgeOf returns exact kernel ridge regression with the kernel and the ridge found by find. It
// classifies by the largest score.
func ridgeOf(find func(x compute.Points, y compute.Matrix, labels []int, o search.Options) kernel.SearchResult) learnerFunc {
	return func(train, test *table, seed uint64) (compute.Matrix, error) {
		c := find(compute.DensePoints(train.x), train.y, train.labels, search.Options{Seed: seed})
		f, err := ridge(c.Kernel, c.Noise, train, test)
		if err != nil || train.labels == nil {
			return f, err
		}
		return largest(f), nil
	}
}

// largest returns the class with the largest score in each row. A single score is classified by
// its sign.
func largest(f compute.Matrix) compute.Matrix {
	labels := compute.NewMatrix(f.Rows, 1)
	for i := range f.Rows {
		row := compute.Row(f, i)
		labels.Data[i] = float64(floats.MaxIdx(row))
		if len(row) == 1 && row[0] > 0 {
			labels.Data[i] = 1
		}
	}
	return labels
}
