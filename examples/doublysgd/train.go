package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/examples/internal/score"
	"github.com/rkhs-go/rkhs/kernel"
)

// train fits to a part of the file, tests on the rest, draws and saves.
func (c *config) train(ctx context.Context, stdout, stderr io.Writer) error {
	train, test, err := c.split()
	if err != nil {
		return err
	}
	opts, err := c.options(train.X)
	if err != nil {
		return err
	}
	n, d := train.X.Dims()
	fmt.Fprintf(stdout, "%s: %d rows to train on, %d to test on, %d inputs\n", c.data, n, len(test.Y), d)
	best, end, err := fit(ctx, train, test, opts, stderr)
	if err != nil {
		return err
	}
	printReport(stdout, best, end, base(train, test))
	points, err := curve(ctx, train, test, opts, best, end, stderr)
	if err != nil {
		return err
	}
	for _, p := range points {
		fmt.Fprintf(stdout, "%8d features: test error %6.2f %%, %7.2f seconds\n", p.features, p.percent, p.seconds)
	}
	if err := draw(c.curve, points); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "wrote %s\n", c.curve)
	return c.save(stdout, best, test.X)
}

// split reads the file and holds rows back to test on.
func (c *config) split() (train, test *dataset.Set, err error) {
	all, err := dataset.Load(c.data, dataset.Options{Target: c.target})
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := dataset.Random(len(all.Y), c.seed).Split(c.test)
	if err != nil {
		return nil, nil, err
	}
	if len(testRows) == 0 {
		return nil, nil, fmt.Errorf("%s: %d rows leave none to test on", c.data, len(all.Y))
	}
	return all.Select(trainRows), all.Select(testRows), nil
}

// options are those of the command line. Inputs are standardised by the kernel
// itself, so that a saved classifier takes rows as they stand in the file.
func (c *config) options(x *mat.Dense) (doublysgd.Options, error) {
	o := doublysgd.Options{Features: c.features, Ridge: c.ridge, Seed: c.seed}
	if !c.standardize {
		return o, nil
	}
	rows := mat.DenseCopyOf(x)
	scaler, err := dataset.Standardize(rows)
	if err != nil {
		return o, err
	}
	median, err := kernel.MedianDistance(rows, c.seed)
	o.Kernel = kernel.ARD{Scales: scaler.Scale, Of: kernel.Gaussian{Sigma: median}}
	return o, err
}

// fit trains and tests.
func fit(ctx context.Context, train, test *dataset.Set, o doublysgd.Options, stderr io.Writer) (*doublysgd.Classifier, point, error) {
	bar := newProgress(stderr)
	o.Recorder = bar
	start := time.Now()
	l, err := doublysgd.FitClassifier(ctx, train.X, mat.NewVecDense(len(train.Y), train.Y), &o)
	seconds := time.Since(start).Seconds()
	bar.finish()
	if err != nil {
		return nil, point{}, err
	}
	got, err := l.Predict(test.X)
	if err != nil {
		return nil, point{}, err
	}
	return l, point{l.Report().ModelOrder, percent(got.RawMatrix().Data, test.Y), seconds}, nil
}

func percent(got, want []float64) float64 {
	return 100 * float64(score.Errors(got, want)) / float64(len(want))
}

// base is the error of the most frequent class.
func base(train, test *dataset.Set) float64 {
	most, constant := score.Majority(train.Y), make([]float64, len(test.Y))
	for i := range constant {
		constant[i] = most
	}
	return percent(constant, test.Y)
}

func printReport(w io.Writer, c *doublysgd.Classifier, p point, base float64) {
	r := c.Report()
	fmt.Fprintf(w, "test error %.2f %% (always the most frequent class: %.2f %%)\n", p.percent, base)
	fmt.Fprintf(w, "%d features in %d blocks, %d passes of %T, ridge %.3g; relative gradient %.1e\n", r.ModelOrder, r.Blocks, r.Passes, c.Loss(), r.Ridge, r.Gradient)
	fmt.Fprintf(w, "training took %.2f seconds\n", p.seconds)
}
