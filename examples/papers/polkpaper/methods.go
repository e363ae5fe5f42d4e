package polkpaper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/examples/papers/internal/baseline"
	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/examples/papers/internal/score"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// method is a row of the tables. run returns a learning curve, and the last point is the result. A
// batch method returns only that point. A method that does not support the task or the loss
// returns no point.
type method struct {
	name   string
	family string  // shared by all values of K
	k      float64 // K of POLK as in the paper, also sets the budget of NORMA and BSGD; 0 for others
	run    func(t *task, ctx context.Context, l loss.Multiclass, budget int) ([]curve.Point, error)
}

// paperFamily is the method of the paper. Its model orders are the budgets of NORMA and BSGD.
const paperFamily = "POLK, constant steps"

// methods returns the methods in the order of the paper, followed by ours.
func (t *task) methods() []method {
	list := []method{
		{name: "LIBSVM's problem, one against one", run: (*task).batchSVM},
		{name: "L-BFGS", run: (*task).lbfgs},
		{name: "IVM", run: (*task).importVectors},
	}
	for _, m := range []struct {
		name string
		how  baseline.Maintenance
	}{{"NORMA", baseline.DropOldest{}}, {"BSGD, removing", baseline.DropSmallest{}}, {"BSGD, merging", baseline.Merge{}}} {
		for _, k := range t.ks {
			list = append(list, method{fmt.Sprintf("%s, as many points as K = %v", m.name, k), m.name, k, onBudget(m.how)})
		}
	}
	for _, k := range t.ks {
		list = append(list, method{fmt.Sprintf("%s as the paper's, K = %v", paperFamily, k), paperFamily, k, paperPOLK(k)})
	}
	return append(list,
		method{name: "POLK, default options, one pass", run: (*task).onePass},
		method{name: "POLK, default options, three passes", run: (*task).threePasses})
}

// batchSVM solves the problem of LIBSVM with C = 1/(n·lam). Its loss is NaN, because one against
// one has no function per class.
func (t *task) batchSVM(ctx context.Context, l loss.Multiclass, _ int) ([]curve.Point, error) {
	if l != (loss.MulticlassHinge{}) {
		return nil, nil
	}
	train := between(t.train, 0, t.svmRows)
	o := svm.Options{C: 1 / (lam * float64(t.svmRows))}
	class := classIndex(train.Y)
	c, err := svm.FitClasses(ctx, t.kernel, compute.DensePoints(train.X.RawMatrix()), class, t.classes, o)
	if err != nil {
		return nil, err
	}
	scores := mat.NewDense(len(t.test.Y), len(c.Pairs), nil)
	c.Scores(scores.RawMatrix(), t.kernel, compute.DensePoints(train.X.RawMatrix()), compute.DensePoints(t.test.X.RawMatrix()), 0)
	got := make([]int, len(t.test.Y))
	c.Predict(got, scores.RawMatrix())
	labels := make([]float64, len(got))
	for i, v := range got {
		labels[i] = float64(v)
	}
	wrong := float64(score.Errors(labels, t.test.Y)) / float64(len(labels))
	return []curve.Point{{Rows: t.svmRows, Loss: math.NaN(), Error: wrong, Order: support(c, class)}}, nil
}

// support counts the rows with a coefficient in any pair. A pair has the rows of its first class,
// followed by the rows of its second class.
func support(c *svm.Classes, class []int) int {
	size := make([]int, c.Count)
	for _, v := range class {
		size[v]++
	}
	type row struct{ class, position int }
	rows := make(map[row]bool)
	pair := 0
	for a := range c.Count {
		for b := a + 1; b < c.Count; b++ {
			for _, i := range c.Pairs[pair].Support() {
				if i < size[a] {
					rows[row{a, i}] = true
				} else {
					rows[row{b, i - size[a]}] = true
				}
			}
			pair++
		}
	}
	return len(rows)
}

func classIndex(labels []float64) []int {
	out := make([]int, len(labels))
	for i, v := range labels {
		out[i] = int(v)
	}
	return out
}

// lbfgs minimises the objective on the first t.batchRows rows. It smooths the hinge at temperature
// 0.05.
func (t *task) lbfgs(_ context.Context, l loss.Multiclass, _ int) ([]curve.Point, error) {
	if t.batchRows == 0 {
		return nil, nil
	}
	o := baseline.BatchOptions{Lambda: lam, Temperature: 1, Iterations: 300}
	if l == (loss.MulticlassHinge{}) {
		o.Margin, o.Temperature = 1, 0.05
	}
	train := between(t.train, 0, t.batchRows)
	f, err := baseline.FitBatch(t.kernel, train.X, classIndex(train.Y), t.classes, o)
	if err != nil {
		return nil, err
	}
	return t.end(f, l, t.batchRows), nil
}

func (t *task) importVectors(_ context.Context, l loss.Multiclass, _ int) ([]curve.Point, error) {
	if !t.imports || l != (loss.Softmax{}) {
		return nil, nil
	}
	f, err := baseline.FitIVM(t.kernel, t.train.X, classIndex(t.train.Y), t.classes,
		baseline.IVMOptions{Lambda: lam, MaxOrder: 40, Tolerance: 1e-3, Seed: 1})
	if err != nil {
		return nil, err
	}
	return t.end(f, l, len(t.train.Y)), nil
}

func (t *task) end(f *baseline.Expansion, l loss.Multiclass, rows int) []curve.Point {
	return []curve.Point{curve.Measure(f.Scores(t.test.X), t.test, l, rows, f.Order())}
}

func onBudget(m baseline.Maintenance) func(*task, context.Context, loss.Multiclass, int) ([]curve.Point, error) {
	return func(t *task, ctx context.Context, l loss.Multiclass, budget int) ([]curve.Point, error) {
		_, d := t.train.X.Dims()
		sgd := baseline.NewSGD(d, t.classes, baseline.SGDOptions{Kernel: t.kernel, Loss: l, Step: t.budgeted, Lambda: lam, Budget: budget, Maintenance: m})
		return curve.SGD(ctx, sgd, l, t.train, t.test, t.every)
	}
}

func paperPOLK(k float64) func(*task, context.Context, loss.Multiclass, int) ([]curve.Point, error) {
	return func(t *task, ctx context.Context, l loss.Multiclass, _ int) ([]curve.Point, error) {
		return t.polk(ctx, polk.Options{Loss: l, Kernel: t.kernel, Ridge: lam, Paper: polk.Paper{Rate: t.step, BudgetConstant: k, Schedule: polk.Constant, NoIntercept: true}})
	}
}

func (t *task) onePass(ctx context.Context, l loss.Multiclass, _ int) ([]curve.Point, error) {
	return t.polk(ctx, polk.Options{Loss: l, Horizon: len(t.train.Y)})
}

func (t *task) polk(ctx context.Context, o polk.Options) ([]curve.Point, error) {
	o.Batch = batch
	points, _, err := curve.POLK(ctx, o, t.train, t.test, t.classes, t.every/batch)
	return points, err
}

func (t *task) threePasses(ctx context.Context, l loss.Multiclass, _ int) ([]curve.Point, error) {
	c, err := polk.FitClassifier(ctx, t.train.X, mat.NewVecDense(len(t.train.Y), t.train.Y), &polk.Options{Loss: l, Passes: 3})
	if err != nil {
		return nil, err
	}
	scores, err := curve.Scores(c, t.test.X, t.classes)
	if err != nil {
		return nil, err
	}
	return []curve.Point{curve.Measure(scores, t.test, l, 3*len(t.train.Y), c.Model().ModelOrder())}, nil
}
