package slkl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

func common(o *slkl.Options, seed uint64, workers int, r rkhs.Recorder) {
	o.Seed, o.Workers, o.Recorder = seed, workers, r
}

// limit sets a single step, and a penalty, since ridge regression needs no step.
func limit(o *slkl.Options) {
	o.Iterations, o.Tolerance = 1, 1e-12
	if o.Penalty == 0 {
		o.PenaltyGrid = []float64{1e-2, 1e-4}
	}
}

func regression() testutil.Learner[slkl.Options, *slkl.Model] {
	return testutil.Learner[slkl.Options, *slkl.Model]{
		Package: "slkl",
		Fit:     slkl.Fit,
		Empty:   func() *slkl.Model { return new(slkl.Model) },
		Common:  common,
		Limit:   limit,
		// The battery scales targets by powers of two, which changes every solver step only by the unit.
		Equivariance: 1e-14,
		// Repeated rows are additional rows, in different folds and with the same penalty.
		Repeats: math.Inf(1),
		Kernel:  withKernel,
		// The Gram matrix of the landmarks is nearly singular.
		SparseRounding: 1e-7,
	}
}

func withKernel(o *slkl.Options, k kernel.Kernel) { o.Kernels = []kernel.Kernel{k} }

func classification(labels ...int) testutil.Learner[slkl.Options, *slkl.Classifier] {
	return testutil.Learner[slkl.Options, *slkl.Classifier]{
		Package: "slkl",
		Fit:     slkl.FitClassifier,
		Empty:   func() *slkl.Classifier { return new(slkl.Classifier) },
		Common:  common,
		Limit:   limit,
		Labels:  labels,
		Repeats: math.Inf(1),
		Kernel:  withKernel,

		SparseRounding: 1e-7,
	}
}

// mixture has kernels with k(x, x) = 1 and one without.
func mixture() []kernel.Kernel {
	return []kernel.Kernel{kernel.Gaussian{Sigma: 0.7}, kernel.Laplacian{Sigma: 3}, kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}}
}

func TestRegressionContract(t *testing.T) {
	for _, c := range []struct {
		name    string
		outputs int
		opts    slkl.Options
	}{
		{"default", 1, slkl.Options{}},
		{"kernel", 1, slkl.Options{MaxPoints: 20}},
		{"outputs", 3, slkl.Options{MaxPoints: 50}},
		{"shared", 3, slkl.Options{MaxPoints: 30, Paper: slkl.Paper{Shared: true}}},
		{"kernels", 2, slkl.Options{Kernels: mixture(), MaxPoints: 20}},
		{"without intercept", 1, slkl.Options{MaxPoints: 50, Paper: slkl.Paper{NoIntercept: true}}},
		{"random order", 2, slkl.Options{Penalty: 0.01, MaxPoints: 50, Paper: slkl.Paper{Order: slkl.UniformRandom, Epsilon: 1e-6}}},
		{"Newton", 1, slkl.Options{Penalty: 0.01, MaxPoints: 50, Paper: slkl.Paper{Rule: slkl.NewtonStep}}},
		{"low memory", 2, slkl.Options{Penalty: 0.01, Paper: slkl.Paper{LowMemory: true}}},
		{"low memory, shared", 2, slkl.Options{Penalty: 0.01, Kernels: mixture(), MaxPoints: 20, Paper: slkl.Paper{LowMemory: true, Shared: true}}},
	} {
		if c.name != "default" && c.opts.Kernels == nil {
			c.opts.Kernels = base().Kernels // the search is slow and tested by default
		}
		t.Run(c.name, func(t *testing.T) {
			switch c.name {
			case "default", "kernel", "kernels", "low memory, shared":
			default:
				testutil.Long(t, "the other options cover most of the same code")
			}
			l := regression()
			l.Outputs = c.outputs
			if c.name == "kernel" {
				l.Kernels = testutil.Kernels()
			}
			if c.name == "default" {
				l.LargeRows = 100000
				if !testutil.LongTests() {
					l.Options = func() *slkl.Options { return &slkl.Options{Metric: kernel.NoMetric} }
				}
			} else {
				l.Options = func() *slkl.Options {
					o := c.opts
					o.Kernels = append([]kernel.Kernel(nil), o.Kernels...)
					return &o
				}
			}
			if c.opts.Epsilon > 0 {
				l.Limit = nil // there is no Tolerance
			}
			if c.opts.Penalty > 0 {
				l.Equivariance = 0 // the penalty does not scale with the targets
			}
			testutil.CheckLearner(t, l)
		})
	}
}

