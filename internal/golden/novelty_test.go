package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/kernel"
)

var noveltyCases = []goldenCase{
	noveltyFit("novelty/default", 300, novelty.Options{}),
	noveltyFit("novelty/centres", 300, novelty.Options{Nu: .2, MaxPoints: 30, Columns: 64, Features: 512, Iterations: 60}),
	noveltyFit("novelty/laplacian", 300, novelty.Options{Kernel: kernel.Laplacian{Sigma: 4}, MaxPoints: 40, Columns: 64, Features: 512, Iterations: 40, Tolerance: 1e-3}),
	noveltyFit("novelty/large", 1500, novelty.Options{MaxPoints: 200, Columns: 128, Iterations: 50}),
	{"novelty/stream", func(*testing.T) (predictions, figures []float64) {
		k := regression(500, 3, 1)
		l := must(novelty.NewLearner(&novelty.Options{Nu: .2, Columns: 32, Features: 128}))
		batches(k, func(x, _ mat.Matrix) error { return l.Update(x) }, 37, 1, 150)
		return noveltyModel(must(l.Model(context.Background())), k.test)
	}},
}

func noveltyFit(name string, rows int, opts novelty.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		k := regression(rows, 3, 1)
		return noveltyModel(must(novelty.Fit(context.Background(), k.x, &opts)), k.test)
	}}
}

func noveltyModel(m *novelty.Model, test *mat.Dense) (predictions, figures []float64) {
	r := m.Report()
	figures = slices.Concat(parameters(m.Kernel()), []float64{m.Nu(), -m.Intercept()[0], float64(r.Status), float64(r.Rows),
		float64(r.ModelOrder), float64(r.Iterations), r.Ridge, r.Residual, r.Error})
	return classify(m, test), figures
}
