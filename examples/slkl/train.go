package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/internal/score"
	"github.com/rkhs-go/rkhs/slkl"
)

// runTrain trains on a part of the file and tests on the rest.
func (c *config) runTrain(ctx context.Context, stdout, stderr io.Writer) error {
	train, test, err := c.split()
	if err != nil {
		return err
	}
	start := time.Now()
	l, m, err := c.train(ctx, train, stderr)
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	n, d := train.X.Dims()
	fmt.Fprintf(stdout, "%s: %d rows to train on, %d to test on, %d inputs\n", c.data, n, testRows(test), d)
	if test != nil {
		if err := c.printError(stdout, l, train, test); err != nil {
			return err
		}
	}
	printCertificate(stdout, m)
	fmt.Fprintf(stdout, "training took %.2f seconds\n", seconds)
	return c.save(stdout, l, train.X)
}

// split reads the file and holds rows back to test on; test is nil if there are
// none.
func (c *config) split() (train, test *dataset.Set, err error) {
	all, err := dataset.Load(c.data, dataset.Options{Target: c.target})
	if err != nil {
		return nil, nil, err
	}
	trainRows, testRows, err := dataset.Random(len(all.Y), c.seed).Split(c.test)
	if err != nil {
		return nil, nil, err
	}
	if len(testRows) > 0 {
		test = all.Select(testRows)
	}
	return all.Select(trainRows), test, nil
}

func testRows(test *dataset.Set) int {
	if test == nil {
		return 0
	}
	return len(test.Y)
}

func (c *config) train(ctx context.Context, s *dataset.Set, stderr io.Writer) (learner, *slkl.Model, error) {
	kernels, err := c.kernels(s.X)
	if err != nil {
		return nil, nil, err
	}
	bar := newProgress(stderr, len(s.Y))
	defer bar.finish()
	return c.fit(ctx, s, &slkl.Options{
		Kernels:   kernels,
		MaxPoints: c.landmarks,
		Penalty:   c.nu,
		Seed:      c.seed,
		Recorder:  bar,
	})
}

// printError compares the error on the test rows with that of the best
// constant.
func (c *config) printError(w io.Writer, l learner, train, test *dataset.Set) error {
	got, err := predictions(l, test.X)
	if err != nil {
		return err
	}
	constant := make([]float64, len(test.Y))
	if c.classify {
		fill(constant, score.Majority(train.Y))
		fmt.Fprintf(w, "test error %.2f %% (always the most frequent class: %.2f %%)\n", percent(got, test.Y), percent(constant, test.Y))
		return nil
	}
	fill(constant, score.Mean(train.Y))
	mse, base := score.MeanSquare(got, test.Y), score.MeanSquare(constant, test.Y)
	fmt.Fprintf(w, "test RMSE %.5g, MSE %.5g (always the mean: RMSE %.5g, MSE %.5g)\n", math.Sqrt(mse), mse, math.Sqrt(base), base)
	return nil
}

func fill(v []float64, x float64) {
	for i := range v {
		v[i] = x
	}
}

func percent(got, want []float64) float64 {
	return 100 * float64(score.Errors(got, want)) / float64(len(want))
}

// printCertificate says how large the model is and how far from optimal: for
// several classes, the range over their regressions.
func printCertificate(w io.Writer, m *slkl.Model) {
	reports := m.Report().Outputs
	order, nu, gap, zero := newSpan(), newSpan(), newSpan(), 0
	for _, r := range reports {
		order.add(float64(r.ModelOrder))
		nu.add(r.Penalty)
		gap.add(r.RelativeGap())
		if r.ModelOrder == 0 {
			zero++
		}
	}
	fmt.Fprintf(w, "m0 %s", order.text("%.0f"))
	if len(reports) > 1 {
		fmt.Fprintf(w, " for each of %d classes, %d in all", len(reports), m.ModelOrder())
	}
	fmt.Fprintf(w, "; nu %s; relative duality gap %.1e\n", nu.text("%.3g"), gap.high)
	if zero > 0 {
		fmt.Fprintf(w, "no landmark has weight in %d of %d regressions: a constant, as nu is not below nu_max\n", zero, len(reports))
	}
}

// span is the range of some values.
type span struct{ low, high float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(v float64) { s.low, s.high = min(s.low, v), max(s.high, v) }

func (s span) text(format string) string {
	low, high := fmt.Sprintf(format, s.low), fmt.Sprintf(format, s.high)
	if low == high {
		return low
	}
	return low + " to " + high
}
