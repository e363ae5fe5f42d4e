package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Intervals makes intervals of predictions. The zero value makes none.
type Intervals struct {
	outputs []interval
	report  rkhs.Calibration
}

// interval is that of one output: the prediction, and on either side a quantile of the
// errors at the rows of a sample, in units of the spread there.
type interval struct {
	spread spread
	column int       // of the rows, from 1 on, that the spread is a function of, or 0: of the prediction
	rows   int       // n
	errors []float64 // ascending, in units of the spread: all, or some of them
	below  []float64 // for each the weight of all errors up to it, as a part of all
}

// reported is the level of the coverage and of the widths in the report.
const reported = 0.9

// FitIntervals makes intervals by split conformal prediction (Lei and others,
// "Distribution-free predictive inference for regression", 2018): with errors
// e_i = |y_i − f(x_i)|/s(x_i) of n rows that f was not learned from, the interval
// f(x) ± q·s(x) with the ⌈level·(n + 1)⌉-th smallest of them for q covers as much of what
// is to come as its level says, whatever the distribution. The spread s is a function of the
// prediction where intervals are narrower with it, else 1. Where the sizes of errors differ along a column of the rows
// by a rank test, it is a function of the column in which they differ most, if intervals are narrower yet. Of
// rows left out one by one the prediction is what f predicts with them: what the others predict falls as
// their targets rise, and of rows that are all the same tells these exactly. O(n·log n·d) an output.
func FitIntervals(s Sample) Intervals {
	s = s.distinct()
	if s.Rows() < leastRows {
		return Intervals{}
	}
	v := Intervals{report: rkhs.Calibration{Method: "constant width", Rows: s.Rows()}}
	for o := range s.Scores.Cols {
		r := newResiduals(s, o)
		best := r.try(0)
		bins, trial := r.chooseBins(best)
		if bins > 0 {
			v.report.Method = "spread by prediction"
		}
		if c := r.column(); c > 0 {
			along := r.along(c)
			if b, t := along.chooseBins(trial); b > 0 {
				r, bins, trial, v.report.Method = along, b, t, "spread by inputs"
			}
		}
		v.report.Coverage = append(v.report.Coverage, trial.coverage)
		v.report.Width = append(v.report.Width, trial.width)
		v.outputs = append(v.outputs, r.fit(bins))
	}
	return v
}

// Fitted reports whether there are intervals.
func (v *Intervals) Fitted() bool { return len(v.outputs) > 0 }

// Report says how wide the intervals of level .9 are, and what they cover.
func (v *Intervals) Report() rkhs.Calibration { return v.report.Clone() }

// Highest returns the level of the largest error of the sample, n/(n + 1).
func (v *Intervals) Highest() float64 { return v.outputs[0].highest() }

// To sets lower and upper to the ends of the intervals of predictions at rows x. The level must leave
// an error of the sample outside: it is at most Highest.
func (v *Intervals) To(lower, upper, predicted compute.Matrix, x compute.Points, level float64) error {
	if err := v.HalvesTo(upper, predicted, x, level); err != nil {
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
func (v *Intervals) HalvesTo(dst, predicted compute.Matrix, x compute.Points, level float64) error {
	for o, at := range v.outputs {
		q, ok := at.quantile(level)
		if !ok {
			return fmt.Errorf("an interval of level %v: %d rows to calibrate by bound levels by %.6g: %w", level, at.rows, at.highest(), rkhs.ErrOption)
		}
		for i := range predicted.Rows {
			place := compute.Row(predicted, i)[o]
			if at.column > 0 {
				place = x.Between(i, i+1).Dense().Data[at.column-1]
			}
			compute.Row(dst, i)[o] = float64(q * at.spread.at(place))
		}
	}
	return nil
}

// highest returns the level of the largest error.
func (v interval) highest() float64 {
	n := float64(v.rows)
	return n / (n + 1)
}

// quantile returns the least error up to which errors weigh level·(1 + 1/n) of all.
func (v interval) quantile(level float64) (float64, bool) {
	if !(level > 0) || level > v.highest() {
		return 0, false
	}
	want := level * (1 + 1/float64(v.rows)) * (1 - 1e-12)
	i, _ := slices.BinarySearch(v.below, want)
	return v.errors[min(i, len(v.errors)-1)], true
}

// Of many errors the largest are kept, and as many of the others as leave gaps of less than
// a half per cent of them: a level is then met from above by as much.
const largestKept, othersKept = 100, 200

// quantiles sorts errors, in units of a spread, with the weight up to each.
func quantiles(of spread, errors []float64, weights compute.Weights) interval {
	v := interval{spread: of, rows: len(errors)}
	order := compute.Indices(len(errors))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(errors[i], errors[j]) })
	sum, total, others := 0.0, weights.Total(len(errors)), len(errors)-largestKept
	for place, i := range order {
		sum += weights.At(i)
		if place >= others || others <= othersKept || (place+1)*othersKept/others > place*othersKept/others {
			v.errors, v.below = append(v.errors, errors[i]), append(v.below, sum/total)
		}
	}
	return v
}