func TestClassifierContract(t *testing.T) {
	t.Run("two classes", func(t *testing.T) { testutil.CheckLearner(t, classification(-3, 4)) })
	t.Run("three classes", func(t *testing.T) {
		testutil.Long(t, "two classes and regressions of several outputs cover the same code")
		l := classification(-1, 0, 7)
		l.Options = func() *slkl.Options { return &slkl.Options{MaxPoints: 50, Kernels: base().Kernels} }
		testutil.CheckLearner(t, l)
	})
	t.Run("shared", func(t *testing.T) {
		testutil.Long(t, "two classes and a shared regression cover the same code")
		l := classification(1, 2, 3)
		l.Options = func() *slkl.Options {
			return &slkl.Options{MaxPoints: 25, Kernels: base().Kernels, Paper: slkl.Paper{Shared: true}}
		}
		testutil.CheckLearner(t, l)
	})
}

// points returns n landmarks in the range of the data of the batteries.
func points(n int) *mat.Dense {
	r := rand.New(rand.NewPCG(3, 4))
	p := mat.NewDense(n, testutil.Inputs, nil)
	p.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, p)
	return p
}

func TestLearnerContract(t *testing.T) {
	for _, c := range []struct {
		name    string
		outputs int
		opts    slkl.Options
	}{
		{"default", 1, slkl.Options{}},
		{"outputs", 3, slkl.Options{Penalty: 0.01}},
		{"shared", 3, slkl.Options{Kernels: mixture(), Points: points(12), Paper: slkl.Paper{Shared: true}}},
		{"without intercept", 1, slkl.Options{Paper: slkl.Paper{NoIntercept: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "shared" {
				testutil.Long(t, "the fit with a shared penalty covers the solver")
			}
			repeats := math.Inf(1) // rows repeated are in other folds
			if c.opts.Penalty > 0 {
				repeats = 1e-6
			}
			testutil.CheckStream(t, testutil.Stream[*slkl.Learner, *slkl.Model]{
				Package: "slkl",
				Outputs: c.outputs,
				Repeats: repeats,
				New: func(seed uint64, workers int) (*slkl.Learner, error) {
					o := c.opts
					o.Seed, o.Workers = seed, workers
					if o.Points == nil {
						o.Points = points(60)
					}
					return slkl.NewLearner(&o)
				},
				Empty:  func() *slkl.Learner { return new(slkl.Learner) },
				Update: (*slkl.Learner).Update,
				Model:  func(a *slkl.Learner) (*slkl.Model, error) { return a.Model(context.Background()) },
			})
		})
	}
}

func TestClassLearnerContract(t *testing.T) {
	for _, labels := range [][]int{{-3, 4}, {-1, 0, 7}} {
		t.Run(fmt.Sprint(len(labels)), func(t *testing.T) {
			testutil.CheckStream(t, testutil.Stream[*slkl.ClassLearner, *slkl.Classifier]{
				Package: "slkl",
				Labels:  labels,
				Repeats: math.Inf(1),
				New: func(seed uint64, workers int) (*slkl.ClassLearner, error) {
					return slkl.NewClassLearner(labels, &slkl.Options{Points: points(40), Seed: seed, Workers: workers})
				},
				Empty:  func() *slkl.ClassLearner { return new(slkl.ClassLearner) },
				Update: (*slkl.ClassLearner).Update,
				Model:  func(l *slkl.ClassLearner) (*slkl.Classifier, error) { return l.Model(context.Background()) },
			})
		})
	}
}

// Every model can be loaded as the interface of package rkhs.
var (
	_ rkhs.Model      = (*slkl.Model)(nil)
	_ rkhs.Classifier = (*slkl.Classifier)(nil)
)
