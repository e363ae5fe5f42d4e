package svm

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	engine "github.com/rkhs-go/rkhs/internal/svm"
)

// machines share C: those of all pairs of labels, or the one of a column of targets.
type machines interface {
	// path trains on the given rows, or on all for nil, for each C.
	path(p *problem, rows []int, cs []float64, o engine.Options) ([]solved, error)
	// columns returns the number of machines.
	columns() int
	// loss returns the loss of the scores of a row.
	loss(row int, scores []float64) float64
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

// train selects C unless it is given, and trains machines for targets in some unit. It starts from
// the solutions for smaller C: a large C from zero costs more than all of them.
func (p *problem) train(m machines, class []int, unit float64) (t trained, err error) {
	t = trained{machines: m, cs: []float64{p.options.C / unit}}
	if p.options.C == 0 {
		if t.cs, err = p.selectC(m, class, unit); err != nil {
			return t, err
		}
	}
	last := len(t.cs) - 1
	p.report.C = append(p.report.C, unit*t.cs[last])
	p.progress("fit", len(p.report.C)-1, 0)(0, nan)
	list, err := m.path(p, nil, t.cs, p.engine(m.columns()))
	if len(list) == 0 {
		return t, cmp.Or(p.monitor.Err(), err)
	}
	list = list[len(list)-1:]
	for _, s := range list[0].solutions {
		p.add(s, unit)
	}
	t.weights, t.intercept = sideBySide(list, p.x.Rows, m.columns())
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

// pointsOf returns some rows, or all for nil.
func (p *problem) pointsOf(rows []int) compute.Points {
	if rows == nil {
		return p.x
	}
	return p.x.Pick(rows)
}

// pick returns the elements of some rows, or all for nil.
func pick[T any](v []T, rows []int) []T {
	if rows == nil {
		return v
	}
	return compute.PickOf(v, rows)
}

// labelled are the machines of all pairs of classes.
type labelled struct {
	class []int
	order ranking
}

func (l labelled) columns() int { return len(l.order) * (len(l.order) - 1) / 2 }

func (l labelled) path(p *problem, rows []int, cs []float64, o engine.Options) (list []solved, err error) {
	classes, err := engine.PathClasses(p.monitor.Context(), p.of.Kernel, p.pointsOf(rows), pick(l.class, rows), len(l.order), cs, o)
	for _, c := range classes {
		list = append(list, solved{c.Pairs, c.Coefficients})
	}
	return list, err
}

func (l labelled) loss(row int, scores []float64) float64 {
	if l.order.decide(scores) != l.class[row] {
		return 1
	}
	return 0
}

// target is a column of targets minus their mean, in a unit near their deviation. The unit is a
// power of two, so it does not change the bits. Mean and deviation exclude outliers.
type target struct {
	y          []float64
	mean, unit float64
	epsilon    float64 // in the unit
}

// target returns column o of y.
func (p *problem) target(y compute.Matrix, o int) (*target, error) {
	t := &target{y: make([]float64, y.Rows), unit: 1}
	for i := range t.y {
		t.y[i] = compute.Row(y, i)[o]
	}
	tame := choose.TameRows(compute.ColumnOf(t.y), p.weights)
	mean, deviation := stat.PopMeanStdDev(pick(t.y, tame), nil)
	if !compute.Finite(deviation) {
		return nil, fmt.Errorf("svm: the deviation of targets of column %d is %v: %w", o, deviation, rkhs.ErrDiverged)
	}
	t.mean = mean
	if deviation > 0 {
		_, e := math.Frexp(deviation)
		t.unit = math.Ldexp(1, e)
	}
	for i := range t.y {
		t.y[i] = (t.y[i] - t.mean) / t.unit
	}
	t.epsilon = p.options.Epsilon / t.unit
	if t.epsilon == 0 {
		t.epsilon = p.selectEpsilon(t.y, tame, deviation/t.unit)
	}
	return t, nil
}

func (t *target) columns() int { return 1 }

func (t *target) path(p *problem, rows []int, cs []float64, o engine.Options) (list []solved, err error) {
	solutions, err := engine.PathRegression(p.monitor.Context(), p.of.Kernel, p.pointsOf(rows), pick(t.y, rows), t.epsilon, cs, o)
	for _, s := range solutions {
		list = append(list, solved{[]*engine.Solution{s}, func(dst compute.Matrix) []float64 {
			compute.CopyTo(dst, compute.ColumnOf(s.Beta))
			return []float64{s.Bias}
		}})
	}
	return list, err
}

func (t *target) loss(row int, scores []float64) float64 {
	return t.unit * math.Abs(t.y[row]-scores[0])
}
