package main

import (
	"context"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/internal/baseline"
	"github.com/rkhs-go/rkhs/examples/internal/curve"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// task is multidist: rows to learn from in their order, and rows to test on, for
// which the Bayes rule errs in the fraction bayes.
type task struct {
	train, test *dataset.Set
	bayes       float64
}

const classes = 5

func drawTask(rows int, seed uint64) task {
	all, best := synthetic.Multidist(rows+rows/2, seed)
	index := make([]int, len(all.Y))
	for i := range index {
		index[i] = i
	}
	return task{
		train: all.Select(index[:rows]),
		test:  all.Select(index[rows:]),
		bayes: curve.Bayes(best[rows:], all.Y[rows:]),
	}
}

// namedLoss is a loss with its name in the report.
type namedLoss struct {
	name string
	loss loss.Multiclass
}

// losses are those of the paper's two tasks.
var losses = []namedLoss{
	{"multi-class hinge", loss.MulticlassHinge{}},
	{"softmax", loss.Softmax{}},
}

// result is what the methods reach with one loss.
type result struct {
	name    string
	methods []method
	model   *polk.Classifier // of default options
}

type method struct {
	name   string
	points []curve.Point
}

// batch is the number of rows of a step, that of the paper.
const batch = 32

func (t task) learn(ctx context.Context, l namedLoss) (r result, err error) {
	r.name = l.name
	const every = 4
	ours := polk.Options{Loss: l.loss, Batch: batch, Horizon: len(t.train.Y)}
	points, c, err := curve.POLK(ctx, ours, t.train, t.test, classes, every)
	if err != nil {
		return r, err
	}
	r.model = c
	r.methods = append(r.methods, method{"polk, default options", points})

	k := kernel.Gaussian{Sigma: 0.6}
	papers := polk.Options{Loss: l.loss, Batch: batch, Kernel: k, Rate: 6, BudgetConstant: 0.04, Schedule: polk.Constant}
	if points, _, err = curve.POLK(ctx, papers, t.train, t.test, classes, every); err != nil {
		return r, err
	}
	r.methods = append(r.methods, method{"polk, constant steps as the paper's", points})

	sgd := baseline.NewSGD(2, classes, baseline.SGDOptions{Kernel: k, Loss: l.loss, Step: 1, Lambda: 1e-6,
		Budget: c.Model().ModelOrder(), Maintenance: baseline.Merge{}})
	if points, err = curve.SGD(ctx, sgd, l.loss, t.train, t.test, every*batch); err != nil {
		return r, err
	}
	r.methods = append(r.methods, method{"BSGD, merging to as many points", points})
	return r, nil
}
