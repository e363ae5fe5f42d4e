package polk_test

import (
	"context"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

func common(o *polk.Options, seed uint64, workers int, r rkhs.Recorder) {
	o.Seed, o.Workers, o.Recorder = seed, workers, r
}

func withKernel(o *polk.Options, k kernel.Kernel) { o.Kernel, o.Metric = k, kernel.AutoMetric }

// withoutMetric returns default options without the slow metric search.
func withoutMetric() *polk.Options { return &polk.Options{Metric: kernel.NoMetric} }

func withLoss(o *polk.Options, l loss.Loss) { o.Loss = l }

func TestRegressionContract(t *testing.T) {
	g := kernel.Gaussian{Sigma: 2}
	for _, c := range []struct {
		name    string
		outputs int
		opts    polk.Options
	}{
		{"default", 1, polk.Options{}},
		{"outputs", 3, polk.Options{Passes: 8}},
		{"averaged", 2, polk.Options{Passes: 8, Paper: polk.Paper{Schedule: polk.Averaged}}},
		{"few points", 1, polk.Options{MaxPoints: 20, Passes: 8}},
		{"exact", 1, polk.Options{Kernel: g, Passes: 8, Paper: polk.Paper{Lossless: true}}},
		{"a row a step", 1, polk.Options{Kernel: g, Passes: 8, Paper: polk.Paper{Batch: 1, Schedule: polk.Diminishing}}},
		{"Huber", 1, polk.Options{Kernel: g, Loss: loss.Huber{Delta: 0.5}, Passes: 8}},
		{"absolute", 1, polk.Options{Kernel: g, Loss: loss.Absolute{}, Passes: 8}},
		{"epsilon-insensitive", 1, polk.Options{Kernel: g, Loss: loss.EpsilonInsensitive{Epsilon: 0.05}, Passes: 8}},
		{"pinball", 1, polk.Options{Kernel: g, Loss: loss.Pinball{Tau: 0.5}, Passes: 8}},
		{"another kernel", 1, polk.Options{Kernel: kernel.Laplacian{Sigma: 3}, Passes: 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "default" {
				testutil.Long(t, "the default covers most of the same code")
			}
			l := testutil.Learner[polk.Options, *polk.Model]{
				Package: "polk",
				Repeats: math.Inf(1), // repeated rows cause more steps
				Fit:     polk.Fit,
				Empty:   func() *polk.Model { return new(polk.Model) },
				Common:  common,
				Outputs: c.outputs,
				Kernel:  withKernel,
				Loss:    withLoss,
			}
			if c.name == "default" {
				l.Kernels, l.Losses = testutil.Kernels(), testutil.RegressionLosses()
				if !testutil.LongTests() {
					l.Options = withoutMetric
				}
			} else {
				if c.opts.Kernel == nil {
					c.opts.Metric = kernel.NoMetric // slow, and the default is tested elsewhere
				}
				l.Options = func() *polk.Options { o := c.opts; return &o }
			}
			if c.opts.Loss == nil {
				// All steps are equal up to the unit of the targets.
				l.Equivariance = 1e-14
			}
			testutil.CheckLearner(t, l)
		})
	}
}

func TestClassifierContract(t *testing.T) {
	for _, c := range []struct {
		name   string
		labels []int
		opts   polk.Options
	}{
		{"default", []int{-1, 0, 7}, polk.Options{}},
		{"two classes", []int{-3, 4}, polk.Options{Passes: 8}},
		{"softmax", []int{1, 2, 3}, polk.Options{Loss: loss.Softmax{}, Passes: 8}},
		{"hinge", []int{-3, 4}, polk.Options{Loss: loss.Hinge{}, Passes: 8}},
		{"squared hinge", []int{0, 1}, polk.Options{Loss: loss.SquaredHinge{}, Passes: 8, Paper: polk.Paper{Schedule: polk.Averaged}}},
		{"logistic", []int{0, 1}, polk.Options{Loss: loss.Logistic{}, Passes: 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "default" {
				testutil.Long(t, "the default covers most of the same code")
			}
			l := testutil.Learner[polk.Options, *polk.Classifier]{
				Package: "polk",
				Repeats: math.Inf(1), // repeated rows cause more steps
				Fit:     polk.FitClassifier,
				Empty:   func() *polk.Classifier { return new(polk.Classifier) },
				Common:  common,
				Labels:  c.labels,
				Kernel:  withKernel,
				Loss:    withLoss,
			}
			if c.opts.Loss == nil {
				l.Losses = testutil.LabelLosses(len(c.labels))
			}
			if c.name != "default" {
				l.Options = func() *polk.Options { o := c.opts; return &o }
			} else if !testutil.LongTests() {
				l.Options = withoutMetric
			}
			testutil.CheckLearner(t, l)
		})
	}
}

func TestLearnerContract(t *testing.T) {
	for _, c := range []struct {
		name    string
		outputs int
		opts    polk.Options
	}{
		{"default", 1, polk.Options{}},
		{"outputs", 3, polk.Options{}},
		{"short wait", 1, polk.Options{Warmup: 30}},
		{"no wait", 1, polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Paper: polk.Paper{Rate: 1, NoIntercept: true}}},
		{"last function", 1, polk.Options{Warmup: 30, Paper: polk.Paper{Schedule: polk.Constant}}},
		{"horizon", 1, polk.Options{Horizon: 400}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "default" {
				testutil.Long(t, "the default covers most of the same code")
			}
			testutil.CheckStream(t, testutil.Stream[*polk.Learner, *polk.Model]{
				Package: "polk",
				Repeats: math.Inf(1), // repeated rows cause more steps
				Outputs: c.outputs,
				Exact:   c.opts.Kernel == nil,
				New: func(seed uint64, workers int) (*polk.Learner, error) {
					o := c.opts
					o.Seed, o.Workers = seed, workers
					return polk.NewLearner(&o)
				},
				Empty:  func() *polk.Learner { return new(polk.Learner) },
				Update: (*polk.Learner).Update,
				Model:  func(l *polk.Learner) (*polk.Model, error) { return l.Model(context.Background()) },
			})
		})
	}
}

func TestClassLearnerContract(t *testing.T) {
	for _, c := range []struct {
		name   string
		labels []int
		opts   polk.Options
	}{
		{"default", []int{3, 1, 2}, polk.Options{}},
		{"softmax", []int{0, 1, 2}, polk.Options{Loss: loss.Softmax{}, Warmup: 20}},
		{"hinge", []int{4, -3}, polk.Options{Loss: loss.Hinge{}, Warmup: 20}},
		{"logistic", []int{0, 1}, polk.Options{Loss: loss.Logistic{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "default" {
				testutil.Long(t, "the default covers most of the same code")
			}
			testutil.CheckStream(t, testutil.Stream[*polk.ClassLearner, *polk.Classifier]{
				Package: "polk",
				Repeats: math.Inf(1), // repeated rows cause more steps
				Labels:  c.labels,
				Exact:   true,
				New: func(seed uint64, workers int) (*polk.ClassLearner, error) {
					o := c.opts
					o.Seed, o.Workers = seed, workers
					return polk.NewClassLearner(nil, &o)
				},
				Empty:  func() *polk.ClassLearner { return new(polk.ClassLearner) },
				Update: (*polk.ClassLearner).Update,
				Model:  func(l *polk.ClassLearner) (*polk.Classifier, error) { return l.Model(context.Background()) },
			})
		})
	}
}
