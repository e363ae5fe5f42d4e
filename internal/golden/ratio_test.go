package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
)

type ratioOptions = doublysgd.RatioOptions

var ratioCases = []goldenCase{
	ratioFit("ratio/default", 200, ratioOptions{}),
	ratioFit("ratio/centres", 200, ratioOptions{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: .01, Centres: 30, Columns: 64, Features: 512}),
	ratioFit("ratio/plain", 200, ratioOptions{Form: doublysgd.PlainRatio, Centres: 40, Columns: 64, Features: 512}),
	ratioFit("ratio/large", 900, ratioOptions{Centres: 150, Columns: 128, Features: 1024}),
	ratioStream("ratio/stream", ratioOptions{Columns: 32, Features: 128, Batch: 32}),
	ratioStream("ratio/stream-plain", ratioOptions{Form: doublysgd.PlainRatio, Kernel: kernel.Gaussian{Sigma: 2}, Ridge: .01, Columns: 32, Batch: 32}),
}

// ratioRows returns rows of two densities.
func ratioRows(n, m int) (x, y, test *mat.Dense) {
	return normal(n, 3, .5, "numerator"), normal(m, 3, 0, "denominator"), normal(60, 3, .25, "test")
}

func ratioFit(name string, rows int, opts doublysgd.RatioOptions) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		x, y, test := ratioRows(rows, rows-50)
		return ratioModel(must(doublysgd.FitRatio(context.Background(), x, y, &opts)), test)
	}}
}

func ratioStream(name string, opts doublysgd.RatioOptions) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		x, y, test := ratioRows(600, 600)
		l := must(doublysgd.NewRatioLearner(&opts))
		check(l.Update(x.Slice(0, 30, 0, 3), nil))
		check(l.Update(nil, y.Slice(0, 50, 0, 3)))
		check(l.Update(x.Slice(30, 600, 0, 3), y.Slice(50, 600, 0, 3)))
		return ratioModel(must(l.Model()), test)
	}}
}

func ratioModel(m *doublysgd.Ratio, test *mat.Dense) (predictions, figures []float64) {
	r := m.Report()
	figures = slices.Concat(parameters(m.Kernel()), []float64{must(m.Divergence(test)), float64(r.Status), float64(r.Rows),
		float64(r.Centres), float64(r.Steps), r.Ridge, r.Rest, r.Error})
	return classify(m, test), figures
}
