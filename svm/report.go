package svm

import (
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report says how a model was found, and how far it can be from the one that is meant. What is
// known of each output, or of each pair of labels, stands in lists. A model that was read from
// a file of LIBSVM has a report of zeros but for ModelOrder and SupportVectors.
type Report struct {
	// Status says how the fit ended; of several outputs it is that of the first that did not
	// converge.
	Status rkhs.Status
	// Rows is the number n of rows that were learned from.
	Rows int
	// ModelOrder is the number of points: rows that are support vectors of any output.
	ModelOrder int
	// Iterations is the number of steps on pairs of variables, of all outputs, for C itself.
	Iterations int
	// C is the weight of the losses of each output, or one for all pairs of labels.
	C []float64
	// Epsilon is half of the width of the tube of each output; nil for others than Fit.
	Epsilon []float64
	// SupportVectors is the number of points with a coefficient, and Bounded of these with
	// the largest that they may have, which lie inside of the margin or outside of the tube.
	SupportVectors, Bounded []int
	// Dual and Primal are the objectives between which the minimum lies: that of the
	// coefficients, and that of the best multiple of f with the best constant.
	Dual, Primal []float64
	// Gap is Primal less Dual, relative to the larger of them. For f* the minimiser,
	// ‖f − f*‖² ≤ 2·(Primal − Dual), and |f(x) − f*(x)| ≤ √k(x, x)·‖f − f*‖.
	Gap []float64
	// Violation is that of the optimality conditions: the largest residual of a coefficient
	// that can rise less the smallest of one that can fall, in units of the margin, of the
	// targets, or of the kernel.
	Violation []float64
	// Calibration tells how intervals, or probabilities of a Classifier, were made.
	Calibration rkhs.Calibration
	// Choice tells how the kernel was found. It is zero where it was given.
	Choice kernel.Choice
	// Curve holds what C was chosen from, ascending, for each output or once for all pairs of
	// labels; nil where C was given.
	Curve [][]Trial
}

// Trial is a C that was compared with others.
type Trial struct {
	C float64
	// Error is the fraction of wrong labels, or the mean absolute error, of rows in folds that
	// were not learned from.
	Error float64
}

// clone returns a copy that shares no list.
func (r Report) clone() Report {
	for _, list := range r.numbers() {
		*list = slices.Clone(*list)
	}
	r.SupportVectors, r.Bounded = slices.Clone(r.SupportVectors), slices.Clone(r.Bounded)
	r.Choice.Curve = slices.Clone(r.Choice.Curve)
	r.Curve = slices.Clone(r.Curve)
	for i, c := range r.Curve {
		r.Curve[i] = slices.Clone(c)
	}
	return r
}

func (r *Report) numbers() []*[]float64 {
	return []*[]float64{&r.C, &r.Epsilon, &r.Dual, &r.Primal, &r.Gap, &r.Violation}
}

// fields lists what the file has of r but for Choice and Curve.
func (r *Report) fields() []any {
	list := []any{codec.OneOf(&r.Status, rkhs.Stalled), &r.Rows, &r.ModelOrder, &r.Iterations, &r.SupportVectors, &r.Bounded}
	for _, l := range r.numbers() {
		list = append(list, l)
	}
	return list
}

func (r *Report) encodeCurve(e *codec.Encoder) {
	e.Int(len(r.Curve))
	for _, curve := range r.Curve {
		var cs, errors []float64
		for _, t := range curve {
			cs, errors = append(cs, t.C), append(errors, t.Error)
		}
		e.Float64s(cs)
		e.Float64s(errors)
	}
}

func decodeCurve(d *codec.Decoder) (list [][]Trial) {
	for range d.Count(16) {
		cs, errors := d.Float64s(), d.Float64s()
		if d.Err() == nil && len(cs) != len(errors) {
			d.Fail("%d errors of %d values of C", len(errors), len(cs))
		}
		if d.Err() != nil {
			return nil
		}
		curve := make([]Trial, len(cs))
		for i, c := range cs {
			curve[i] = Trial{c, errors[i]}
		}
		list = append(list, curve)
	}
	return list
}

// fits reports whether the lists are those of so many outputs.
func (r *Report) fits(outputs int) bool {
	for _, n := range []int{len(r.C), len(r.Curve), len(r.Epsilon)} {
		if n > 1 && n != outputs {
			return false
		}
	}
	for _, n := range []int{len(r.SupportVectors), len(r.Bounded), len(r.Dual), len(r.Primal), len(r.Gap), len(r.Violation)} {
		if n != 0 && n != outputs {
			return false
		}
	}
	return true
}

// String returns a summary of a few lines.
func (r Report) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Iterations, "iteration"))
	l.Add("rows", "%d", r.Rows)
	l.Add("points", "%d", r.ModelOrder)
	l.AddNumbers("C", r.C)
	l.AddNumbers("epsilon", r.Epsilon)
	l.AddNumbers("relative gap", r.Gap)
	l.AddNumbers("violation", r.Violation)
	l.AddText("selected", r.Choice.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
