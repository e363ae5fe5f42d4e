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
	slklFit("slkl/default", regression(300, 3, 1), slklOptions{Landmarks: 60}),
	slklFit("slkl/nu", regression(300, 3, 1), slklOptions{Landmarks: 80, Nu: .01}),
	slklFit("slkl/kernels", regression(300, 3, 1), slklOptions{Landmarks: 40, Kernels: []kernel.Kernel{
		kernel.Gaussian{Sigma: 1}, kernel.Laplacian{Sigma: 2}, kernel.Polynomial{Degree: 2, Offset: 1}}}),
	slklFit("slkl/outputs", regression(300, 3, 3), slklOptions{Landmarks: 60}),
	slklFit("slkl/shared", regression(300, 3, 3), slklOptions{Landmarks: 60, Shared: true}),
	slklFit("slkl/no-intercept", regression(300, 3, 1), slklOptions{Landmarks: 60, NoIntercept: true, Lambda: 2}),
	slklFit("slkl/descent", regression(300, 3, 1), slklOptions{Landmarks: 60, Nu: .1, Epsilon: 1e-6}),
	slklFit("slkl/random-newton", regression(300, 3, 1),
		slklOptions{Landmarks: 60, Nu: .1, Epsilon: 1e-6, Order: slkl.UniformRandom, Step: slkl.Newton}),
	slklFit("slkl/low-memory", regression(300, 3, 2), slklOptions{Landmarks: 80, Nu: .1, LowMemory: true}),
	slklFit("slkl/single", regression(300, 3, 1), slklOptions{Landmarks: 60, Single: true, Seed: 7}),
	slklFit("slkl/large", regression(1500, 5, 2), slklOptions{Landmarks: 350}),
	slklFit("slkl/large-shared", regression(1500, 5, 3), slklOptions{Landmarks: 320, Shared: true, Nu: .05}),
	slklFit("slkl/shared-descent", regression(300, 3, 3), slklOptions{Landmarks: 60, Shared: true, Nu: .1, Epsilon: 1e-6}),
	slklClassifier("slkl/two-classes", func(*testing.T) task { return classes(300, 3, 2) }, slklOptions{Landmarks: 60}),
	slklClassifier("slkl/three-classes", func(*testing.T) task { return classes(300, 3, 3) }, slklOptions{Landmarks: 60, Shared: true}),
	{"slkl/accumulator", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 2)
		opts := slklOptions{Points: k.x.Slice(0, 50, 0, 3)}
		a, b := must(slkl.NewAccumulator(2, &opts)), must(slkl.NewAccumulator(2, &opts))
		batches(k, a.Add, 7, 64, 1)
		batches(regression(150, 3, 2), b.Add, 40)
		check(a.Merge(b))
		return slklModel(must(a.Solve(context.Background())), k.test)
	}},
	{"slkl/class-accumulator", func(*testing.T) (predictions, figures []float64) {
		k := classes(300, 3, 3)
		a := must(slkl.NewClassAccumulator([]int{7, 3, 5}, &slklOptions{Points: k.x.Slice(0, 50, 0, 3)}))
		batches(k, a.Add, 50, 3)
		c := must(a.Solve(context.Background()))
		_, figures = slklModel(c.Model(), k.test)
		return classify(c, k.test), figures
	}},
	{"slkl/path", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 1)
		a := must(slkl.NewAccumulator(1, &slklOptions{Points: k.x.Slice(0, 50, 0, 3)}))
		check(a.Add(k.x, k.y))
		for _, m := range must(a.Path(context.Background(), []float64{1, .1, .001})) {
			p, f := slklModel(m, k.test)
			predictions, figures = append(predictions, p...), append(figures, f...)
		}
		return predictions, figures
	}},
	{"slkl/learned-kernel", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 2)
		m := must(slkl.Fit(context.Background(), k.x, k.y, &slklOptions{Landmarks: 60, Nu: .1}))
		var learned mat.Dense
		check(kernel.Cross(&learned, m.Kernel(1), k.test, k.x))
		_, figures = slklModel(m, k.test)
		return values(&learned), figures
	}},
	{"slkl/abalone", func(t *testing.T) (predictions, figures []float64) {
		k := abalone(t, 2000)
		return slklModel(must(slkl.Fit(context.Background(), k.x, k.y, &slklOptions{Landmarks: 150})), k.test)
	}},
	slklClassifier("slkl/a9a", func(t *testing.T) task { return a9a(t, 2000) }, slklOptions{Landmarks: 120, Nu: .05}),
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
	for _, r := range m.Reports() {
		figures = append(figures, r.Nu, r.Lambda, r.NuMax, r.Objective, r.Gap, r.KKT, float64(r.ModelOrder),
			float64(r.Steps), float64(r.Solves), float64(r.Refactorisations), float64(r.Status))
	}
	return predict(m, test), figures
}
