package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/internal/score"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// predictor is what all models have in common.
type predictor interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
}

// runFile learns from a part of the rows of a file and tests on the rest.
func (c *config) runFile(ctx context.Context, w io.Writer) error {
	train, test, err := c.split()
	if err != nil {
		return err
	}
	n, d := train.X.Dims()
	fmt.Fprintf(w, "%s: %d rows to train on, %d to test on, %d inputs\n", c.data, n, len(test.Y), d)
	start := time.Now()
	p, learned, err := c.fit(ctx, train)
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	c.printKernel(w, learned)
	if err := c.printError(w, p, train, test); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "training took %.2f seconds\n", seconds)
	return err
}

// split reads the file, holds rows back to test on, and scales the columns.
func (c *config) split() (train, test *dataset.Set, err error) {
	rows, err := dataset.Load(c.data, dataset.Options{Target: c.target})
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := dataset.Random(len(rows.Y), c.seed).Split(c.test)
	if err != nil {
		return nil, nil, err
	}
	if len(testRows) == 0 {
		return nil, nil, fmt.Errorf("-test %v leaves no rows to test on", c.test)
	}
	train, test = rows.Select(trainRows), rows.Select(testRows)
	_, err = dataset.Standardize(train.X, test.X)
	return train, test, err
}

// fit learns a kernel, and a model of the kind that is asked for.
func (c *config) fit(ctx context.Context, s *dataset.Set) (predictor, alignment.Result, error) {
	y := mat.NewVecDense(len(s.Y), s.Y)
	o := &alignment.Options{Seed: c.seed}
	if c.columns {
		o.Family = kernel.ARD{Of: kernel.Gaussian{}}
	}
	switch {
	case c.sparse:
		return c.fitSparse(ctx, s.X, y, o)
	case c.classify:
		l, err := alignment.FitClassifier(ctx, s.X, y, o)
		if err != nil {
			return nil, alignment.Result{}, err
		}
		return l, l.Model().Learned(), nil
	}
	m, err := alignment.Fit(ctx, s.X, y, o)
	if err != nil {
		return nil, alignment.Result{}, err
	}
	return m, m.Learned(), nil
}

// fitSparse learns the kernel alone, on some of the rows if they are many, and
// hands it on.
func (c *config) fitSparse(ctx context.Context, x, y mat.Matrix, o *alignment.Options) (predictor, alignment.Result, error) {
	search := alignment.Search
	if c.classify {
		search = alignment.SearchClasses
	}
	r, err := search(ctx, x, y, o)
	if err != nil {
		return nil, alignment.Result{}, err
	}
	so := &slkl.Options{Kernels: []kernel.Kernel{r.Kernel}, Seed: c.seed}
	var p predictor
	if c.classify {
		p, err = slkl.FitClassifier(ctx, x, y, so)
	} else {
		p, err = slkl.Fit(ctx, x, y, so)
	}
	return p, *r, err
}

// printKernel shows the bandwidths; of those for many columns, the smallest.
func (c *config) printKernel(w io.Writer, r alignment.Result) {
	fmt.Fprintf(w, "alignment %.4f on %d rows; %d kernels", r.Alignment, r.Rows, len(r.Kernel))
	if c.columns {
		fmt.Fprintf(w, " with a bandwidth a column, drawn together by the penalty %g", r.Shrink)
	}
	fmt.Fprintln(w)
	for _, k := range r.Kernel {
		term := k.(kernel.Scale)
		switch of := term.Of.(type) {
		case kernel.Gaussian:
			fmt.Fprintf(w, "  weight %.4f, bandwidth %.4g\n", term.By, of.Sigma)
		case kernel.ARD:
			at := smallest(of)
			fmt.Fprintf(w, "  weight %.4f, the finest bandwidth %.4g in column %d\n", term.By, of.Scales[at], at+1)
		}
	}
}

func smallest(a kernel.ARD) (at int) {
	for i, v := range a.Scales {
		if v < a.Scales[at] {
			at = i
		}
	}
	return at
}

// printError compares the error on the test rows with that of the best constant.
func (c *config) printError(w io.Writer, p predictor, train, test *dataset.Set) error {
	if c.classify {
		wrong, err := percentWrong(p, test.X, test.Y)
		if err != nil {
			return err
		}
		constant := make([]float64, len(test.Y))
		fill(constant, score.Majority(train.Y))
		_, err = fmt.Fprintf(w, "test error %.2f %% (always the most frequent class: %.2f %%)\n", wrong, 100*float64(score.Errors(constant, test.Y))/float64(len(test.Y)))
		return err
	}
	f, err := p.Predict(test.X)
	if err != nil {
		return err
	}
	constant := make([]float64, len(test.Y))
	fill(constant, score.Mean(train.Y))
	mse, base := score.MeanSquare(mat.Col(nil, 0, f), test.Y), score.MeanSquare(constant, test.Y)
	_, err = fmt.Fprintf(w, "test RMSE %.5g (always the mean: RMSE %.5g)\n", math.Sqrt(mse), math.Sqrt(base))
	return err
}

func fill(v []float64, x float64) {
	for i := range v {
		v[i] = x
	}
}
