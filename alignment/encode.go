package alignment

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// This file holds version 1 of the payloads.

func (m *Model) encode(e *codec.Encoder) error {
	e.Uint64(m.seed)
	e.Float64s(m.bias)
	e.Matrix(m.points)
	e.Matrix(m.weights)
	m.report.encode(e)
	return m.learned.encode(e)
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{seed: d.Uint64(), bias: d.Float64s(), points: d.Matrix(), weights: d.Matrix(), report: decodeReport(d), learned: decodeResult(d)}
	if d.Err() != nil {
		return m
	}
	m.inputs = m.points.Cols
	if m.inputs < 1 || len(m.bias) < 1 || m.weights.Rows != m.points.Rows || m.weights.Cols != len(m.bias) {
		d.Fail("%d×%d points, %d×%d weights, %d outputs", m.points.Rows, m.points.Cols, m.weights.Rows, m.weights.Cols, len(m.bias))
	} else if err := kernel.Check(m.learned.Kernel, m.points); err != nil {
		d.Fail("%v", err)
	}
	return m
}

func (r *Report) encode(e *codec.Encoder) {
	for _, v := range r.numbers() {
		e.Float64(*v)
	}
	e.Int(r.Support)
	e.Int(int(r.Status))
}

func decodeReport(d *codec.Decoder) Report {
	var r Report
	for _, v := range r.numbers() {
		*v = d.Finite()
	}
	r.Support, r.Status = d.Int(), decodeStatus(d)
	return r
}

func (r *Report) numbers() []*float64 {
	return []*float64{&r.C, &r.Ridge, &r.Validation, &r.Objective, &r.Gap, &r.Violation}
}

func decodeStatus(d *codec.Decoder) rkhs.Status {
	s := d.Int()
	if s < 0 || s > int(rkhs.Stalled) {
		d.Fail("status %d", s)
	}
	return rkhs.Status(s)
}

func (r *Result) encode(e *codec.Encoder) error {
	if err := e.Nested(kernel.Marshal(r.Kernel)); err != nil {
		return err
	}
	e.Float64(r.Alignment)
	e.Float64(r.Shrink)
	e.Int(r.Rows)
	e.Int(int(r.Status))
	e.Int(len(r.Steps))
	for _, s := range r.Steps {
		if err := e.Nested(kernel.Marshal(s.Kernel)); err != nil {
			return err
		}
		e.Float64(s.Eta)
		e.Float64(s.Alignment)
		e.Int(s.Evaluations)
	}
	return nil
}

func decodeResult(d *codec.Decoder) Result {
	var r Result
	k := codec.Nested(d, kernel.Unmarshal)
	sum, ok := k.(kernel.Sum)
	for _, term := range sum {
		_, scaled := term.(kernel.Scale)
		ok = ok && scaled
	}
	if d.Err() == nil && !ok {
		d.Fail("the kernel %v is no sum of scaled kernels", k)
	}
	r.Kernel, r.Alignment, r.Shrink, r.Rows, r.Status = sum, d.Finite(), d.Finite(), d.Int(), decodeStatus(d)
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		r.Steps = append(r.Steps, Step{codec.Nested(d, kernel.Unmarshal), d.Finite(), d.Finite(), d.Int()})
	}
	return r
}

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.model.encode(e)
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := d.Labels()
	m := decodeModel(d)
	if k := len(labels); len(m.bias) != k*(k-1)/2 {
		d.Fail("%d labels for %d outputs", k, len(m.bias))
	}
	return Classifier{model: &m, labels: labels}
}
