package calibrate

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Intervals computes prediction intervals. The zero value computes no intervals.
type Intervals struct {
	outputs []interval
	report  rkhs.Calibration
}

// interval is the interval of one output: the prediction plus and minus a quantile of the errors of a
// sample, times the spread.
type interval struct {
	spread spread
	column int       // argument of the spread: a column of the rows, from 1, or 0 for the prediction
	rows   int       // n
	errors []float64 // all or some errors in units of the spread, ascending
	below  []float64 // the share of the weight of all errors up to each
}

// reported is the nominal coverage of the report.
const reported = 0.9

// FitIntervals computes intervals by split conformal prediction. With the errors
// e_i = |y_i − f(x_i)|/s(x_i) at n held-out rows, the interval is f(x) ± q·s(x) with the
// ⌈coverage·(n + 1)⌉-th smallest e_i for q. It has that coverage for any distribution. The spread s is 1,
// or a function of the prediction or of one column of x if that gives narrower intervals; a rank test
// selects the column. O(n·log n·d) for each output. Source: Lei and others, "Distribution-free
// predictive inference for regression", 2018.
func FitIntervals(s Sample) Intervals {
	s = s.distinct()
	if s.Rows() < leastRows {
		return Intervals{}
	}
	v := Intervals{report: rkhs.Calibration{Method: "constant width", Rows: s.Rows()}}
	for o := range s.Scores.Cols {
		r := newResiduals(s, o)
		bins, best := r.selectBins(r.validate(0))
		if bins > 0 {
			v.report.Method = "spread by prediction"
		}
		if c := r.column(); c > 0 {
			along := r.along(c)
			if b, narrower := along.selectBins(best); b > 0 {
				r, bins, best, v.report.Method = along, b, narrower, "spread by inputs"
			}
		}
		v.report.Coverage = append(v.report.Coverage, best.coverage)
		v.report.Width = append(v.report.Width, best.width)
		v.outputs = append(v.outputs, r.fit(bins))
	}
	return v
}

// Fitted reports whether v computes intervals.
func (v *Intervals) Fitted() bool { return len(v.outputs) > 0 }

// Report returns the method, and the width and actual coverage of the .9 intervals.
func (v *Intervals) Report() rkhs.Calibration { return v.report.Clone() }

// Highest returns the largest coverage, n/(n + 1).
func (v *Intervals) Highest() float64 { return v.outputs[0].highest() }

// To sets lower and upper to the bounds of the intervals of predictions at rows x. A coverage above Highest is
// rkhs.ErrOption.
func (v *Intervals) To(lower, upper, predicted compute.Matrix, x compute.Points, coverage float64) error {
	if err := v.HalvesTo(upper, predicted, x, coverage); err != nil {
		return err
	}
	for i := range predicted.Rows {
		low, high := compute.Row(lower, i), compute.Row(upper, i)
		for o, f := range compute.Row(predicted, i) {
			low[o], high[o] = f-high[o], f+high[o]
		}
	}
	return nil
}

// HalvesTo sets dst to half of the widths of these intervals.
func (v *Intervals) HalvesTo(dst, predicted compute.Matrix, x compute.Points, coverage float64) error {
	for o, of := range v.outputs {
		q, ok := of.quantile(coverage)
		if !ok {
			return fmt.Errorf("an interval of coverage %v: %d calibration rows allow at most %.6g: %w", coverage, of.rows, of.highest(), rkhs.ErrOption)
		}
		for i := range predicted.Rows {
			at := compute.Row(predicted, i)[o]
			if of.column > 0 {
				at = x.Between(i, i+1).Dense().Data[of.column-1]
			}
			compute.Row(dst, i)[o] = float64(q * of.spread.at(at))
		}
	}
	return nil
}

// highest returns the coverage of the largest error.
func (v interval) highest() float64 {
	n := float64(v.rows)
	return n / (n + 1)
}

