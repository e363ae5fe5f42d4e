package ridge_test

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

func common(o *ridge.Options, seed uint64, workers int, r rkhs.Recorder) {
	o.Seed, o.Workers, o.Recorder = seed, workers, r
}

func regression() testutil.Learner[ridge.Options, *ridge.Model] {
	return testutil.Learner[ridge.Options, *ridge.Model]{
		Package:      "ridge",
		Fit:          ridge.Fit,
		Empty:        func() *ridge.Model { return new(ridge.Model) },
		Common:       common,
		Equivariance: 1e-9,
	}
}

func classification(labels ...int) testutil.Learner[ridge.Options, *ridge.Classifier] {
	return testutil.Learner[ridge.Options, *ridge.Classifier]{
		Package: "ridge",
		Fit:     ridge.FitClassifier,
		Empty:   func() *ridge.Classifier { return new(ridge.Classifier) },
		Common:  common,
		Labels:  labels,
	}
}

func TestRegressionContract(t *testing.T) {
	t.Run("default", func(t *testing.T) {
		testutil.Long(t, "the longest, of the same code as the others")
		l := regression()
		l.LargeRows = 9000
		testutil.CheckLearner(t, l)
	})
	for _, c := range []struct {
		name string
		opts ridge.Options
	}{
		{"given", ridge.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, Ridge: 1e-6}},
		{"without constant", ridge.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: 1e-5, NoIntercept: true}},
		{"ridge found", ridge.Options{Kernel: kernel.Gaussian{Sigma: 2}}},
		{"points", ridge.Options{Kernel: kernel.Matern{Nu: 0.5, Length: 4}, MaxPoints: 10, Ridge: 1e-4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := regression()
			l.Outputs = 2
			l.Options = func() *ridge.Options { o := c.opts; return &o }
			if c.opts.MaxPoints > 0 {
				l.Limit = func(o *ridge.Options) { o.Iterations, o.Tolerance = 1, 1e-12 }
			}
			l.Repeats = 1e-6
			if c.opts.MaxPoints > 0 || c.opts.Ridge == 0 { // rows are drawn, or left out one by one
				l.Repeats = math.Inf(1)
			}
			l.Kernel = func(o *ridge.Options, k kernel.Kernel) { o.Kernel = k }
			if c.opts.Ridge > 0 && !c.opts.NoIntercept { // all other cases evaluate kernels in the same way
				l.Kernels = testutil.Kernels()
			}
			testutil.CheckLearner(t, l)
		})
	}
}

func TestClassifierContract(t *testing.T) {
	t.Run("two classes", func(t *testing.T) {
		l := classification(-3, 4)
		if !testutil.LongTests() {
			l.Options = func() *ridge.Options { return &ridge.Options{Metric: kernel.NoMetric} }
		}
		testutil.CheckLearner(t, l)
	})
	t.Run("three classes", func(t *testing.T) {
		l := classification(-1, 0, 7)
		l.Options = func() *ridge.Options { return &ridge.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}} }
		testutil.CheckLearner(t, l)
	})
}
