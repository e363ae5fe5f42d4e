package main

import (
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// writePredictions writes a prediction for each row, one a line. Where the file has
// targets too, their error goes to stderr.
func (c command) writePredictions(stdout, stderr io.Writer) error {
	m, err := rkhs.Load[rkhs.Model](c.model)
	if err != nil {
		return err
	}
	d, _ := m.Dims()
	s, err := dataset.Load(c.data, dataset.Options{Target: dataset.NoTarget, Cols: d})
	if err != nil {
		return err
	}
	if _, columns := s.X.Dims(); columns == d+1 && s.Y == nil {
		if s, err = dataset.Load(c.data, dataset.Options{Target: c.target}); err != nil {
			return err
		}
	}
	predicted, err := m.Predict(s.X)
	if err != nil {
		return fmt.Errorf("%s: %w", c.data, err)
	}
	for _, v := range predicted.RawMatrix().Data {
		if _, err := fmt.Fprintln(stdout, v); err != nil {
			return err
		}
	}
	if s.Y == nil {
		return nil
	}
	return printError(stderr, m, predicted, s)
}

// printError measures predictions of numbers or of labels.
func printError(w io.Writer, m rkhs.Model, predicted *mat.Dense, s *dataset.Set) error {
	if _, ok := m.(rkhs.Classifier); ok {
		right, err := dataset.Accuracy(predicted, s.Targets())
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "error %.2f %%\n", 100*(1-right))
		return err
	}
	rmse, err := dataset.RMSE(predicted, s.Targets())
	if err != nil {
		return err
	}
	r2, err := dataset.R2(predicted, s.Targets())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "RMSE %.5g, R² %.4f\n", rmse, r2)
	return err
}
