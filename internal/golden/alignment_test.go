package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/kernel"
)

type alignmentOptions = alignment.Options

var ard = kernel.ARD{Of: kernel.Gaussian{}}

var alignmentCases = []goldenCase{
	alignmentSearch("alignment/search", regression(200, 3, 1), alignmentOptions{Criterion: alignment.Alignment}),
	alignmentSearch("alignment/search-outputs", regression(200, 3, 2), alignmentOptions{Criterion: alignment.Alignment, Family: kernel.Matern{Nu: 1.5}, Paper: alignment.Paper{Refit: true}}),
	alignmentSearch("alignment/search-laplacian", regression(200, 3, 1), alignmentOptions{Criterion: alignment.Alignment, Family: kernel.Laplacian{}, Paper: alignment.Paper{MaxStep: .5}}),
	alignmentSearch("alignment/search-epsilon", regression(200, 3, 1), alignmentOptions{Criterion: alignment.Alignment, Paper: alignment.Paper{Epsilon: 1e-3, MaxKernels: 5}}),
	alignmentSearch("alignment/search-rows", regression(400, 3, 1), alignmentOptions{Criterion: alignment.Alignment, Paper: alignment.Paper{SearchRows: 150, Low: .1, High: 10}}),
	alignmentSearch("alignment/search-dirichlet", regression(150, 1, 1), alignmentOptions{Criterion: alignment.Alignment, Family: kernel.Dirichlet{}}),
	alignmentSearch("alignment/search-frequencies", regression(150, 2, 1), alignmentOptions{Criterion: alignment.Alignment, Family: kernel.Dirichlet{}, Paper: alignment.Paper{MaxKernels: 4}}),
	alignmentSearch("alignment/search-parametric", regression(120, 3, 1),
		alignmentOptions{Criterion: alignment.Alignment, Family: kernel.RationalQuadratic{Alpha: 1, Length: 2}, Paper: alignment.Paper{MaxKernels: 3}}),
	alignmentSearch("alignment/search-ard", regression(150, 3, 1), alignmentOptions{Criterion: alignment.Alignment, Family: ard, Paper: alignment.Paper{MaxKernels: 4, Shrink: []float64{0, .01}}}),
	{"alignment/search-classes", func(*testing.T) (predictions, figures []float64) {
		k := classes(200, 3, 3)
		return alignmentResult(must(alignment.SearchClasses(context.Background(), k.x, k.y, &alignmentOptions{Criterion: alignment.Alignment})), k.test)
	}},
	alignmentSearch("alignment/search-default", regression(200, 3, 1), alignmentOptions{}),
	alignmentSearch("alignment/search-large", regression(1200, 5, 1), alignmentOptions{Criterion: alignment.Alignment}),
	alignmentFit("alignment/ridge", regression(200, 3, 2), alignmentOptions{}),
	alignmentFit("alignment/ridge-given", regression(200, 3, 1), alignmentOptions{Criterion: alignment.Alignment, Family: kernel.Laplacian{}, Ridge: []float64{.1}}),
	alignmentFit("alignment/ridge-ard", regression(150, 3, 1), alignmentOptions{Family: ard, Paper: alignment.Paper{MaxKernels: 4, Shrink: []float64{1e-3, .1}}}),
	alignmentFit("alignment/ridge-dirichlet", regression(150, 1, 1), alignmentOptions{Family: kernel.Dirichlet{}}),
	alignmentClassifier("alignment/classes", classes(200, 3, 2), alignmentOptions{}),
	alignmentClassifier("alignment/classes-more", classes(200, 3, 3), alignmentOptions{}),
	alignmentClassifier("alignment/svm", classes(200, 3, 2), alignmentOptions{Criterion: alignment.Alignment}),
	alignmentClassifier("alignment/svm-classes", classes(200, 3, 3), alignmentOptions{Criterion: alignment.Alignment, Paper: alignment.Paper{Refit: true}}),
	alignmentClassifier("alignment/svm-ard", classes(150, 3, 2), alignmentOptions{Criterion: alignment.Alignment, Family: ard, C: []float64{1, 10}, Paper: alignment.Paper{MaxKernels: 3, Shrink: []float64{.01}}}),
	alignmentClassifier("alignment/svm-large", classes(800, 5, 3), alignmentOptions{Criterion: alignment.Alignment}),
	{"alignment/abalone", func(t *testing.T) (predictions, figures []float64) {
		k := abalone(t, 400)
		return alignmentModel(must(alignment.Fit(context.Background(), k.x, k.y, &alignmentOptions{Seed: 4})), k.test)
	}},
	{"alignment/a9a", func(t *testing.T) (predictions, figures []float64) {
		k := a9a(t, 400)
		return alignmentScores(must(alignment.FitClassifier(context.Background(), k.x, k.y, nil)), k.test)
	}},
}

func alignmentSearch(name string, k task, opts alignment.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return alignmentResult(must(alignment.Search(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func alignmentFit(name string, k task, opts alignment.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return alignmentModel(must(alignment.Fit(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func alignmentClassifier(name string, k task, opts alignment.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return alignmentScores(must(alignment.FitClassifier(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

// alignmentResult returns the Gram matrix of the learned kernel as predictions.
func alignmentResult(r *alignment.Result, test *mat.Dense) (predictions, figures []float64) {
	var gram mat.SymDense
	check(kernel.Gram(&gram, r.Kernel, test))
	figures = append(parameters(r.Kernel), r.Alignment, r.Shrink, float64(r.Rows), float64(r.Status))
	if c := r.Search; c.Kernel != nil {
		figures = append(figures, c.Noise, c.Error, c.StandardError, c.Exact.Error, float64(len(c.Curve)))
	}
	for _, s := range r.Iterations {
		figures = slices.Concat(figures, parameters(s.Kernel), []float64{s.Eta, s.Alignment, float64(s.Evaluations)})
	}
	return values(&gram), figures
}

func alignmentModel(m *alignment.Model, test *mat.Dense) (predictions, figures []float64) {
	learned := m.Learned()
	_, figures = alignmentResult(&learned, test)
	r := m.Report()
	figures = append(figures, r.C, r.Ridge, r.HeldOutLoss, float64(r.ModelOrder), r.Objective, r.Gap, r.Violation, float64(r.Status))
	return predict(m, test), figures
}

func alignmentScores(c *alignment.Classifier, test *mat.Dense) (predictions, figures []float64) {
	_, figures = alignmentModel(c.Model(), test)
	return classify(c, test), figures
}
