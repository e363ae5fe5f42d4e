package doublysgd_test

import (
	"context"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

func common(o *doublysgd.Options, seed uint64, workers int, r rkhs.Recorder) {
	o.Seed, o.Workers, o.Recorder = seed, workers, r
}

func limit(o *doublysgd.Options) {
	o.Columns, o.Features, o.Tolerance, o.Passes = 64, 256, 1e-12, 1
}

func regression(o *doublysgd.Options) testutil.Learner[doublysgd.Options, *doublysgd.Model] {
	l := testutil.Learner[doublysgd.Options, *doublysgd.Model]{
		Package: "doublysgd",
		Fit:     doublysgd.Fit,
		Empty:   func() *doublysgd.Model { return new(doublysgd.Model) },
		Common:  common,
		Kernel:  withKernel,
		Loss:    func(o *doublysgd.Options, l loss.Loss) { o.Loss = l },
		Limit:   limit,
		// Scaling by powers of two is exact, and targets are standardised.
		Equivariance: 1e-14,
		Repeats:      math.Inf(1), // rows are sampled for validation or for steps
	}
	switch {
	case o != nil:
		l.Options = func() *doublysgd.Options { c := *o; return &c }
		l.Limit = nil
	case !testutil.LongTests(): // the metric search is slow
		l.Options = func() *doublysgd.Options { return &doublysgd.Options{Metric: kernel.NoMetric} }
	}
	return l
}

func withKernel(o *doublysgd.Options, k kernel.Kernel) { o.Kernel, o.Metric = k, kernel.AutoMetric }

func classification(o *doublysgd.Options, labels ...int) testutil.Learner[doublysgd.Options, *doublysgd.Classifier] {
	l := testutil.Learner[doublysgd.Options, *doublysgd.Classifier]{
		Package: "doublysgd",
		Fit:     doublysgd.FitClassifier,
		Empty:   func() *doublysgd.Classifier { return new(doublysgd.Classifier) },
		Common:  common,
		Kernel:  withKernel,
		Loss:    func(o *doublysgd.Options, l loss.Loss) { o.Loss = l },
		Limit:   limit,
		Labels:  labels,
		Repeats: math.Inf(1),
	}
	switch {
	case o != nil:
		l.Options = func() *doublysgd.Options { c := *o; return &c }
		l.Limit = nil
	case !testutil.LongTests(): // the metric search is slow
		l.Options = func() *doublysgd.Options { return &doublysgd.Options{Metric: kernel.NoMetric} }
	}
	return l
}

// withFeatures returns the kernels with random features.
func withFeatures() (list []kernel.Kernel) {
	for _, k := range testutil.Kernels() {
		if _, err := features.New(k, testutil.Inputs, features.Options{Columns: 64}); err == nil {
			list = append(list, k)
		}
	}
	return list
}

func TestRegressionContract(t *testing.T) {
	g := kernel.Gaussian{Sigma: 2}
	for _, c := range []struct {
		name    string
		outputs int
		opts    *doublysgd.Options
	}{
		{"default", 1, nil},
		{"outputs", 3, &doublysgd.Options{Kernel: g, Ridge: 1e-4, Features: 128, Paper: doublysgd.Paper{Columns: 64}}},
		{"Newton", 1, &doublysgd.Options{Metric: kernel.NoMetric, Paper: doublysgd.Paper{Mode: doublysgd.Newton, Passes: 4}}},
		{"plain", 1, &doublysgd.Options{Metric: kernel.NoMetric, Paper: doublysgd.Paper{Mode: doublysgd.Plain, Columns: 32, Batch: 8, Passes: 3}}},
		{"median", 1, &doublysgd.Options{Kernel: g, Loss: loss.Absolute{}, Features: 512, Paper: doublysgd.Paper{Columns: 64}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "Newton" || c.name == "median" {
				testutil.Long(t, "the stream and the default cover most of the same code")
			}
			l := regression(c.opts)
			l.Outputs, l.Losses = c.outputs, testutil.RegressionLosses()
			if c.outputs > 1 {
				l.Kernels = withFeatures()
			}
			testutil.CheckLearner(t, l)
		})
	}
}

func TestClassifierContract(t *testing.T) {
	t.Run("two classes", func(t *testing.T) {
		l := classification(nil, -3, 4)
		l.Losses = testutil.LabelLosses(2)
		testutil.CheckLearner(t, l)
	})
	for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
		t.Run(mode.String(), func(t *testing.T) {
			testutil.Long(t, "the regressions of this mode cover most of the same code")
			l := classification(&doublysgd.Options{Metric: kernel.NoMetric, Paper: doublysgd.Paper{Mode: mode, Columns: 32, Batch: 16}}, -3, 4)
			l.Losses = testutil.LabelLosses(2)
			testutil.CheckLearner(t, l)
		})
	}
	t.Run("three classes", func(t *testing.T) {
		testutil.Long(t, "the loop of two classes, with another loss")
		l := classification(&doublysgd.Options{Metric: kernel.NoMetric, Paper: doublysgd.Paper{Columns: 64}}, -1, 0, 7)
		l.Losses = append(testutil.LabelLosses(3), loss.SquaredHinge{}, loss.Logistic{})
		testutil.CheckLearner(t, l)
	})
}

