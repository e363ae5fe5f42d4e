package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

var svmCases = []goldenCase{
	svmFit("svm/default", regression(200, 3, 1), svm.Options{}),
	svmFit("svm/given", regression(300, 3, 2), svm.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, C: 10, Epsilon: .1, Seed: 3}),
	svmClassifier("svm/classes", classes(300, 3, 2), svm.Options{}),
	svmClassifier("svm/three-classes", classes(300, 3, 3), svm.Options{Kernel: kernel.Gaussian{Sigma: 2}}),
	svmClassifier("svm/large-c", classes(2500, 4, 2), svm.Options{Kernel: kernel.Gaussian{Sigma: 2}, C: 1e3}),
	{"svm/novelty", func(*testing.T) (predictions, figures []float64) {
		k := regression(400, 3, 1)
		m := must(svm.FitNovelty(context.Background(), k.x, &svm.Options{Nu: .2}))
		return classify(m, k.test), svmFigures(m.Model())
	}},
	{"svm/precomputed", func(*testing.T) (predictions, figures []float64) {
		k := classes(200, 3, 2)
		var gram mat.SymDense
		check(kernel.Gram(&gram, kernel.Laplacian{Sigma: 3}, k.x))
		c := must(svm.FitClassifier(context.Background(), &gram, k.y, &svm.Options{Precomputed: true, C: 3}))
		return classify(c, &gram), svmFigures(c.Model())
	}},
}

func svmFit(name string, k task, opts svm.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		m := must(svm.Fit(context.Background(), k.x, k.y, &opts))
		return predict(m, k.test), svmFigures(m)
	}}
}

func svmClassifier(name string, k task, opts svm.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		c := must(svm.FitClassifier(context.Background(), k.x, k.y, &opts))
		return classify(c, k.test), svmFigures(c.Model())
	}}
}

func svmFigures(m *svm.Model) []float64 {
	r := m.Report()
	figures := slices.Concat(r.C, r.Epsilon, r.Dual, r.Primal, r.Gap, r.Violation, m.Intercept(),
		[]float64{float64(r.Status), float64(r.Rows), float64(r.ModelOrder), float64(r.Iterations)})
	for _, curve := range r.Curve {
		for _, t := range curve {
			figures = append(figures, t.C, t.Error)
		}
	}
	for _, list := range [][]int{r.SupportVectors, r.Bounded, m.Support()} {
		for _, v := range list {
			figures = append(figures, float64(v))
		}
	}
	return figures
}
