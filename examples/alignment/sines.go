package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/alignmentpaper"
	"github.com/rkhs-go/rkhs/kernel"
)

// runSines learns the frequencies of the sum of sines.
func (c *config) runSines(ctx context.Context, w io.Writer) error {
	train, check, test := alignmentpaper.Sines(c.seed)
	l, err := alignment.FitClassifier(ctx, train.X, mat.NewVecDense(len(train.Y), train.Y), &alignment.Options{
		Family:      kernel.Dirichlet{},
		ValidationX: check.X,
		ValidationY: mat.NewVecDense(len(check.Y), check.Y),
	})
	if err != nil {
		return err
	}
	learned := l.Model().Learned()
	fmt.Fprintln(w, "labels are the sign of sin(√2·x) + sin(√12·x) + sin(√60·x)")
	for i, s := range learned.Iterations {
		k := s.Kernel.(kernel.Dirichlet)
		fmt.Fprintf(w, "%d. frequency %.4f (the nearest true one is %.4f), alignment %.4f after %d kernels tried\n",
			i+1, k.Sigma, nearest(k.Sigma), s.Alignment, s.Evaluations)
	}
	wrong, err := percentWrong(l, test.X, test.Y)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "errors on %d test rows: %.1f %%; C = %.3g\n", len(test.Y), wrong, l.Report().C)

	scores, err := alignmentpaper.SinesScores(ctx, c.runs, c.seed)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nerrors of each method over %d draws:\n", c.runs)
	for _, s := range scores {
		fmt.Fprintf(w, "  %-6s %s %%\n", s.Method, s.Errors.Text(1))
	}
	if err := draw(c.picture, l, scores); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "wrote %s\n", c.picture)
	return err
}

// nearest returns the true frequency that is nearest to one that was found.
func nearest(found float64) float64 {
	best := math.Inf(1)
	for _, f := range alignmentpaper.Frequencies() {
		if math.Abs(f-found) < math.Abs(best-found) {
			best = f
		}
	}
	return best
}

// percentWrong returns the percentage of rows with another label than predicted.
func percentWrong(l predictor, x mat.Matrix, y []float64) (float64, error) {
	p, err := l.Predict(x)
	if err != nil {
		return 0, err
	}
	right, err := dataset.Accuracy(p, mat.NewVecDense(len(y), y))
	return 100 * (1 - right), err
}
