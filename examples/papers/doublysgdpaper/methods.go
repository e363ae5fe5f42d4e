package doublysgdpaper

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// batch is the default number of rows per step of NORMA and of doubly stochastic gradients.
const batch = 64

// method is a row of the classification tables. Its run method trains and returns the test error
// in percent. A competitor uses t.rounds passes.
type method struct {
	name       string
	run        func(t *task, ctx context.Context) (float64, error)
	competitor bool
}

const (
	plainName   = "doubly SGD, as the paper's"
	newtonName  = "doubly SGD, Newton, one pass"
	severalName = "doubly SGD, Newton, several passes"
	revisitName = "doubly SGD, Revisit, default options"
)

var methods = []method{
	{"NORMA", (*task).norma, true},
	{"k-SDCA", (*task).kernelSDCA, true},
	{"r-SDCA", linear(randomFeatures, dualAscent), true},
	{"n-SDCA", linear(nystroem, dualAscent), true},
	{"r-Pegasos", linear(randomFeatures, primal), true},
	{"n-Pegasos", linear(nystroem, primal), true},
	{plainName, (*task).plain, false},
	{newtonName, (*task).newton, false},
	{severalName, (*task).several, false},
	{revisitName, (*task).revisit, false},
}

func (t *task) norma(context.Context) (float64, error) {
	w, err := norma(t.kernel, t.train.X, t.targets(), loss.Hinge{}, t.nu(), batch, t.rounds, t.seed)
	if err != nil {
		return 0, err
	}
	return t.expansion(t.train.X, w)
}

// kernelSDCA trains on the first t.dualRows rows.
func (t *task) kernelSDCA(context.Context) (float64, error) {
	part := *t
	part.train = head(t.train, t.dualRows)
	w, err := kernelSDCA(t.kernel, part.train.X, part.targets(), hingeDual, part.nu(), t.rounds, t.seed)
	if err != nil {
		return 0, err
	}
	return t.expansion(part.train.X, w)
}

// expansion returns the test error of Σ_i k(·, x_i)·w_i.
func (t *task) expansion(x, w *mat.Dense) (float64, error) {
	var scores mat.Dense
	if err := kernel.Mul(&scores, t.kernel, t.test.X, x, w); err != nil {
		return 0, err
	}
	return t.percent(&scores), nil
}

func randomFeatures(k kernel.Kernel, x *mat.Dense, rank int, seed uint64) (*features.Map, error) {
	_, d := x.Dims()
	return features.New(k, d, features.Options{Columns: rank, Sampler: features.Independent, Seed: seed})
}

func nystroem(k kernel.Kernel, x *mat.Dense, rank int, seed uint64) (*features.Map, error) {
	return features.Nystroem(k, x, features.NystroemOptions{MaxPoints: rank, Seed: seed})
}

func dualAscent(z, y *mat.Dense, nu float64, passes int, seed uint64) *mat.Dense {
	return sdca(z, y, hingeDual, nu, passes, seed)
}

func primal(z, y *mat.Dense, nu float64, passes int, seed uint64) *mat.Dense {
	return pegasos(z, y, hingeSteps(), nu, passes, seed)
}

// linear trains a linear model on features.
func linear(of func(kernel.Kernel, *mat.Dense, int, uint64) (*features.Map, error),
	learn func(z, y *mat.Dense, nu float64, passes int, seed uint64) *mat.Dense) func(*task, context.Context) (float64, error) {
	return func(t *task, _ context.Context) (float64, error) {
		m, err := of(t.kernel, t.train.X, t.rank, t.seed)
		if err != nil {
			return 0, err
		}
		f := features.NewTransformer(m)
		z, err := f.Transform(t.train.X)
		if err != nil {
			return 0, err
		}
		w := learn(z, t.targets(), t.nu(), t.rounds, t.seed)
		if z, err = f.Transform(t.test.X); err != nil {
			return 0, err
		}
		var scores mat.Dense
		scores.Mul(z, w)
		return t.percent(&scores), nil
	}
}

func (t *task) ours(ctx context.Context, o doublysgd.Options) (float64, error) {
	o.Seed = t.seed
	c, err := doublysgd.FitClassifier(ctx, t.train.X, mat.NewVecDense(len(t.train.Y), t.train.Y), &o)
	if err != nil {
		return 0, err
	}
	labels, err := c.Predict(t.test.X)
	if err != nil {
		return 0, err
	}
	return t.percentOf(labels.RawMatrix().Data), nil
}

// plainOptions returns the options of Algorithm 1 for the given number of rows. Each step has as
// many new frequencies as rows, and each frequency gives two features.
func plainOptions(k kernel.Kernel, nu float64, batch, rows int) doublysgd.Options {
	return doublysgd.Options{Kernel: k, Ridge: nu, Features: 2 * (rows + batch), Paper: doublysgd.Paper{Mode: doublysgd.Plain, Batch: batch, Columns: 2 * batch}}
}

// plain is Algorithm 1 of the paper. It uses the hinge for two classes and the softmax loss for
// ten.
func (t *task) plain(ctx context.Context) (float64, error) {
	o := plainOptions(t.kernel, t.nu(), batch, len(t.train.Y))
	o.Loss = loss.Hinge{}
	if t.classes > 2 {
		o.Loss = loss.Softmax{}
	}
	return t.ours(ctx, o)
}

func (t *task) newton(ctx context.Context) (float64, error) {
	return t.ours(ctx, doublysgd.Options{Kernel: t.kernel, Paper: doublysgd.Paper{Mode: doublysgd.Newton}})
}

func (t *task) several(ctx context.Context) (float64, error) {
	return t.ours(ctx, doublysgd.Options{Kernel: t.kernel, Paper: doublysgd.Paper{Mode: doublysgd.Newton, Passes: t.passes}})
}

func (t *task) revisit(ctx context.Context) (float64, error) {
	return t.ours(ctx, doublysgd.Options{})
}