// quantile returns the smallest error with a cumulative share of at least coverage·(1 + 1/n).
func (v interval) quantile(coverage float64) (float64, bool) {
	if !(coverage > 0) || coverage > v.highest() {
		return 0, false
	}
	share := coverage * (1 + 1/float64(v.rows)) * (1 - 1e-12)
	i, _ := slices.BinarySearch(v.below, share)
	return v.errors[min(i, len(v.errors)-1)], true
}

// An interval keeps the largest errors and about othersKept of the other errors, at gaps of less than half
// a per cent. The coverage exceeds the nominal one by at most such a gap.
const largestKept, othersKept = 100, 200

// newInterval returns the interval of errors in units of a spread.
func newInterval(of spread, errors []float64, weights compute.Weights) interval {
	v := interval{spread: of, rows: len(errors)}
	sum, total, others := 0.0, weights.Total(len(errors)), len(errors)-largestKept
	for rank, i := range ascending(errors) {
		sum += weights.At(i)
		if rank >= others || others <= othersKept || (rank+1)*othersKept/others > rank*othersKept/others {
			v.errors, v.below = append(v.errors, errors[i]), append(v.below, sum/total)
		}
	}
	return v
}

// residuals are the absolute residuals of an output, each with the argument of its spread.
type residuals struct {
	at, size []float64
	number   int // at is this column of the rows, from 1, or the prediction if it is 0
	weights  compute.Weights
	sample   Sample
}

func newResiduals(s Sample, o int) residuals {
	r := residuals{weights: s.Weights, sample: s}
	for i := range s.Rows() {
		f := compute.Row(s.Scores, i)[o]
		at := f
		// A leave-one-out prediction falls as its target rises, which would reveal the residual.
		if s.At.Rows > 0 {
			at = compute.Row(s.At, i)[o]
		}
		r.at, r.size = append(r.at, at), append(r.size, math.Abs(compute.Row(s.Targets, i)[o]-f))
	}
	return r
}

func (r residuals) pick(rows []int) residuals {
	return residuals{at: compute.PickOf(r.at, rows), size: compute.PickOf(r.size, rows), weights: r.weights.Pick(rows)}
}

// along returns the residuals with a column as the argument of the spread.
func (r residuals) along(column int) residuals {
	r.number, r.at = column, slices.Clone(r.at)
	for i := range r.at {
		r.at[i] = compute.Row(r.sample.X.Matrix, i)[column-1]
	}
	return r
}

// fit returns the interval with a spread of the given number of bins. The unit of each error is the spread
// of the other folds.
func (r residuals) fit(bins int) interval {
	units := make([]float64, len(r.size))
	for _, rows := range r.sample.parts() {
		s := r.pick(Others(len(r.size), rows)).spread(bins)
		for _, i := range rows {
			units[i] = r.size[i] / s.at(r.at[i])
		}
	}
	v := newInterval(r.spread(bins), units, r.weights)
	v.column = r.number
	return v
}

// validation is the cross-validated performance of the .9 intervals.
type validation struct{ coverage, width float64 }

// leastGain is the smallest relative reduction of the width that justifies bins.
const leastGain = 0.01

// selectBins returns the number of bins with the narrowest intervals, or 0 without an improvement on best.
func (r residuals) selectBins(best validation) (bins int, _ validation) {
	for _, b := range []int{4, 8, 16} {
		if len(r.size) < 25*b {
			break
		}
		if v := r.validate(b); v.width < (1-leastGain)*best.width {
			bins, best = b, v
		}
	}
	return bins, best
}

// validate cross-validates intervals with the given number of bins.
func (r residuals) validate(bins int) (result validation) {
	total := r.weights.Total(len(r.size))
	for _, rows := range r.sample.parts() {
		p := r.pick(Others(len(r.size), rows))
		s := p.spread(bins)
		for i, e := range p.size {
			p.size[i] = e / s.at(p.at[i])
		}
		v := newInterval(s, p.size, p.weights)
		q, ok := v.quantile(reported)
		if !ok {
			q = v.errors[len(v.errors)-1]
		}
		for _, i := range rows {
			w, half := r.weights.At(i)/total, float64(q*s.at(r.at[i]))
			result.width += float64(w * 2 * half)
			if r.size[i] <= half {
				result.coverage += w
			}
		}
	}
	return result
}
