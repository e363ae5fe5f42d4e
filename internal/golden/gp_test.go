package golden

import (
	"context"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
)

type (
	gpOptions       = doublysgd.GPOptions
	varianceOptions = doublysgd.VarianceOptions
)

var gpCases = []goldenCase{
	gpFit("gp/default", regression(300, 3, 1), gpOptions{}),
	gpFit("gp/outputs", regression(300, 3, 2), gpOptions{Centres: 30, Seed: 3}),
	gpFit("gp/literal", regression(300, 3, 1), gpOptions{Literal: true, Kernel: kernel.Matern{Nu: 2.5, Length: 2}, Noise: .02, Centres: 50}),
	gpFit("gp/computed", regression(300, 3, 1), gpOptions{Centres: 20, CacheSize: 1, Tolerance: 1e-5}),
	gpFit("gp/large", regression(1200, 5, 1), gpOptions{Centres: 300}),
	{"gp/variance-operator", func(*testing.T) (predictions, figures []float64) {
		k := regression(300, 3, 1)
		v := must(doublysgd.FitVarianceOperator(context.Background(), k.x,
			varianceOptions{Noise: 30, Features: 256, Columns: 64, Batch: 50, Sampler: features.Orthogonal}))
		return values(must(v.Variance(k.test))), parameters(v.Kernel())
	}},
}

// gpFit has the variance after the mean, for the first rows of the test.
func gpFit(name string, k task, opts doublysgd.GPOptions) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		_, d := k.x.Dims()
		g := must(doublysgd.FitGP(context.Background(), k.x, k.y, k.test.Slice(0, 20, 0, d), &opts))
		figures = slices.Concat(g.Amplitude(), g.Noise(), parameters(g.Kernel()), gpReport(g))
		return append(predict(g, k.test), values(g.Variance())...), figures
	}}
}

func gpReport(m interface {
	Report() doublysgd.PreconditionReport
}) []float64 {
	r := m.Report()
	return []float64{float64(r.Status), float64(r.Rows), float64(r.Centres), float64(r.Steps), r.Ridge, r.Rest, r.Error}
}
