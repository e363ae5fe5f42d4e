package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

type polkOptions = polk.Options

var polkCases = []goldenCase{
	polkFit("polk/default", regression(300, 3, 1), polkOptions{Passes: 3}),
	polkFit("polk/outputs", regression(300, 3, 3), polkOptions{Passes: 3, Seed: 2}),
	polkFit("polk/no-intercept", regression(300, 3, 1), polkOptions{Passes: 2, Kernel: kernel.Laplacian{Sigma: 3}, Ridge: 1e-4, Paper: polk.Paper{NoIntercept: true}}),
	polkFit("polk/absolute", regression(300, 3, 1), polkOptions{Passes: 3, Loss: loss.Absolute{}}),
	polkFit("polk/pinball", regression(300, 3, 1), polkOptions{Passes: 3, Loss: loss.Pinball{Tau: .8}}),
	polkFit("polk/huber", regression(300, 3, 1), polkOptions{Passes: 3, Loss: loss.Huber{Delta: .5}}),
	polkFit("polk/insensitive", regression(300, 3, 1), polkOptions{Passes: 3, Loss: loss.EpsilonInsensitive{Epsilon: .1}}),
	polkFit("polk/exact", regression(200, 3, 1), polkOptions{Passes: 2, Paper: polk.Paper{Lossless: true}}),
	polkFit("polk/max-order", regression(300, 3, 1), polkOptions{Passes: 3, MaxPoints: 20}),
	polkFit("polk/budget", regression(300, 3, 1), polkOptions{Passes: 2, Paper: polk.Paper{BudgetConstant: .04, Rate: .2, Schedule: polk.Constant}}),
	polkFit("polk/large", regression(1200, 5, 1), polkOptions{Passes: 2, Paper: polk.Paper{Batch: 50}}),
	polkClassifier("polk/two-classes", classes(300, 3, 2), polkOptions{Passes: 3}),
	polkClassifier("polk/three-classes", classes(300, 3, 3), polkOptions{Passes: 3}),
	polkClassifier("polk/hinge", classes(300, 3, 2), polkOptions{Passes: 3, Loss: loss.Hinge{}}),
	polkClassifier("polk/squared-hinge", classes(300, 3, 2), polkOptions{Passes: 3, Loss: loss.SquaredHinge{}}),
	polkClassifier("polk/logistic", classes(300, 3, 2), polkOptions{Passes: 3, Loss: loss.Logistic{}}),
	polkClassifier("polk/softmax", classes(300, 3, 3), polkOptions{Passes: 3, Loss: loss.Softmax{}}),
	polkLearner("polk/stream", polkOptions{}),
	polkLearner("polk/stream-decay", polkOptions{Horizon: 400, Paper: polk.Paper{Schedule: polk.LinearDecay}}),
	polkLearner("polk/stream-averaged", polkOptions{MaxPoints: 25, Paper: polk.Paper{Schedule: polk.Averaged}}),
	polkLearner("polk/stream-constant", polkOptions{Warmup: 50, Paper: polk.Paper{Schedule: polk.Constant}}),
	polkLearner("polk/stream-diminishing", polkOptions{Ridge: .01, Paper: polk.Paper{Schedule: polk.Diminishing, Budget: .1}}),
	polkClassLearner("polk/stream-labels", polkOptions{}),
	polkClassLearner("polk/stream-softmax", polkOptions{Loss: loss.Softmax{}, Paper: polk.Paper{Schedule: polk.Constant}}),
	{"polk/merge", func(*testing.T) (predictions, figures []float64) {
		k, opts := regression(300, 3, 2), polkOptions{Kernel: kernel.Gaussian{Sigma: 1}, Passes: 2}
		a := must(polk.Fit(context.Background(), k.x.Slice(0, 120, 0, 3), k.y.Slice(0, 120, 0, 2), &opts))
		b := must(polk.Fit(context.Background(), k.x.Slice(120, 300, 0, 3), k.y.Slice(120, 300, 0, 2), &opts))
		m, distance, err := polk.Merge([]*polk.Model{a, b}, .05)
		check(err)
		predictions, figures = polkModel(m, k.test)
		return predictions, append(figures, distance)
	}},
	{"polk/merge-classifiers", func(*testing.T) (predictions, figures []float64) {
		k, opts := classes(300, 3, 3), polkOptions{Kernel: kernel.Gaussian{Sigma: 1}, Passes: 2}
		a := must(polk.FitClassifier(context.Background(), k.x.Slice(0, 120, 0, 3), k.y.Slice(0, 120, 0, 1), &opts))
		b := must(polk.FitClassifier(context.Background(), k.x.Slice(120, 300, 0, 3), k.y.Slice(120, 300, 0, 1), &opts))
		c, distance, err := polk.MergeClassifiers([]*polk.Classifier{a, b}, .05)
		check(err)
		predictions, figures = polkScores(c, k.test)
		return predictions, append(figures, distance)
	}},
	{"polk/abalone", func(t *testing.T) (predictions, figures []float64) {
		k := abalone(t, 1000)
		return polkModel(must(polk.Fit(context.Background(), k.x, k.y, &polkOptions{Passes: 2, MaxPoints: 100})), k.test)
	}},
	{"polk/a9a", func(t *testing.T) (predictions, figures []float64) {
		k := a9a(t, 1000)
		return polkScores(must(polk.FitClassifier(context.Background(), k.x, k.y, &polkOptions{Passes: 1, MaxPoints: 100})), k.test)
	}},
}

