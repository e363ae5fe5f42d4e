package alignment_test

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func common(o *alignment.Options, seed uint64, workers int, r rkhs.Recorder) {
	o.Seed, o.Workers, o.Recorder = seed, workers, r
}

func regression() testutil.Learner[alignment.Options, *alignment.Model] {
	return testutil.Learner[alignment.Options, *alignment.Model]{
		Package: "alignment",
		Fit:     alignment.Fit,
		Empty:   func() *alignment.Model { return new(alignment.Model) },
		Common:  common,
		// The battery scales targets by powers of two, which changes every step only by the unit.
		Equivariance: 1e-14,
		Repeats:      math.Inf(1), // rows are held out, and the ridge is relative to a sum over rows
		Kernel:       setFamily,
		Kernels:      everyFamily(),
	}
}

func classification(labels ...int) testutil.Learner[alignment.Options, *alignment.Classifier] {
	return testutil.Learner[alignment.Options, *alignment.Classifier]{
		Package: "alignment",
		Fit:     alignment.FitClassifier,
		Empty:   func() *alignment.Classifier { return new(alignment.Classifier) },
		Common:  common,
		Labels:  labels,
		Repeats: math.Inf(1),
		Kernel:  setFamily,
		Kernels: everyFamily(),
	}
}

func setFamily(o *alignment.Options, k kernel.Kernel) {
	o.Family, o.MaxKernels = k, 2
}

// everyFamily are the families of each kind.
func everyFamily() []kernel.Kernel {
	g := kernel.Gaussian{Sigma: 1}
	return []kernel.Kernel{
		g, kernel.Laplacian{Sigma: 1}, kernel.Matern{Nu: 1.5, Length: 1}, kernel.Matern{Nu: 2.2, Length: 1}, kernel.Dirichlet{Sigma: 1},
		kernel.ARD{Scales: []float64{1, 1, 1}, Of: g}, kernel.ARD{Scales: []float64{1, 1, 1}, Of: kernel.Laplacian{Sigma: 1}},
		kernel.RationalQuadratic{Alpha: 1, Length: 1}, kernel.Cauchy{Sigma: 1},
	}
}

// variants are options for long tests, in addition to the defaults.
func variants() map[string]alignment.Options {
	return map[string]alignment.Options{
		"Laplacian":             {Family: kernel.Laplacian{}, Paper: alignment.Paper{Refit: true}},
		"bandwidths":            {Family: kernel.ARD{Of: kernel.Gaussian{}}, C: []float64{1, 100}, Ridge: []float64{1e-2, 1e-4}, Paper: alignment.Paper{Shrink: []float64{0.01, 1}}},
		"frequencies":           {Family: kernel.Dirichlet{}},
		"of several parameters": {Family: kernel.RationalQuadratic{Alpha: 1, Length: 1}, C: []float64{1}, Ridge: []float64{1e-3}, Paper: alignment.Paper{MaxKernels: 3}},
	}
}

func TestRegressionContract(t *testing.T) {
	t.Run("default", func(t *testing.T) {
		l := regression()
		l.LargeRows = 2500
		testutil.CheckLearner(t, l)
	})
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			testutil.Long(t, "the default covers most of the same code")
			l := regression()
			l.Outputs = 2
			l.Kernels = nil
			o.C = nil
			l.Options = func() *alignment.Options { return fresh(o) }
			testutil.CheckLearner(t, l)
		})
	}
}

func TestClassifierContract(t *testing.T) {
	t.Run("two classes", func(t *testing.T) {
		l := classification(-3, 4)
		l.LargeRows = 4000
		testutil.CheckLearner(t, l)
	})
	t.Run("three classes", func(t *testing.T) {
		l := classification(-1, 0, 7)
		l.Kernels = nil // two classes use the same code
		testutil.CheckLearner(t, l)
	})
	for name, o := range variants() {
		t.Run(name, func(t *testing.T) {
			testutil.Long(t, "the default covers most of the same code")
			l := classification(0, 1)
			l.Kernels = nil
			o.Ridge = nil
			l.Options = func() *alignment.Options { return fresh(o) }
			testutil.CheckLearner(t, l)
		})
	}
}

// fresh returns a copy of o without shared lists, since the battery overwrites its arguments.
func fresh(o alignment.Options) *alignment.Options {
	o.Shrink, o.C, o.Ridge = slices.Clone(o.Shrink), slices.Clone(o.C), slices.Clone(o.Ridge)
	return &o
}
