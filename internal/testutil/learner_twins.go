package testutil

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// kernelTwins takes absolute values as inputs for a kernel that is not defined on
// others. With -short it takes every fourth of many kernels, and lossTwins every third loss.
func (l Learner[O, M]) kernelTwins(t testing.TB) {
	for i, k := range l.Kernels {
		if testing.Short() && len(l.Kernels) > 8 && i%4 != 0 {
			continue
		}
		d := l.task()
		if errors.Is(kernel.Check(k, d.x), rkhs.ErrDomain) {
			for _, x := range []*mat.Dense{d.x, d.testX} {
				x.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, x)
			}
		}
		want := l.twin(t, d, k, func(o *O) { l.Kernel(o, k) })
		for _, twin := range twinsOfKernel(k) {
			if got := l.twin(t, d, twin.v, func(o *O) { l.Kernel(o, twin.v) }); !identical(got, want) {
				t.Errorf("%s %v predicts otherwise than it", twin.name, k)
			}
		}
	}
}

func (l Learner[O, M]) lossTwins(t testing.TB) {
	d := l.task()
	for i, v := range l.Losses {
		if testing.Short() && i%3 != 0 {
			continue
		}
		want := l.twin(t, d, v, func(o *O) { l.Loss(o, v) })
		for _, twin := range twinsOfLoss(v) {
			if got := l.twin(t, d, twin.v, func(o *O) { l.Loss(o, twin.v) }); !identical(got, want) {
				t.Errorf("%s %v predicts otherwise than it", twin.name, v)
			}
		}
	}
}

// twin returns what a fit with v predicts, converged or not.
func (l Learner[O, M]) twin(t testing.TB, d task, v any, set func(*O)) *mat.Dense {
	t.Helper()
	opts := l.set(5, 2, nil)
	set(opts)
	m, err := l.Fit(context.Background(), d.x, d.y, opts)
	if err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
		t.Fatalf("%v (%T): %v", v, v, err)
	}
	return predict(t, m, d.testX)
}

// RegressionLosses are those of package loss for targets, for Learner.Losses.
func RegressionLosses() []loss.Loss {
	return []loss.Loss{
		loss.Squared{}, loss.Huber{Delta: 0.7}, loss.EpsilonInsensitive{Epsilon: 0.3}, loss.Absolute{}, loss.Pinball{Tau: 0.8},
	}
}

// LabelLosses are those of package loss for two labels, and for more the Multiclass
// ones.
func LabelLosses(labels int) []loss.Loss {
	multi := []loss.Loss{loss.Softmax{}, loss.MulticlassHinge{}}
	if labels > 2 {
		return multi
	}
	return append([]loss.Loss{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}}, multi...)
}

// Kernels are those of package kernel, one of each type, for points of Inputs columns
// and Learner.Kernels.
func Kernels() []kernel.Kernel {
	g, p := kernel.Gaussian{Sigma: 2}, kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}
	return []kernel.Kernel{
		g, kernel.Laplacian{Sigma: 3}, kernel.Cauchy{Sigma: 2}, kernel.Matern{Nu: 1.5, Length: 2},
		kernel.RationalQuadratic{Alpha: 1, Length: 2}, kernel.Linear{}, p, kernel.DotProduct{Coefficients: []float64{1, 1, 0.5}},
		kernel.ArcCosine{Order: 1}, kernel.Dirichlet{Sigma: 0.2}, kernel.AdditiveChiSquared{}, kernel.Hellinger{},
		kernel.Intersection{}, kernel.JensenShannon{}, kernel.SkewedChiSquared{C: 0.1}, kernel.SkewedIntersection{C: 0.1},
		kernel.ExponentialSemigroup{Beta: 0.5}, kernel.ReciprocalSemigroup{Lambda: 1},
		kernel.ARD{Scales: []float64{1, 2, 3}, Of: g}, kernel.Sum{g, p}, kernel.Product{g, p}, kernel.Scale{By: 2, Of: g},
		kernel.LowRank{Base: g, Points: mat.NewDense(2, Inputs, []float64{0, 0, 0, 1, 1, 1}), Weights: []float64{1, 0.5}},
		kernel.Projected{L: mat.NewDense(2, Inputs, []float64{1, 0, 1, 0, 2, -1}), Of: g},
		kernel.OneHot{Levels: [][]float64{nil, {0, 1}, nil}, Of: g},
	}
}
