package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

var ridgeCases = []goldenCase{
	ridgeFit("ridge/default", regression(300, 3, 1), ridge.Options{}),
	ridgeFit("ridge/outputs", regression(300, 3, 2), ridge.Options{Metric: kernel.DiagonalMetric, Seed: 3}),
	ridgeFit("ridge/given", regression(300, 3, 1), ridge.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 2}, Ridge: 1e-4}),
	ridgeFit("ridge/points", regression(300, 5, 1), ridge.Options{Metric: kernel.FullMetric, MaxPoints: 100}),
	{"ridge/three-classes", func(*testing.T) (predictions, figures []float64) {
		k := classes(300, 3, 3)
		c := must(ridge.FitClassifier(context.Background(), k.x, k.y, nil))
		return values(must(c.Scores(k.test))), ridgeFigures(c.Report())
	}},
}

func ridgeFit(name string, k task, opts ridge.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		m := must(ridge.Fit(context.Background(), k.x, k.y, &opts))
		_, d := k.x.Dims()
		small := must(m.Compress(context.Background(), 20))
		return append(predict(m, k.test), predict(small, k.test.Slice(0, 20, 0, d).(*mat.Dense))...), ridgeFigures(m.Report())
	}}
}

func ridgeFigures(r ridge.Report) []float64 {
	return slices.Concat(r.Residual, r.Error, r.Norm, r.LeaveOneOut,
		[]float64{float64(r.Status), float64(r.Rows), float64(r.ModelOrder), float64(r.Iterations), r.Ridge})
}