func stream(o doublysgd.Options, seed uint64, workers int) *doublysgd.Options {
	o.Seed, o.Workers = seed, workers
	return &o
}

func TestLearnerContract(t *testing.T) {
	for _, c := range []struct {
		name    string
		outputs int
		opts    doublysgd.Options
	}{
		{"default", 1, doublysgd.Options{}},
		{"small blocks", 3, doublysgd.Options{Features: 96, Paper: doublysgd.Paper{Columns: 32, Batch: 16}}},
		{"plain", 1, doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Plain, Columns: 32, Batch: 4}}},
		{"last iterate of single rows", 1, doublysgd.Options{Ridge: 1e-4, Paper: doublysgd.Paper{Mode: doublysgd.Plain, Columns: 64, Batch: 1, LastIterate: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			testutil.CheckStream(t, testutil.Stream[*doublysgd.Learner, *doublysgd.Model]{
				Package: "doublysgd",
				Outputs: c.outputs,
				Exact:   c.opts.Ridge == 0,
				Repeats: math.Inf(1), // a step has a fixed number of rows
				New: func(seed uint64, workers int) (*doublysgd.Learner, error) {
					return doublysgd.NewLearner(stream(c.opts, seed, workers))
				},
				Empty:  func() *doublysgd.Learner { return new(doublysgd.Learner) },
				Update: (*doublysgd.Learner).Update,
				Model:  func(l *doublysgd.Learner) (*doublysgd.Model, error) { return l.Model(context.Background()) },
			})
		})
	}
}

func TestClassLearnerContract(t *testing.T) {
	for _, c := range []struct {
		name   string
		labels []int
		opts   doublysgd.Options
	}{
		{"two classes", []int{-3, 4}, doublysgd.Options{}},
		{"three classes", []int{-1, 0, 7}, doublysgd.Options{Paper: doublysgd.Paper{Columns: 32, Batch: 12}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.labels) == 2 {
				testutil.Long(t, "the default stream of targets and three classes cover the same code")
			}
			testutil.CheckStream(t, testutil.Stream[*doublysgd.ClassLearner, *doublysgd.Classifier]{
				Package: "doublysgd",
				Labels:  c.labels,
				Exact:   true,
				Repeats: math.Inf(1),
				New: func(seed uint64, workers int) (*doublysgd.ClassLearner, error) {
					return doublysgd.NewClassLearner(c.labels, stream(c.opts, seed, workers))
				},
				Empty:  func() *doublysgd.ClassLearner { return new(doublysgd.ClassLearner) },
				Update: (*doublysgd.ClassLearner).Update,
				Model:  func(l *doublysgd.ClassLearner) (*doublysgd.Classifier, error) { return l.Model(context.Background()) },
			})
		})
	}
}
