package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

type slklOptions = slkl.Options

var slklCases = []goldenCase{
	slklFit("slkl/default", regression(300, 3, 1), slklOptions{MaxPoints: 60}),
	slklFit("slkl/nu", regression(300, 3, 1), slklOptions{MaxPoints: 80, Penalty: .01}),
	slklFit("slkl/kernels", regression(300, 3, 1), slklOptions{MaxPoints: 40, Kernels: []kernel.Kernel{
		kernel.Gaussian{Sigma: 1}, kernel.Laplacian{Sigma: 2}, kernel.Polynomial{Degree: 2, Offset: 1}}}),
	slklFit("slkl/outputs", regression(300, 3, 3), slklOptions{MaxPoints: 60}),
	slklFit("slkl/shared", regression(300, 3, 3), slklOptions{MaxPoints: 60, Paper: slkl.Paper{Shared: true}}),
	slklFit("slkl/no-intercept", regression(300, 3, 1), slklOptions{MaxPoints: 60, Paper: slkl.Paper{NoIntercept: true, Ridge: 2}}),
	slklFit("slkl/descent", regression(300, 3, 1), slklOptions{MaxPoints: 60, Penalty: .1, Paper: slkl.Paper{Epsilon: 1e-6}}),
	slklFit("slkl/random-newton", regression(300, 3, 1),
		slklOptions{MaxPoints: 60, Penalty: .1, Paper: slkl.Paper{Epsilon: 1e-6, Order: slkl.UniformRandom, Rule: slkl.NewtonStep}}),
	slklFit("slkl/low-memory", regression(300, 3, 2), slklOptions{MaxPoints: 80, Penalty: .1, Paper: slkl.Paper{LowMemory: true}}),
	slklFit("slkl/single", regression(300, 3, 1), slklOptions{MaxPoints: 60, Seed: 7, Paper: slkl.Paper{SinglePrecision: true}}),
	slklFit("slkl/large", regression(1500, 5, 2), slklOptions{MaxPoints: 350}),
	slklFit("slkl/large-shared", regression(1500, 5, 3), slklOptions{MaxPoints: 320, Penalty: .05, Paper: slkl.Paper{Shared: true}}),
	slklFit("slkl/shared-descent", regression(300, 3, 3), slklOptions{MaxPoints: 60, Penalty: .1, Paper: slkl.Paper{Shared: true, Epsilon: 1e-6}}),
	slklClassifier("slkl/two-classes", func(*testing.T) task { return classes(300, 3, 2) }, slklOptions{MaxPoints: 60}),
	slklClassifier("slkl/three-classes", func(*testing.T) task { return classes(300, 3, 3) }, slklOptions{MaxPoints: 60, Paper: slkl.Paper{Shared: true}}),
	{"slkl/accumulator", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 2)
		opts := slklOptions{Points: k.x.Slice(0, 50, 0, 3)}
		a, b := must(slkl.NewLearner(&opts)), must(slkl.NewLearner(&opts))
		batches(k, a.Update, 7, 64, 1)
		batches(regression(150, 3, 2), b.Update, 40)
		check(a.Merge(b))
		return slklModel(must(a.Model(context.Background())), k.test)
	}},
	{"slkl/class-accumulator", func(*testing.T) (predictions, figures []float64) {
		k := classes(300, 3, 3)
		a := must(slkl.NewClassLearner([]int{7, 3, 5}, &slklOptions{Points: k.x.Slice(0, 50, 0, 3)}))
		batches(k, a.Update, 50, 3)
		c := must(a.Model(context.Background()))
		_, figures = slklModel(c.Model(), k.test)
		return classify(c, k.test), figures
	}},
	{"slkl/path", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 1)
		a := must(slkl.NewLearner(&slklOptions{Points: k.x.Slice(0, 50, 0, 3)}))
		check(a.Update(k.x, k.y))
		for _, m := range must(a.Path(context.Background(), []float64{1, .1, .001})) {
			p, f := slklModel(m, k.test)
			predictions, figures = append(predictions, p...), append(figures, f...)
		}
		return predictions, figures
	}},
	{"slkl/learned-kernel", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 2)
		m := must(slkl.Fit(context.Background(), k.x, k.y, &slklOptions{MaxPoints: 60, Penalty: .1}))
		var learned mat.Dense
		check(kernel.Cross(&learned, m.Kernel(1), k.test, k.x))
		_, figures = slklModel(m, k.test)
		return values(&learned), figures
	}},
	{"slkl/abalone", func(t *testing.T) (predictions, figures []float64) {
		k := abalone(t, 2000)
		return slklModel(must(slkl.Fit(context.Background(), k.x, k.y, &slklOptions{MaxPoints: 150})), k.test)
	}},
	slklClassifier("slkl/a9a", func(t *testing.T) task { return a9a(t, 2000) }, slklOptions{MaxPoints: 120, Penalty: .05}),
}

func slklFit(name string, k task, opts slkl.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return slklModel(must(slkl.Fit(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func slklClassifier(name string, data func(t *testing.T) task, opts slkl.Options) goldenCase {
	return goldenCase{name, func(t *testing.T) (predictions, figures []float64) {
		k := data(t)
		c := must(slkl.FitClassifier(context.Background(), k.x, k.y, &opts))
		_, figures = slklModel(c.Model(), k.test)
		return classify(c, k.test), figures
	}}
}

func slklModel(m *slkl.Model, test *mat.Dense) (predictions, figures []float64) {
	figures = append(slices.Clone(m.Intercept()), float64(m.ModelOrder()))
	report := m.Report()
	for _, r := range report.Outputs {
		figures = append(figures, r.Penalty, report.Ridge, r.PenaltyMax, r.Objective, r.Gap, r.KKT, float64(r.ModelOrder),
			float64(r.Steps), float64(r.Solves), float64(r.Refactorisations), float64(r.Status))
	}
	return predict(m, test), figures
}
