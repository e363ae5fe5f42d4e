package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
)

type noveltyOptions = doublysgd.NoveltyOptions

var noveltyCases = []goldenCase{
	noveltyFit("novelty/default", 300, noveltyOptions{}),
	noveltyFit("novelty/centres", 300, noveltyOptions{Nu: .2, Centres: 30, Columns: 64, Features: 512, Steps: 60}),
	noveltyFit("novelty/laplacian", 300, noveltyOptions{Kernel: kernel.Laplacian{Sigma: 4}, Centres: 40, Columns: 64, Features: 512, Steps: 40, Tolerance: 1e-3}),
	noveltyFit("novelty/large", 1500, noveltyOptions{Centres: 200, Columns: 128, Steps: 50}),
	{"novelty/stream", func(*testing.T) (predictions, figures []float64) {
		k := regression(500, 3, 1)
		l := must(doublysgd.NewNoveltyLearner(&noveltyOptions{Nu: .2, Columns: 32, Features: 128}))
		batches(k, func(x, _ mat.Matrix) error { return l.Update(x) }, 37, 1, 150)
		return noveltyModel(must(l.Model()), k.test)
	}},
}

func noveltyFit(name string, rows int, opts doublysgd.NoveltyOptions) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		k := regression(rows, 3, 1)
		return noveltyModel(must(doublysgd.FitNovelty(context.Background(), k.x, &opts)), k.test)
	}}
}

func noveltyModel(m *doublysgd.Novelty, test *mat.Dense) (predictions, figures []float64) {
	r := m.Report()
	figures = slices.Concat(parameters(m.Kernel()), []float64{m.Nu(), m.Offset(), float64(r.Status), float64(r.Rows),
		float64(r.Centres), float64(r.Steps), r.Ridge, r.Rest, r.Error})
	return classify(m, test), figures
}
