package svm

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	engine "github.com/rkhs-go/rkhs/internal/svm"
)

var nan = math.NaN()

// chooseKernel finds the kernel for targets or classes, where it is not given, and its unit.
func (p *problem) chooseKernel(y compute.Matrix, class []int) error {
	o := p.options
	if p.of.Kernel == nil {
		x, w := p.x, p.weights
		if tame := choose.TameRows(y, w); class == nil && tame != nil {
			x, y, w = x.Pick(tame), compute.Pick(y, tame), w.Pick(tame)
		}
		search := choose.Options{Weights: w, Metric: o.Metric, Enlarge: true, Spread: true, MemoryLimit: o.MemoryLimit, Seed: o.Seed, Workers: o.Workers}
		if err := search.CheckMemory(pkg, p.x.Rows, p.x.PerRow(), choose.OutputsOf(y, class)); err != nil {
			return err
		}
		p.report.Choice = choose.Tune(x, y, class, search.Watched(p.monitor))
		p.of.Kernel = p.report.Choice.Kernel
	}
	if _, err := choose.MeanDiagonal(pkg, p.of, p.x); err != nil {
		return err
	}
	p.unit = p.spread()
	return nil
}

// spreadRows is the number of rows that the unit of the kernel is taken from.
const spreadRows = 300

// spread returns the mean of k(x, x) less that of k(x, z), half the mean square of the
// distance of two rows in the space of the kernel, on a sample; 1 where they are all equal
// there.
func (p *problem) spread() float64 {
	n := p.x.Rows
	rows := p.x.Pick(rng.New(p.options.Seed, "svm unit", 0).Sample(n, min(n, spreadRows)))
	gram := compute.NewMatrix(rows.Rows, rows.Rows)
	p.of.GramOf(gram, rows)
	own, all := 0.0, 0.0
	for i := range gram.Rows {
		own += gram.Data[i*gram.Stride+i] / float64(gram.Rows)
		all += compute.Mean(compute.Row(gram, i)) / float64(gram.Rows)
	}
	if unit := own - all; unit > 1e-12*own && compute.Finite(1/unit) {
		return unit
	}
	return 1
}

// judged is what C is chosen for.
type judged interface {
	// path fits machines to some rows for each C, and returns weights of all of these rows,
	// of so many columns for each, with the constants of the columns.
	path(p *problem, rows []int, cs []float64, o engine.Options) (weights compute.Matrix, intercept []float64, err error)
	// outputs is the number of columns.
	outputs() int
	// error returns that of the scores of a row.
	error(row int, scores []float64) float64
}

const (
	folds       = 5
	foldRows    = 4000 // of all folds
	stepsPerRow = 100  // in the folds: most C that need more are too large
)

// candidates are the values of C that are compared, for targets of deviation 1.
func (p *problem) candidates() (cs []float64) {
	for k := -4; k <= 6; k++ {
		cs = append(cs, math.Pow(10, float64(k)/2)/p.unit)
	}
	return cs
}

// middle is the candidate without anything to choose by.
const middle = 4

// choosePath returns the values of C up to the best of the candidates, each of which is the
// start for the next: a large C from nothing costs far more than all of them. The curve goes to
// the report with C multiplied by the unit.
func (p *problem) choosePath(j judged, class []int, unit float64) ([]float64, error) {
	cs := p.candidates()
	errors, err := p.folds(j, class, cs)
	if err != nil {
		return nil, err
	}
	if errors == nil {
		p.report.Curve = append(p.report.Curve, nil)
		return cs[middle : middle+1], nil
	}
	var curve []Trial
	best := 0
	for t, e := range errors {
		curve = append(curve, Trial{C: unit * cs[t], Error: e})
		if e < errors[best] {
			best = t
		}
	}
	p.report.Curve = append(p.report.Curve, curve)
	return cs[:best+1], nil
}

// folds returns the mean error of each C at the rows of folds, of each class alike, as far as
// it is known when the fit is stopped; nil if nothing is.
func (p *problem) folds(j judged, class []int, cs []float64) ([]float64, error) {
	order := rng.New(p.options.Seed, "svm folds", 0).Perm(p.x.Rows)
	splits := choose.ClassFolds(order, class, p.first, folds, foldRows)
	sums, faults := make([][]float64, len(splits)), make([]error, len(splits))
	var done atomic.Int64
	compute.Parallel(len(splits), p.options.Workers, func(k int) {
		if p.monitor.Stopped() {
			return
		}
		o := p.engine(folds)
		o.Gap, o.Tolerance, o.MaxIterations, o.Workers = 0, defaultTolerance, stepsPerRow*p.x.Rows, 1
		o.Report = func(steps int, violation float64) {
			p.progress("folds", int(done.Load()), len(splits))(steps, violation)
		}
		o.Report(0, nan)
		sums[k], faults[k] = p.judge(j, splits[k], cs, o)
		done.Add(1)
	})
	total, weight := make([]float64, len(cs)), 0.0
	for k, sum := range sums {
		if sum != nil {
			floats.Add(total, sum)
			weight += p.weights.Pick(splits[k].Check).Total(len(splits[k].Check))
		}
	}
	if weight == 0 {
		return nil, errors.Join(faults...)
	}
	floats.Scale(1/weight, total)
	return total, errors.Join(faults...)
}

