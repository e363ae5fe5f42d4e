package svm_test

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

func common(o *svm.Options, seed uint64, workers int, r rkhs.Recorder) {
	o.Seed, o.Workers, o.Recorder = seed, workers, r
}

func regression() testutil.Learner[svm.Options, *svm.Model] {
	return testutil.Learner[svm.Options, *svm.Model]{
		Package:      "svm",
		Fit:          svm.Fit,
		Empty:        func() *svm.Model { return new(svm.Model) },
		Common:       common,
		Equivariance: 1e-9,
		Repeats:      math.Inf(1), // C is that of n rows, see TestWholeWeights
	}
}

func classification(labels ...int) testutil.Learner[svm.Options, *svm.Classifier] {
	return testutil.Learner[svm.Options, *svm.Classifier]{
		Package: "svm",
		Fit:     svm.FitClassifier,
		Empty:   func() *svm.Classifier { return new(svm.Classifier) },
		Common:  common,
		Labels:  labels,
		Repeats: math.Inf(1),
	}
}

func TestRegressionContract(t *testing.T) {
	t.Run("default", func(t *testing.T) {
		testutil.Long(t, "the longest, of the same code as the others")
		l := regression()
		l.LargeRows, l.Robust = 6000, true
		testutil.CheckLearner(t, l)
	})
	for _, c := range []struct {
		name string
		opts svm.Options
	}{
		{"given", svm.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, C: 10, Epsilon: 0.1, Tolerance: 1e-10}},
		{"found", svm.Options{Kernel: kernel.Gaussian{Sigma: 2}, Epsilon: 0.2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.opts.C == 0 {
				testutil.Long(t, "the default searches too")
			}
			l := regression()
			l.Outputs = 2
			l.Options = func() *svm.Options { o := c.opts; return &o }
			l.Equivariance = 0 // C and Epsilon are in units of the targets
			if c.opts.C > 0 {
				l.SparseRounding = 1e-7 // the solution ends where the violation is small
				l.Limit = func(o *svm.Options) { o.Iterations, o.Tolerance = 3, 1e-3 }
				l.Kernel = func(o *svm.Options, k kernel.Kernel) { o.Kernel = k }
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
			l.Options = func() *svm.Options { return &svm.Options{Metric: kernel.NoMetric} }
		} else {
			l.LargeRows = 6000
		}
		testutil.CheckLearner(t, l)
	})
	t.Run("three classes", func(t *testing.T) {
		l := classification(-1, 0, 7)
		l.Options = func() *svm.Options {
			return &svm.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, C: 10, Tolerance: 1e-10}
		}
		l.SparseRounding = 1e-7
		l.Limit = func(o *svm.Options) { o.Iterations, o.Tolerance = 3, 1e-3 }
		l.Kernel = func(o *svm.Options, k kernel.Kernel) { o.Kernel = k }
		l.Kernels = testutil.Kernels()
		testutil.CheckLearner(t, l)
	})
}
