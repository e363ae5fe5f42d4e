package svm

import (
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/kernel"
)

// Report describes a fit and its certificate. Slices have an element for each output or pair of
// labels. A model from a LIBSVM file has only ModelOrder and SupportVectors.
type Report struct {
	// Status is the reason why the fit ended, for the first output that did not converge.
	Status rkhs.Status
	// Rows is the number n of training rows.
	Rows int
	// ModelOrder is the number of rows that are support vectors of any output.
	ModelOrder int
	// Iterations is the number of steps on pairs of variables, of all outputs, for the final C.
	Iterations int
	// C is the weight of the losses of each output, or a single one for all pairs of labels.
	C []float64
	// Epsilon is the largest error without loss, for Fit only.
	Epsilon []float64
	// SupportVectors is the number of support vectors, and Bounded of these with the largest
	// coefficient allowed.
	SupportVectors, Bounded []int
	// Dual and Primal are objectives. The minimum is between them; see "Certificate".
	Dual, Primal []float64
	// Gap is Primal − Dual relative to the larger of them. For the minimiser f*,
	// ‖f − f*‖² ≤ 2·(Primal − Dual) and |f(x) − f*(x)| ≤ √k(x, x)·‖f − f*‖.
	Gap []float64
	// Violation is the largest residual of a coefficient that can rise minus the smallest residual
	// of one that can fall, in units of the margin, of the targets, or of the kernel.
	Violation []float64
	// Calibration describes the intervals, or the probabilities of a Classifier.
	Calibration rkhs.Calibration
	// Search describes the kernel search. It is zero if the kernel was given.
	Search kernel.SearchResult
	// Curve holds the values of C compared, ascending, for each output or once for all pairs of
	// labels. It is nil if C was given.
	Curve [][]Trial
}

// Trial is a value of C with its error.
type Trial struct {
	C float64
	// Error is the fraction of wrong labels, or the mean absolute error, on held-out rows.
	Error float64
}

// clone returns a copy that shares no memory.
func (r Report) clone() Report {
	for _, list := range r.numbers() {
		*list = slices.Clone(*list)
	}
	r.SupportVectors, r.Bounded = slices.Clone(r.SupportVectors), slices.Clone(r.Bounded)
	r.Search.Curve = slices.Clone(r.Search.Curve)
	r.Curve = slices.Clone(r.Curve)
	for i, c := range r.Curve {
		r.Curve[i] = slices.Clone(c)
	}
	return r
}

func (r *Report) numbers() []*[]float64 {
	return []*[]float64{&r.C, &r.Epsilon, &r.Dual, &r.Primal, &r.Gap, &r.Violation}
}

// fields lists the content of a file, without Search and Curve.
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
		if len(cs) != len(errors) {
			d.Fail("%d errors of %d values of C", len(errors), len(cs))
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

// fits reports whether the lengths of the slices fit the number of outputs.
func (r *Report) fits(outputs int) bool {
	shared := []int{len(r.C), len(r.Curve), len(r.Epsilon)}
	own := []int{len(r.SupportVectors), len(r.Bounded), len(r.Dual), len(r.Primal), len(r.Gap), len(r.Violation)}
	return !slices.ContainsFunc(shared, func(n int) bool { return n > 1 && n != outputs }) &&
		!slices.ContainsFunc(own, func(n int) bool { return n != 0 && n != outputs })
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
	l.AddText("selected", r.Search.String())
	l.AddText("calibration", r.Calibration.String())
	return l.String()
}
