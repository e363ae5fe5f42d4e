package slkl_test

import (
	"context"
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

func oneStep(o *slkl.Options) { o.MaxSteps = 1 }

func regression() testutil.Learner[slkl.Options, *slkl.Model] {
	return testutil.Learner[slkl.Options, *slkl.Model]{
		Package: "slkl",
		Fit:     slkl.Fit,
		Empty:   func() *slkl.Model { return new(slkl.Model) },
		Common:  common,
		Limit:   oneStep,
		// The targets are multiplied by powers of two: every step of the
		// solvers is then the same but for its unit.
		Equivariance: 1e-14,
	}
}

func classification(labels ...int) testutil.Learner[slkl.Options, *slkl.Classifier] {
	return testutil.Learner[slkl.Options, *slkl.Classifier]{
		Package: "slkl",
		Fit:     slkl.FitClassifier,
		Empty:   func() *slkl.Classifier { return new(slkl.Classifier) },
		Common:  common,
		Limit:   oneStep,
		Labels:  labels,
	}
}

func TestRegressionContract(t *testing.T) {
	testutil.CheckLearner(t, regression())
}

func TestClassifierContract(t *testing.T) {
	t.Run("two", func(t *testing.T) { testutil.CheckLearner(t, classification(-3, 4)) })
	t.Run("three", func(t *testing.T) { testutil.CheckLearner(t, classification(-1, 0, 7)) })
}

var _ = context.Background
var _ = rand.Int
var _ = mat.NewDense
var _ = kernel.Gaussian{}
