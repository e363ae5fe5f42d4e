package svm

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/search"
	engine "github.com/rkhs-go/rkhs/internal/svm"
)

// machines share C: the machines of all pairs of classes, or the machine of a column of targets.
type machines struct {
	columns int   // number of machines
	class   []int // of the rows, or nil
	// Targets are divided by unit after mean is subtracted. These are 1 and 0 for classes.
	unit, mean float64
	// path trains on the given rows, which ascend, for each C.
	path func(rows []int, cs []float64, o engine.Options) ([]solved, error)
	// loss returns the loss of the scores of a row.
	loss func(row int, scores []float64) float64
}

// solved are machines for one C.
type solved struct {
	solutions []*engine.Solution
	// coefficients sets a column of dst for each machine and returns the constants.
	coefficients func(dst compute.Matrix) (intercept []float64)
}

// sideBySide returns the coefficients of n rows, and the constants, for one C after the other.
func sideBySide(list []solved, n, columns int) (weights compute.Matrix, intercept []float64) {
	weights = compute.NewMatrix(n, columns*len(list))
	for t, s := range list {
		intercept = append(intercept, s.coefficients(compute.Columns(weights, t*columns, (t+1)*columns))...)
	}
	return weights, intercept
}

// trained are machines that were trained on all rows for each of cs, with the coefficients for the
// last.
type trained struct {
	machines
	cs        []float64
	weights   compute.Matrix
	intercept []float64
}

// train selects C unless it is given, and trains the machines. It starts from the solutions for
// smaller C: a large C from zero costs more than all of them.
func (p *problem) train(m machines) (t trained, err error) {
	t = trained{machines: m, cs: []float64{p.options.C / m.unit}}
	if p.options.C == 0 {
		if t.cs, err = p.selectC(m); err != nil {
			return t, err
		}
	}
	p.report.C = append(p.report.C, m.unit*t.cs[len(t.cs)-1])
	p.progress("fit", len(p.report.C)-1, 0)(0, nan)
	list, err := m.path(compute.Indices(p.x.Rows), t.cs, p.engine(m.columns))
	if len(list) == 0 {
		return t, cmp.Or(p.monitor.Err(), err)
	}
	list = list[len(list)-1:]
	for _, s := range list[0].solutions {
		p.add(s, m.unit)
	}
	t.weights, t.intercept = sideBySide(list, p.x.Rows, m.columns)
	return t, nil
}

// add appends a solution for targets in some unit to the report.
func (p *problem) add(s *engine.Solution, unit float64) {
	r := &p.report
	if r.Status == rkhs.Converged {
		r.Status = s.Status
	}
	r.Iterations += s.Iterations
	r.SupportVectors, r.Bounded = append(r.SupportVectors, len(s.Support())), append(r.Bounded, s.Bounded)
	square := unit * unit
	r.Dual, r.Primal = append(r.Dual, square*s.Objective), append(r.Primal, square*(s.Objective+s.Gap))
	r.Gap, r.Violation = append(r.Gap, s.Relative), append(r.Violation, unit*s.Violation)
}

// pointsOf returns some rows. It does not copy all of them.
func (p *problem) pointsOf(rows []int) compute.Points {
	if len(rows) == p.x.Rows {
		return p.x
	}
	return p.x.Pick(rows)
}

// classifiers returns the machines of all pairs of classes.
func (p *problem) classifiers(class []int, order ranking) machines {
	m := machines{columns: len(order) * (len(order) - 1) / 2, class: class, unit: 1}
	m.path = func(rows []int, cs []float64, o engine.Options) (list []solved, err error) {
		x, some := p.pointsOf(rows), compute.PickOf(class, rows)
		classes, err := engine.PathClasses(p.monitor.Context(), p.of.Kernel, x, some, len(order), cs, o)
		for _, c := range classes {
			list = append(list, solved{c.Pairs, c.Coefficients})
		}
		return list, err
	}
	m.loss = func(row int, scores []float64) float64 {
		if order.decide(scores) != class[row] {
			return 1
		}
		return 0
	}
	return m
}

