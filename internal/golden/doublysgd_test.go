package golden

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

type sgdOptions = doublysgd.Options

// Base options. Each case adds its own.
var (
	revisit     = sgdOptions{Kernel: kernel.Gaussian{Sigma: 1.5}, Features: 256, Ridge: 1e-3, Paper: doublysgd.Paper{Columns: 128, Passes: 4}}
	newton      = sgdOptions{Paper: doublysgd.Paper{Mode: doublysgd.Newton, Columns: 32, Batch: 64}}
	plain       = sgdOptions{Ridge: 1e-3, Paper: doublysgd.Paper{Mode: doublysgd.Plain, Columns: 32, Batch: 32, Passes: 2}}
	plainStream = sgdWith(plain, func(o *sgdOptions) { o.Passes = 0 })
)

func sgdWith(o sgdOptions, change func(*sgdOptions)) sgdOptions {
	change(&o)
	return o
}

func withLoss(o sgdOptions, l loss.Loss) sgdOptions {
	return sgdWith(o, func(o *sgdOptions) { o.Loss = l })
}

func withKernel(o sgdOptions, k kernel.Kernel, s features.Sampler) sgdOptions {
	return sgdWith(o, func(o *sgdOptions) { o.Kernel, o.Sampler = k, s })
}

var doublysgdCases = []goldenCase{
	sgdFit("doublysgd/default", regression(300, 3, 1), sgdOptions{}),
	sgdFit("doublysgd/outputs", regression(300, 3, 3), sgdOptions{Features: 256, Seed: 2}),
	sgdFit("doublysgd/revisit", regression(300, 3, 2), revisit),
	sgdFit("doublysgd/tolerance", regression(300, 3, 1), sgdWith(revisit, func(o *sgdOptions) { o.Passes, o.Tolerance = 100, 1e-6 })),
	sgdFit("doublysgd/redrawn", regression(300, 3, 1), sgdWith(revisit, func(o *sgdOptions) { o.CacheSize, o.MemoryLimit = 1, 1<<20 })),
	sgdFit("doublysgd/single", regression(300, 3, 1), sgdWith(revisit, func(o *sgdOptions) { o.Precision = doublysgd.Single })),
	sgdFit("doublysgd/absolute", regression(300, 3, 1), withLoss(revisit, loss.Absolute{})),
	sgdFit("doublysgd/pinball", regression(300, 3, 1), withLoss(revisit, loss.Pinball{Tau: .9})),
	sgdFit("doublysgd/huber", regression(300, 3, 1), withLoss(revisit, loss.Huber{Delta: .5})),
	sgdFit("doublysgd/insensitive", regression(300, 3, 1), withLoss(revisit, loss.EpsilonInsensitive{Epsilon: .1})),
	sgdFit("doublysgd/newton", regression(300, 3, 2), newton),
	sgdFit("doublysgd/newton-huber", regression(300, 3, 1), withLoss(newton, loss.Huber{Delta: .5})),
	sgdFit("doublysgd/newton-pinball", regression(300, 3, 1), withLoss(newton, loss.Pinball{Tau: .9})),
	sgdFit("doublysgd/plain", regression(300, 3, 2), plain),
	sgdFit("doublysgd/plain-last", regression(300, 3, 1), sgdWith(plain, func(o *sgdOptions) { o.LastIterate = true })),
	sgdFit("doublysgd/plain-absolute", regression(300, 3, 1), withLoss(plain, loss.Absolute{})),
	sgdFit("doublysgd/laplacian", regression(300, 3, 1), withKernel(revisit, kernel.Laplacian{Sigma: 3}, features.Halton)),
	sgdFit("doublysgd/matern", regression(300, 3, 1), withKernel(revisit, kernel.Matern{Nu: 1.5, Length: 2}, features.Fastfood)),
	sgdFit("doublysgd/sum", regression(300, 3, 1), withKernel(revisit,
		kernel.Sum{kernel.Gaussian{Sigma: 2}, kernel.Scale{By: .5, Of: kernel.Linear{}}}, features.Independent)),
	sgdFit("doublysgd/orthogonal", regression(300, 20, 1), withKernel(revisit, kernel.Gaussian{Sigma: 5}, features.Orthogonal)),
	sgdFit("doublysgd/large", regression(1200, 5, 1), sgdOptions{Features: 1024, Paper: doublysgd.Paper{Columns: 512}}),
	sgdClassifier("doublysgd/large-labels", classes(1500, 5, 3), sgdOptions{Features: 1024, Paper: doublysgd.Paper{Columns: 256}}),
	sgdFit("doublysgd/large-newton", regression(5000, 5, 1), sgdOptions{Paper: doublysgd.Paper{Mode: doublysgd.Newton}}),
	sgdClassifier("doublysgd/two-classes", classes(300, 3, 2), sgdOptions{}),
	sgdClassifier("doublysgd/three-classes", classes(300, 3, 3), sgdOptions{Features: 512}),
	sgdClassifier("doublysgd/double-labels", classes(300, 3, 3), sgdWith(revisit, func(o *sgdOptions) { o.Precision = doublysgd.Double })),
	sgdClassifier("doublysgd/hinge", classes(300, 3, 2), withLoss(revisit, loss.Hinge{})),
	sgdClassifier("doublysgd/squared-hinge", classes(300, 3, 3), withLoss(revisit, loss.SquaredHinge{})),
	sgdClassifier("doublysgd/logistic", classes(300, 3, 2), withLoss(revisit, loss.Logistic{})),
	sgdClassifier("doublysgd/softmax", classes(300, 3, 3), withLoss(revisit, loss.Softmax{})),
	sgdClassifier("doublysgd/multiclass-hinge", classes(300, 3, 3), sgdOptions{Loss: loss.MulticlassHinge{}, Paper: doublysgd.Paper{Columns: 32, Batch: 64}}),
	sgdClassifier("doublysgd/newton-logistic", classes(300, 3, 2), newton),
	sgdClassifier("doublysgd/newton-softmax", classes(300, 3, 3), newton),
	sgdClassifier("doublysgd/newton-hinge", classes(300, 3, 2), withLoss(newton, loss.Hinge{})),
	sgdClassifier("doublysgd/plain-softmax", classes(300, 3, 3), plain),
	sgdLearner("doublysgd/stream", regression(500, 3, 2), newton),
	sgdLearner("doublysgd/stream-bounded", regression(500, 3, 1), sgdWith(newton, func(o *sgdOptions) { o.Features = 64 })),
	sgdLearner("doublysgd/stream-plain", regression(500, 3, 1), withKernel(plainStream, kernel.Gaussian{Sigma: 2}, features.Auto)),
	sgdClassLearner("doublysgd/stream-labels", classes(500, 3, 3), newton),
	sgdClassLearner("doublysgd/stream-plain-hinge", classes(500, 3, 3), withLoss(plainStream, loss.MulticlassHinge{})),
	{"doublysgd/abalone", func(t *testing.T) (predictions, figures []float64) {
		k := abalone(t, 1000)
		return sgdModel(must(doublysgd.Fit(context.Background(), k.x, k.y, &sgdOptions{Features: 512, Paper: doublysgd.Paper{Columns: 256}})), k.test)
	}},
	{"doublysgd/a9a", func(t *testing.T) (predictions, figures []float64) {
		k := a9a(t, 1500)
		return sgdScores(must(doublysgd.FitClassifier(context.Background(), k.x, k.y, &sgdOptions{Features: 512})), k.test)
	}},
}

