package golden

import (
	"context"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/kernel"
)

var gpCases = []goldenCase{
	gpFit("gp/default", regression(300, 3, 1), gp.Options{}),
	gpFit("gp/outputs", regression(300, 3, 2), gp.Options{Centres: 30, Seed: 3}),
	gpFit("gp/literal", regression(300, 3, 1), gp.Options{NoConstant: true, Kernel: kernel.Matern{Nu: 2.5, Length: 2}, Noise: .02, Centres: 50}),
	gpFit("gp/computed", regression(300, 3, 1), gp.Options{Centres: 20, CacheSize: 1, Tolerance: 1e-5}),
	gpFit("gp/large", regression(1200, 5, 1), gp.Options{Centres: 300}),
}

// gpFit appends the variance of the first test rows to the mean.
func gpFit(name string, k task, opts gp.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		_, d := k.x.Dims()
		m := must(gp.Fit(context.Background(), k.x, k.y, &opts))
		variance := must(m.Variance(context.Background(), k.test.Slice(0, 20, 0, d)))
		r := m.Report()
		figures = slices.Concat(m.Amplitude(), m.Noise(), parameters(m.Kernel()),
			[]float64{float64(r.Status), float64(r.Rows), float64(r.Centres), float64(r.Iterations), r.Ridge, r.Residual, r.Error})
		return append(predict(m, k.test), values(variance)...), figures
	}}
}
