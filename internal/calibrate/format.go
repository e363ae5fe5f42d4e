package calibrate

import (
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Encode writes c.
func (c *Classes) Encode(e *codec.Encoder) {
	e.Int(int(c.by))
	encodeReport(e, c.report)
	if c.by == none {
		return
	}
	e.Int(int(c.layout))
	e.Int(c.count)
	if c.by == scaled {
		e.Float64(c.soft.slope)
		e.Float64s(c.soft.shift)
		return
	}
	e.Int(len(c.curves))
	for _, f := range c.curves {
		f.encode(e)
	}
}

// DecodeClasses reads the output of Classes.Encode.
func DecodeClasses(d *codec.Decoder) (c Classes) {
	c.by, c.report = codec.Enum(d, scaled), decodeReport(d)
	if d.Err() != nil || c.by == none {
		return c
	}
	c.layout, c.count = codec.Enum(d, ofSums), d.Int()
	if c.by == scaled {
		c.soft = softmax{slope: d.Finite(), shift: d.Float64s()}
		if d.Err() == nil && (!finite(c.soft.shift) || c.soft.slope < 0) {
			d.Fail("invalid calibration")
		}
		return c
	}
	for range d.Count(1) {
		if c.curves = append(c.curves, decodeCurve(d)); d.Err() != nil {
			break
		}
	}
	return c
}

// Check fails unless c is empty or fits the given numbers of classes and of columns of scores.
func (c *Classes) Check(d *codec.Decoder, classes, columns int) {
	if d.Err() != nil || c.by == none {
		return
	}
	have := len(c.curves)
	if c.by == scaled {
		have = len(c.soft.shift)
	}
	want := columns
	if c.layout == ofSums {
		want = classes
	}
	if c.count != classes || have != want || !c.fits(columns) {
		d.Fail("a calibration of %d scores for %d classes, want %d and %d", have, c.count, columns, classes)
	}
}

// fits reports whether the layout has the given number of columns.
func (c *Classes) fits(columns int) bool {
	if c.layout != OfClasses {
		return columns == c.count*(c.count-1)/2
	}
	return c.perClass(columns) || columns == 1 && c.count == 2 && c.by != scaled
}

func (c curve) encode(e *codec.Encoder) {
	e.Float64(c.a)
	e.Float64(c.b)
	e.Float64s(c.s)
	e.Float64s(c.p)
}

func decodeCurve(d *codec.Decoder) curve {
	c := curve{a: d.Finite(), b: d.Finite(), s: d.Float64s(), p: d.Float64s()}
	if d.Err() != nil {
		return c
	}
	if len(c.s) == 0 {
		c.s = nil
	}
	if len(c.s) != len(c.p) || !sorted(c.s) || !sorted(c.p) || len(c.p) > 0 && !(c.p[0] > 0 && c.p[len(c.p)-1] < 1) || c.a < 0 {
		d.Fail("invalid calibration")
	}
	return c
}

// Formula returns c as a formula, or nil if it gives no probabilities.
func (c *Classes) Formula() *formula.Probabilities {
	p := &formula.Probabilities{Sums: c.layout == ofSums}
	switch c.by {
	case none:
		return nil
	case scaled:
		p.Kind, p.Slopes, p.Shifts = formula.Softmax, slices.Repeat([]float64{c.soft.slope}, len(c.soft.shift)), slices.Clone(c.soft.shift)
	case sigmoid:
		for _, f := range c.curves {
			p.Slopes, p.Shifts = append(p.Slopes, f.a), append(p.Shifts, f.b)
		}
	case points:
		p.Kind = formula.Curves
		for _, f := range c.curves {
			if f.s == nil { // a constant
				f.s, f.p = []float64{0}, []float64{f.at(0)}
			}
			p.Curves = append(p.Curves, formula.Curve{At: slices.Clone(f.s), Values: slices.Clone(f.p)})
		}
	}
	return p
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

// DecodeIntervals reads the output of Intervals.Encode.
func DecodeIntervals(d *codec.Decoder) (v Intervals) {
	count := d.Count(1)
	if count == 0 {
		return v
	}
	v.report = decodeReport(d)
	for range count {
		at := interval{column: d.Int(), spread: spread{f: d.Float64s(), s: d.Float64s()}, rows: d.Int(), errors: d.Float64s(), below: d.Float64s()}
		if d.Err() == nil && !at.sound() {
			d.Fail("invalid intervals")
		}
		if d.Err() != nil {
			return v
		}
		v.outputs = append(v.outputs, at)
	}
	return v
}

// Check fails unless v is empty or fits the given numbers of inputs and outputs.
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

// sound reports whether v could result from a fit.
func (v interval) sound() bool {
	f, s := v.spread.f, v.spread.s
	return len(f) == len(s) && sorted(f) && finite(s) && (len(s) == 0 || slices.Min(s) > 0) &&
		len(v.errors) >= leastRows && v.rows >= len(v.errors) && sorted(v.errors) && v.errors[0] >= 0 &&
		len(v.below) == len(v.errors) && sorted(v.below) && v.below[0] > 0
}

func finite(v []float64) bool { return compute.AllFinite(compute.ColumnOf(v)) }

// sorted reports whether v is finite and ascends.
func sorted(v []float64) bool { return finite(v) && slices.IsSorted(v) }

func encodeReport(e *codec.Encoder, r rkhs.Calibration) {
	e.String(r.Method)
	e.Int(r.Rows)
	e.Float64(r.LogLoss)
	e.Float64s(r.Coverage)
	e.Float64s(r.Width)
}

func decodeReport(d *codec.Decoder) rkhs.Calibration {
	r := rkhs.Calibration{Method: d.String(), Rows: d.Int(), LogLoss: d.Float64()}
	for _, list := range []*[]float64{&r.Coverage, &r.Width} {
		if v := d.Float64s(); len(v) > 0 {
			*list = v
		}
	}
	return r
}
