package svm

import (
	"errors"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
	engine "github.com/rkhs-go/rkhs/internal/svm"
)

var nan = math.NaN()

// selectKernel selects the kernel for targets or classes unless it is given, and sets its unit.
func (p *problem) selectKernel(y compute.Matrix, class []int) error {
	o := p.options
	if p.of.Kernel == nil {
		x, w := p.x, p.weights
		if tame := search.InlierRows(y, w); class == nil && tame != nil {
			x, y, w = x.Pick(tame), compute.Pick(y, tame), w.Pick(tame)
		}
		options := search.Options{Weights: w, Metric: o.Metric, Rescore: true, Spread: true,
			MemoryLimit: o.MemoryLimit, Seed: o.Seed, Workers: o.Workers}
		if err := options.CheckMemory(pkg, p.x.Rows, p.x.PerRow(), search.OutputsOf(y, class)); err != nil {
			return err
		}
		p.report.Search = search.Tune(x, y, class, options.WithMonitor(p.monitor))
		p.of.Kernel = p.report.Search.Kernel
	}
	if _, err := search.MeanDiagonal(pkg, p.of, p.x); err != nil {
		return err
	}
	p.unit = p.spread()
	return nil
}

// spread returns the mean of k(x, x) minus the mean of k(x, z) on a sample. This is half the mean
// squared distance of two rows in the space of the kernel. It returns 1 if the rows are equal there.
func (p *problem) spread() float64 {
	const sampleRows = 300
	n := p.x.Rows
	rows := p.x.Pick(rng.New(p.options.Seed, "svm unit", 0).Sample(n, min(n, sampleRows)))
	gram := compute.NewMatrix(rows.Rows, rows.Rows)
	p.of.GramOf(gram, rows)
	own, all := 0.0, 0.0
	for i := range gram.Rows {
		own += compute.Row(gram, i)[i] / float64(gram.Rows)
		all += compute.Mean(compute.Row(gram, i)) / float64(gram.Rows)
	}
	if unit := own - all; unit > 1e-12*own && compute.Finite(1/unit) {
		return unit
	}
	return 1
}

// selectEpsilon returns epsilon by the leave-one-out error of ridge regression on the tame rows. It is
// at least a thousandth of the deviation of the targets.
func (p *problem) selectEpsilon(y []float64, tame []int, deviation float64) float64 {
	const usual, least = 0.1, 1e-3
	options := search.Options{Kernel: p.of.Kernel, Weights: p.weights.Pick(tame),
		MemoryLimit: p.options.MemoryLimit, Seed: p.options.Seed, Workers: p.options.Workers}
	c := search.Tune(p.pointsOf(tame), compute.ColumnOf(compute.PickOf(y, tame)), nil, options.WithMonitor(p.monitor))
	if !compute.Finite(c.Error) {
		return usual * deviation
	}
	n := float64(p.x.Rows)
	return deviation * max(least, 3*math.Sqrt(c.Error)*math.Sqrt(math.Log(n)/n))
}

const (
	folds       = 5
	foldRows    = 4000 // of all folds
	stepsPerRow = 100  // in the folds: most C that need more are too large
)

// selectC returns eleven candidates up to the best, or the middle one if the fit is stopped. The
// candidates suit targets of deviation 1; the report has the unit of the targets.
func (p *problem) selectC(m machines) (cs []float64, err error) {
	for k := -4; k <= 6; k++ {
		cs = append(cs, math.Pow(10, float64(k)/2)/p.unit)
	}
	losses, err := p.crossValidate(m, cs)
	if err != nil {
		return nil, err
	}
	var curve []Trial
	for t, loss := range losses {
		curve = append(curve, Trial{C: m.unit * cs[t], Error: loss})
	}
	p.report.Curve = append(p.report.Curve, curve)
	if curve == nil {
		return cs[4:5], nil
	}
	return cs[:1+floats.MinIdx(losses)], nil
}

// crossValidate returns the mean loss for each C on the rows of stratified folds. A stopped fit
// uses the folds so far. The result is nil without any fold.
func (p *problem) crossValidate(m machines, cs []float64) ([]float64, error) {
	n, class := p.x.Rows, m.class
	if class == nil {
		class = make([]int, n)
	}
	order := rng.New(p.options.Seed, "svm folds", 0).Perm(n)
	splits := search.ClassFolds(order, class, p.first, folds, foldRows)
	sums, errs := make([][]float64, len(splits)), make([]error, len(splits))
	var done atomic.Int64
	compute.Parallel(len(splits), p.options.Workers, func(k int) {
		if p.monitor.Stopped() {
			return
		}
		o := p.engine(folds)
		o.Gap, o.Tolerance, o.MaxIterations, o.Workers = 0, defaultTolerance, stepsPerRow*n, 1
		o.Report = func(steps int, violation float64) {
			p.progress("folds", int(done.Load()), len(splits))(steps, violation)
		}
		o.Report(0, nan)
		sums[k], errs[k] = p.losses(m, splits[k], cs, o)
		done.Add(1)
	})
	total, weight := make([]float64, len(cs)), 0.0
	for k, sum := range sums {
		if sum != nil {
			floats.Add(total, sum)
			check := splits[k].Check
			weight += p.weights.Pick(check).Total(len(check))
		}
	}
	if weight == 0 {
		return nil, errors.Join(errs...)
	}
	floats.Scale(1/weight, total)
	return total, errors.Join(errs...)
}

// losses returns the sum of the weighted losses for each C on the rows to check, or nil if it was
// stopped. It includes machines that did not converge.
func (p *problem) losses(m machines, s search.Split, cs []float64, o engine.Options) ([]float64, error) {
	o.Weights = p.weights.Pick(s.Learn)
	list, err := m.path(s.Learn, cs, o)
	if p.monitor.Stopped() {
		return nil, nil
	}
	if err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
		return nil, err
	}
	q, sum := m.columns, make([]float64, len(cs))
	scores := p.scores(s.Check, s.Learn, list, q)
	for t, i := range s.Check {
		for c := range cs {
			sum[c] += p.weights.At(i) * m.loss(i, compute.Row(scores, t)[c*q:(c+1)*q])
		}
	}
	return sum, nil
}

// scores returns the scores of rows by machines trained on other rows, for each C in turn.
func (p *problem) scores(rows, others []int, list []solved, columns int) compute.Matrix {
	weights, intercept := sideBySide(list, len(others), columns)
	scores := compute.NewMatrix(len(rows), weights.Cols)
	p.of.MulOf(scores, p.x.Pick(rows), p.x.Pick(others), weights)
	compute.AddRow(scores, intercept)
	return scores
}
