package main

import (
	"context"
	"encoding"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/slkl"
)

// learner is what slkl.Model and slkl.Classifier have in common.
type learner interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// newLearner returns an empty learner to read a file into.
func (c *config) newLearner() learner {
	if c.classify {
		return new(slkl.Classifier)
	}
	return new(slkl.Model)
}

// fit trains on s, to numbers or to labels. The model holds the certificates.
func (c *config) fit(ctx context.Context, s *dataset.Set, opts *slkl.Options) (learner, *slkl.Model, error) {
	y := mat.NewVecDense(len(s.Y), s.Y)
	if !c.classify {
		m, err := slkl.Fit(ctx, s.X, y, opts)
		return m, m, err
	}
	l, err := slkl.FitClassifier(ctx, s.X, y, opts)
	if err != nil {
		return nil, nil, err
	}
	return l, l.Model(), nil
}

// inputs returns the number of columns that l takes.
func inputs(l learner) int {
	m, ok := l.(*slkl.Model)
	if !ok {
		m = l.(*slkl.Classifier).Model()
	}
	d, _ := m.Dims()
	return d
}

// predictions returns the numbers or labels that l gives to the rows of x.
func predictions(l learner, x mat.Matrix) ([]float64, error) {
	p, err := l.Predict(x)
	if err != nil {
		return nil, err
	}
	return p.RawMatrix().Data, nil
}