func polkFit(name string, k task, opts polk.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return polkModel(must(polk.Fit(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func polkClassifier(name string, k task, opts polk.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return polkScores(must(polk.FitClassifier(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func polkLearner(name string, opts polk.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		k := regression(400, 3, 1)
		l := must(polk.NewLearner(&opts))
		batches(k, func(x, y mat.Matrix) error { return polkStep(&figures, l, l.Update(x, y)) }, 16, 1, 30)
		predictions, rest := polkModel(must(l.Model(context.Background())), k.test)
		return predictions, append(figures, rest...)
	}}
}

func polkClassLearner(name string, opts polk.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		k := classes(400, 3, 3)
		l := must(polk.NewClassLearner(nil, &opts))
		batches(k, func(x, y mat.Matrix) error { return polkStep(&figures, l, l.Update(x, y)) }, 16, 1, 30)
		predictions, rest := polkScores(must(l.Model(context.Background())), k.test)
		return predictions, append(figures, rest...)
	}}
}

// polkStep appends the figures of the last step.
func polkStep(figures *[]float64, l interface{ Last() polk.Step }, err error) error {
	s := l.Last()
	*figures = append(*figures, s.Loss, s.Rate, s.Norm, s.Budget, s.Error, float64(s.Active), float64(s.Added),
		float64(s.Folded), float64(s.Pruned), float64(s.Forced), float64(s.ModelOrder))
	return err
}

func polkModel(m *polk.Model, test *mat.Dense) (predictions, figures []float64) {
	r := m.Report()
	figures = slices.Concat(m.Intercept(), parameters(r.Kernel), []float64{float64(m.ModelOrder()), r.Ridge, r.Rate,
		float64(r.Status), float64(r.Steps), float64(r.Rows), r.Totals.Loss, float64(r.Mistakes), float64(r.Active), float64(r.Added),
		float64(r.Folded), float64(r.Pruned), float64(r.Forced), float64(r.Stalled), r.Norm, r.Error, r.IdleLoss, r.ZeroLoss})
	return predict(m, test), figures
}

// polkScores returns scores, labels and, if the loss defines them, probabilities.
func polkScores(c *polk.Classifier, test *mat.Dense) (predictions, figures []float64) {
	_, figures = polkModel(c.Model(), test)
	predictions = classify(c, test)
	return append(predictions, probabilities(c.Report().Loss, c, test)...), figures
}
