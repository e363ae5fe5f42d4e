package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/kernel"
)

var ratioCases = []goldenCase{
	ratioFit("ratio/default", 200, ratio.Options{}),
	ratioFit("ratio/centres", 200, ratio.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: .01, MaxPoints: 30, Columns: 64, Features: 512}),
	ratioFit("ratio/plain", 200, ratio.Options{Form: ratio.Plain, MaxPoints: 40, Columns: 64, Features: 512}),
	ratioFit("ratio/large", 900, ratio.Options{MaxPoints: 150, Columns: 128, Features: 1024}),
	ratioStream("ratio/stream", ratio.Options{Columns: 32, Features: 128, Batch: 32}),
	ratioStream("ratio/stream-plain", ratio.Options{Form: ratio.Plain, Kernel: kernel.Gaussian{Sigma: 2}, Ridge: .01, Columns: 32, Batch: 32}),
}

// ratioRows returns n rows of the numerator density, m rows of the denominator density, and test
// rows.
func ratioRows(n, m int) (x, y, test *mat.Dense) {
	return normal(n, 3, .5, "numerator"), normal(m, 3, 0, "denominator"), normal(60, 3, .25, "test")
}

func ratioFit(name string, rows int, opts ratio.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		x, y, test := ratioRows(rows, rows-50)
		return ratioModel(must(ratio.Fit(context.Background(), x, y, &opts)), test)
	}}
}

func ratioStream(name string, opts ratio.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		x, y, test := ratioRows(600, 600)
		l := must(ratio.NewLearner(&opts))
		check(l.Update(x.Slice(0, 30, 0, 3), nil))
		check(l.Update(nil, y.Slice(0, 50, 0, 3)))
		check(l.Update(x.Slice(30, 600, 0, 3), y.Slice(50, 600, 0, 3)))
		return ratioModel(must(l.Model(context.Background())), test)
	}}
}

func ratioModel(m *ratio.Model, test *mat.Dense) (predictions, figures []float64) {
	r := m.Report()
	figures = slices.Concat(parameters(m.Kernel()), []float64{must(m.Divergence(test)), float64(r.Status), float64(r.Rows),
		float64(r.ModelOrder), float64(r.Iterations), r.Ridge, r.Residual, r.Error})
	return classify(m, test), figures
}