// regression returns the machine of column o of y. Its unit is a power of two near the deviation,
// so it does not change the bits. Mean and deviation exclude outliers.
func (p *problem) regression(targets compute.Matrix, o int) (m machines, err error) {
	y := make([]float64, targets.Rows)
	for i := range y {
		y[i] = compute.Row(targets, i)[o]
	}
	tame := search.InlierRows(compute.ColumnOf(y), p.weights)
	if tame == nil {
		tame = compute.Indices(len(y))
	}
	mean, deviation := stat.PopMeanStdDev(compute.PickOf(y, tame), nil)
	if !compute.Finite(deviation) {
		return m, fmt.Errorf("svm: the deviation of targets of column %d is %v: %w", o, deviation, rkhs.ErrDiverged)
	}
	m = machines{columns: 1, mean: mean, unit: 1}
	if deviation > 0 {
		_, e := math.Frexp(deviation)
		m.unit = math.Ldexp(1, e)
	}
	for i := range y {
		y[i] = (y[i] - m.mean) / m.unit
	}
	epsilon := p.options.Epsilon / m.unit
	if epsilon == 0 {
		epsilon = p.selectEpsilon(y, tame, deviation/m.unit)
	}
	p.report.Epsilon = append(p.report.Epsilon, m.unit*epsilon)
	m.path = func(rows []int, cs []float64, o engine.Options) (list []solved, err error) {
		x, some := p.pointsOf(rows), compute.PickOf(y, rows)
		solutions, err := engine.PathRegression(p.monitor.Context(), p.of.Kernel, x, some, epsilon, cs, o)
		for _, s := range solutions {
			list = append(list, solved{[]*engine.Solution{s}, func(dst compute.Matrix) []float64 {
				compute.CopyTo(dst, compute.ColumnOf(s.Beta))
				return []float64{s.Bias}
			}})
		}
		return list, err
	}
	m.loss = func(row int, scores []float64) float64 { return m.unit * math.Abs(y[row]-scores[0]) }
	return m, nil
}

// plan holds out more rows than a single probability needs. Fits to the other rows are cheap
// compared with the search for C, and several labels need a curve each.
var plan = calibrate.Plan{Sets: calibrate.MostSets, Rows: 2 * calibrate.Enough, Each: calibrate.MostRows}

// heldOut returns the scores of held-out rows by all machines, each trained on the other rows. y
// holds the targets of a regression.
func (p *problem) heldOut(y compute.Matrix, all []trained) (sample calibrate.Sample) {
	if p.options.NoCalibration {
		return sample
	}
	n, columns, class := p.x.Rows, all[0].columns, all[0].class
	for _, set := range calibrate.Sets(n, n, class, plan, p.options.Seed, p.first) {
		scores := compute.NewMatrix(len(set), len(all)*columns)
		s := calibrate.Sample{Scores: scores, Class: compute.PickOf(class, set), Weights: p.weights.Pick(set)}
		for k, t := range all {
			if !p.scoresTo(compute.Columns(s.Scores, k*columns, (k+1)*columns), set, t) {
				return calibrate.Sample{}
			}
		}
		if class == nil {
			s.Targets = compute.Pick(y, set)
		}
		if class == nil && !p.options.Precomputed {
			s.X = p.x.Pick(set)
		}
		sample = sample.With(s)
	}
	return sample
}

// scoresTo sets dst to the scores of rows by machines trained on all other rows. It includes machines
// that did not converge.
func (p *problem) scoresTo(dst compute.Matrix, rows []int, t trained) bool {
	others := calibrate.Others(p.x.Rows, rows)
	o := p.engine(1)
	o.Weights, o.Gap = p.weights.Pick(others), 0
	list, err := t.path(others, t.cs, o)
	if p.monitor.Stopped() || err != nil && !errors.Is(err, rkhs.ErrNotConverged) || len(list) == 0 {
		return false
	}
	scores := p.scores(rows, others, list[len(list)-1:], t.columns)
	for i := range dst.Rows {
		for o, v := range compute.Row(scores, i) {
			compute.Row(dst, i)[o] = t.mean + float64(t.unit*v)
		}
	}
	return true
}