// residuals are what predictions of an output leave of its targets, each at a place: the prediction, or the value of a
// column.
type residuals struct {
	at, size []float64
	number   int // of the column, from 1 on, or 0
	weights  compute.Weights
	sample   Sample
}

func newResiduals(s Sample, o int) residuals {
	r := residuals{weights: s.Weights, sample: s}
	for i := range s.Rows() {
		f := compute.Row(s.Scores, i)[o]
		at := f
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

// along returns the residuals at the values of a column.
func (r residuals) along(column int) residuals {
	r.number, r.at = column, slices.Clone(r.at)
	for i := range r.at {
		r.at[i] = compute.Row(r.sample.X.Matrix, i)[column-1]
	}
	return r
}

// fit returns intervals with a spread of so many bins. Errors are in units of a spread that
// they were not part of.
func (r residuals) fit(bins int) interval {
	units := make([]float64, len(r.size))
	for _, rows := range r.sample.parts() {
		s := r.pick(Others(len(r.size), rows)).spread(bins)
		for _, i := range rows {
			units[i] = r.size[i] / s.at(r.at[i])
		}
	}
	v := quantiles(r.spread(bins), units, r.weights)
	v.column = r.number
	return v
}

// trial is what intervals of level .9 do at rows that are not part of them.
type trial struct{ coverage, width float64 }

// leastGain is the part of the width that bins must gain.
const leastGain = 0.01

// chooseBins returns the number of bins of the narrowest intervals, 0 where none are narrower than the best so far.
func (r residuals) chooseBins(best trial) (bins int, _ trial) {
	for _, b := range []int{4, 8, 16} {
		if len(r.size) < 25*b {
			break
		}
		if t := r.try(b); t.width < (1-leastGain)*best.width {
			bins, best = b, t
		}
	}
	return bins, best
}

// try makes intervals of each part by the others.
func (r residuals) try(bins int) trial {
	var t trial
	total := r.weights.Total(len(r.size))
	for _, rows := range r.sample.parts() {
		p := r.pick(Others(len(r.size), rows))
		s := p.spread(bins)
		for i, e := range p.size {
			p.size[i] = e / s.at(p.at[i])
		}
		v := quantiles(s, p.size, p.weights)
		q, ok := v.quantile(reported)
		if !ok {
			q = v.errors[len(v.errors)-1]
		}
		for _, i := range rows {
			w, half := r.weights.At(i)/total, float64(q*s.at(r.at[i]))
			t.width += float64(w * 2 * half)
			if r.size[i] <= half {
				t.coverage += w
			}
		}
	}
	return t
}

// Encode writes v.
func (v *Intervals) Encode(e *codec.Encoder) {
	e.Int(len(v.outputs))
	if len(v.outputs) == 0 {
		return
	}
	encodeReport(e, v.report)
	for _, at := range v.outputs {
		e.Int(at.column)
		e.Float64s(at.spread.f)
		e.Float64s(at.spread.s)
		e.Int(at.rows)
		e.Float64s(at.errors)
		e.Float64s(at.below)
	}
}

// DecodeIntervals reads what Encode wrote.
func DecodeIntervals(d *codec.Decoder) (v Intervals) {
	count := d.Count(1)
	if count == 0 {
		return v
	}
	v.report = decodeReport(d)
	for range count {
		at := interval{column: d.Int(), spread: spread{f: d.Float64s(), s: d.Float64s()}, rows: d.Int(), errors: d.Float64s(), below: d.Float64s()}
		if d.Err() == nil && !at.sound() {
			d.Fail("intervals that are none")
		}
		if d.Err() != nil {
			return v
		}
		v.outputs = append(v.outputs, at)
	}
	return v
}

// Check fails unless v has so many outputs, or none, and spreads over so many inputs.
func (v *Intervals) Check(d *codec.Decoder, inputs, outputs int) {
	if d.Err() == nil && len(v.outputs) > 0 && len(v.outputs) != outputs {
		d.Fail("intervals of %d outputs, want %d", len(v.outputs), outputs)
	}
	for _, at := range v.outputs {
		if d.Err() == nil && (at.column < 0 || at.column > inputs) {
			d.Fail("a spread over column %d of %d", at.column, inputs)
		}
	}
}

func (v interval) sound() bool {
	finite := func(list []float64) bool { return compute.AllFinite(compute.ColumnOf(list)) }
	return finite(v.spread.f) && finite(v.spread.s) && finite(v.errors) && finite(v.below) &&
		len(v.spread.f) == len(v.spread.s) && slices.IsSorted(v.spread.f) && (len(v.spread.s) == 0 || slices.Min(v.spread.s) > 0) &&
		len(v.errors) >= leastRows && v.rows >= len(v.errors) && slices.IsSorted(v.errors) && v.errors[0] >= 0 &&
		len(v.below) == len(v.errors) && slices.IsSorted(v.below) && v.below[0] > 0
}