func sgdFit(name string, k task, opts doublysgd.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return sgdModel(must(doublysgd.Fit(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func sgdClassifier(name string, k task, opts doublysgd.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		return sgdScores(must(doublysgd.FitClassifier(context.Background(), k.x, k.y, &opts)), k.test)
	}}
}

func sgdLearner(name string, k task, opts doublysgd.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		l := must(doublysgd.NewLearner(&opts))
		batches(k, l.Update, 37, 1, 150)
		return sgdModel(must(l.Model(context.Background())), k.test)
	}}
}

func sgdClassLearner(name string, k task, opts doublysgd.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (predictions, figures []float64) {
		l := must(doublysgd.NewClassLearner([]int{7, 3, 5}, &opts))
		batches(k, l.Update, 37, 1, 150)
		return sgdScores(must(l.Model(context.Background())), k.test)
	}}
}

func sgdModel(m *doublysgd.Model, test *mat.Dense) (predictions, figures []float64) {
	r := m.Report()
	figures = slices.Concat(m.Intercept(), r.Units, parameters(m.Kernel()), []float64{float64(r.Status), float64(r.Rows),
		float64(r.Features), float64(r.ModelOrder), float64(r.Passes), r.Ridge, r.HeldOutLoss, r.Objective, r.Gradient, r.Gap})
	return predict(m, test), figures
}

// sgdScores returns scores, labels and, if the loss defines them, probabilities.
func sgdScores(c *doublysgd.Classifier, test *mat.Dense) (predictions, figures []float64) {
	_, figures = sgdModel(c.Model(), test)
	predictions = classify(c, test)
	return append(predictions, probabilities(c.Loss(), c, test)...), figures
}

// probabilities returns the class probabilities, or nil if the loss does not define them.
func probabilities(l loss.Loss, c rkhs.Classifier, test *mat.Dense) (p []float64) {
	scores := must(c.Scores(test))
	rows, columns := scores.Dims()
	many, multi := l.(loss.MultiProbable)
	two, scalar := l.(loss.Probable)
	for i := range rows {
		switch row := scores.RawRowView(i); {
		case multi:
			many.Probabilities(row, row)
			p = append(p, row...)
		case scalar && columns == 1:
			p = append(p, two.Probability(-row[0]), two.Probability(row[0]))
		}
	}
	return p
}