// judge returns the sum of the errors of each C at the rows to check, by their weights, or nil
// if it was stopped. Machines that did not converge take part as they are.
func (p *problem) judge(j judged, s choose.Split, cs []float64, o engine.Options) ([]float64, error) {
	o.Weights = p.weights.Pick(s.Learn)
	weights, intercept, err := j.path(p, s.Learn, cs, o)
	if p.monitor.Stopped() {
		return nil, nil
	}
	if err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
		return nil, err
	}
	scores, q, sum := compute.NewMatrix(len(s.Check), weights.Cols), j.outputs(), make([]float64, len(cs))
	p.of.MulOf(scores, p.x.Pick(s.Check), p.x.Pick(s.Learn), weights)
	compute.AddRow(scores, intercept)
	for t, i := range s.Check {
		for c := range cs {
			sum[c] += p.weights.At(i) * j.error(i, compute.Row(scores, t)[c*q:(c+1)*q])
		}
	}
	return sum, nil
}

// labelled are rows with classes, and a column for each pair.
type labelled struct {
	class  []int
	count  int
	decide func(scores []float64) int
}

func (l labelled) outputs() int { return l.count * (l.count - 1) / 2 }

func (l labelled) path(p *problem, rows []int, cs []float64, o engine.Options) (weights compute.Matrix, intercept []float64, err error) {
	class := make([]int, len(rows))
	for t, i := range rows {
		class[t] = l.class[i]
	}
	list, err := engine.PathClasses(p.monitor.Context(), p.of.Kernel, p.x.Pick(rows), class, l.count, cs, o)
	q := l.outputs()
	weights = compute.NewMatrix(len(rows), q*len(list))
	for t, c := range list {
		intercept = append(intercept, c.Coefficients(compute.Columns(weights, t*q, (t+1)*q))...)
	}
	return weights, intercept, err
}

func (l labelled) error(row int, scores []float64) float64 {
	if l.decide(scores) != l.class[row] {
		return 1
	}
	return 0
}

// target is a column of targets, less their mean and in a unit near their deviation, a power of two: multiples of
// targets by such have the same bits. Mean and deviation are those of tame rows.
type target struct {
	y          []float64
	mean, unit float64
	epsilon    float64 // in the unit
}

// target returns column o of y.
func (p *problem) target(y compute.Matrix, o int) (*target, error) {
	t := &target{unit: 1}
	for i := range y.Rows {
		t.y = append(t.y, compute.Row(y, i)[o])
	}
	var deviation float64
	tame := choose.TameRows(compute.ColumnOf(t.y), p.weights)
	t.mean, deviation = stat.PopMeanStdDev(pickAll(t.y, tame), nil)
	if !compute.Finite(deviation) {
		return nil, fmt.Errorf("svm: the deviation of targets of column %d is %v: %w", o, deviation, rkhs.ErrDiverged)
	}
	if deviation > 0 {
		_, e := math.Frexp(deviation)
		t.unit = math.Ldexp(1, e)
	}
	for i := range t.y {
		t.y[i] = (t.y[i] - t.mean) / t.unit
	}
	t.epsilon = p.options.Epsilon / t.unit
	if t.epsilon == 0 {
		t.epsilon = p.tube(t.y, tame, deviation/t.unit)
	}
	return t, nil
}

// tube returns epsilon by the error that ridge regression has at rows left out.
func (p *problem) tube(y []float64, tame []int, deviation float64) float64 {
	const usual, least = 0.1, 1e-3
	x, w := p.x, p.weights
	if tame != nil {
		x, w = x.Pick(tame), w.Pick(tame)
	}
	c := choose.Tune(x, compute.ColumnOf(pickAll(y, tame)), nil, choose.Options{Kernel: p.of.Kernel, Weights: w, MemoryLimit: p.options.MemoryLimit, Seed: p.options.Seed, Workers: p.options.Workers}.Watched(p.monitor))
	if !compute.Finite(c.Error) {
		return usual * deviation
	}
	n := float64(p.x.Rows)
	return deviation * max(least, 3*math.Sqrt(c.Error)*math.Sqrt(math.Log(n)/n))
}

// pickAll returns the numbers of some rows, or all for nil.
func pickAll(v []float64, rows []int) []float64 {
	if rows == nil {
		return v
	}
	return compute.PickOf(v, rows)
}

func (t *target) outputs() int { return 1 }

func (t *target) path(p *problem, rows []int, cs []float64, o engine.Options) (weights compute.Matrix, intercept []float64, err error) {
	y := make([]float64, len(rows))
	for k, i := range rows {
		y[k] = t.y[i]
	}
	list, err := engine.PathRegression(p.monitor.Context(), p.of.Kernel, p.x.Pick(rows), y, t.epsilon, cs, o)
	weights = compute.NewMatrix(len(rows), len(list))
	for c, s := range list {
		intercept = append(intercept, s.Bias)
		for i, b := range s.Beta {
			compute.Row(weights, i)[c] = b
		}
	}
	return weights, intercept, err
}

func (t *target) error(row int, scores []float64) float64 {
	return t.unit * math.Abs(t.y[row]-scores[0])
}
