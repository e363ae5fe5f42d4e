package slkl

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// This file holds the payloads: version 2 of accumulators, version 1 of all else.

func (m *Model) encode(e *codec.Encoder) error {
	e.Int(m.inputs)
	e.Bool(m.shared)
	e.Uint64(m.seed)
	e.Float64s(m.intercept)
	for _, r := range m.reports {
		r.encode(e)
	}
	e.Int(len(m.terms))
	for _, t := range m.terms {
		if err := e.Nested(kernel.Marshal(t.kernel)); err != nil {
			return err
		}
		e.Matrix(t.points)
		e.Matrix(t.weights)
		e.Matrix(t.mu)
	}
	return nil
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{inputs: d.Int(), shared: d.Bool(), seed: d.Uint64(), intercept: d.Float64s()}
	if m.inputs < 1 || len(m.intercept) < 1 {
		d.Fail("%d inputs, %d outputs", m.inputs, len(m.intercept))
		return m
	}
	m.reports = make([]Report, len(m.intercept))
	if m.shared {
		m.reports = m.reports[:1]
	}
	for i := range m.reports {
		m.reports[i] = decodeReport(d)
	}
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		m.terms = append(m.terms, m.decodeTerm(d))
	}
	if len(m.terms) == 0 {
		d.Fail("no kernels")
	}
	return m
}

func (m *Model) decodeTerm(d *codec.Decoder) term {
	t := term{kernel: codec.Nested(d, kernel.Unmarshal), points: d.Matrix(), weights: d.Matrix(), mu: d.Matrix()}
	if d.Err() != nil {
		return t
	}
	n := t.points.Rows
	if t.points.Cols != m.inputs || t.weights.Rows != n || t.weights.Cols != len(m.intercept) ||
		t.mu.Rows != n || t.mu.Cols != len(m.reports) {
		d.Fail("points %d×%d, weights %d×%d and mu %d×%d do not fit %d inputs and %d outputs",
			n, t.points.Cols, t.weights.Rows, t.weights.Cols, t.mu.Rows, t.mu.Cols, m.inputs, len(m.intercept))
	} else if err := kernel.Check(t.kernel, t.points); err != nil {
		d.Fail("%v", err)
	}
	for _, v := range t.mu.Data {
		if v < 0 {
			d.Fail("mu = %v is negative", v)
		}
	}
	return t
}

func (r Report) encode(e *codec.Encoder) {
	for _, v := range r.numbers() {
		e.Float64(*v)
	}
	for _, v := range r.counts() {
		e.Int(*v)
	}
	e.Int(int(r.Status))
}

func decodeReport(d *codec.Decoder) Report {
	var r Report
	for _, v := range r.numbers() {
		*v = d.Finite()
	}
	for _, v := range r.counts() {
		*v = d.Int()
	}
	s := d.Int()
	if s < 0 || s > int(rkhs.Stalled) {
		d.Fail("status %d", s)
	}
	r.Status = rkhs.Status(s)
	return r
}

func (r *Report) numbers() []*float64 {
	return []*float64{&r.Nu, &r.Lambda, &r.NuMax, &r.Objective, &r.Gap, &r.KKT}
}

func (r *Report) counts() []*int {
	return []*int{&r.ModelOrder, &r.Steps, &r.Solves, &r.Refactorisations}
}

func (c *Classifier) encode(e *codec.Encoder) error {
	e.Ints(c.labels)
	return c.model.encode(e)
}

func decodeClassifier(d *codec.Decoder) Classifier {
	labels := d.Labels()
	m := decodeModel(d)
	checkOutputs(d, len(labels), len(m.intercept))
	return Classifier{model: &m, labels: labels}
}

func checkOutputs(d *codec.Decoder, labels, outputs int) {
	if outputs != outputsFor(labels) {
		d.Fail("%d labels for %d outputs", labels, outputs)
	}
}

func (a *ClassAccumulator) encode(e *codec.Encoder) error {
	e.Ints(a.labels)
	return a.acc.encode(e)
}

func decodeClassAccumulator(d *codec.Decoder) ClassAccumulator {
	labels := d.Labels()
	acc := decodeAccumulator(d)
	if d.Err() == nil {
		checkOutputs(d, len(labels), len(acc.parts[0].meanY))
	}
	return ClassAccumulator{acc: &acc, labels: labels}
}

func (a *Accumulator) encode(e *codec.Encoder) error {
	a.s.encode(e)
	e.Int(len(a.cols.kernels))
	for _, k := range a.cols.kernels {
		if err := e.Nested(kernel.Marshal(k)); err != nil {
			return err
		}
	}
	e.Matrix(a.cols.points)
	e.Int(a.rows)
	e.Int(len(a.parts[0].meanY))
	for _, p := range a.parts {
		p.encode(e)
	}
	return nil
}

func decodeAccumulator(d *codec.Decoder) Accumulator {
	return decodeAccumulatorFrom(d, decodeSettings(d))
}

// decodeAccumulatorV1 reads files from before there was Single.
func decodeAccumulatorV1(d *codec.Decoder) Accumulator {
	return decodeAccumulatorFrom(d, decodeSettingsV1(d))
}

func decodeAccumulatorFrom(d *codec.Decoder, o *Options) Accumulator {
	s, err := o.settings()
	if err != nil {
		d.Fail("%v", err)
		return Accumulator{}
	}
	a := Accumulator{s: s}
	var kernels []kernel.Kernel
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		kernels = append(kernels, codec.Nested(d, kernel.Unmarshal))
	}
	points := d.Matrix()
	a.rows = d.Int()
	outputs := d.Int()
	if len(kernels) == 0 || points.Rows == 0 || points.Cols == 0 || outputs < 1 || a.rows < 0 {
		d.Fail("%d kernels, %d×%d points, %d outputs, %d rows", len(kernels), points.Rows, points.Cols, outputs, a.rows)
	}
	// The moments come before the columns, whose number they vouch for.
	a.decodeParts(d, len(kernels)*points.Rows, outputs)
	if d.Err() != nil {
		return a
	}
	if err := checkKernels(kernels, points); err != nil {
		d.Fail("%v", err)
		return a
	}
	a.cols = newColumns(a.s, kernels, points)
	return a
}

func (a *Accumulator) decodeParts(d *codec.Decoder, columns, outputs int) {
	n := 0
	for d.Err() == nil && len(a.parts) < a.s.parts() {
		p := decodeMoments(d, columns, outputs)
		a.parts = append(a.parts, p)
		n += p.n
	}
	if n != a.rows {
		d.Fail("%d rows in the folds of %d", n, a.rows)
	}
}

func (s *settings) encode(e *codec.Encoder) {
	for _, v := range []float64{s.Nu, s.Lambda, s.Epsilon, s.Tolerance} {
		e.Float64(v)
	}
	for _, v := range []int{s.Folds, s.MaxSteps, int(s.MemoryLimit), int(s.Order), int(s.Step)} {
		e.Int(v)
	}
	e.Float64s(s.NuGrid)
	e.Bool(s.NoIntercept)
	e.Bool(s.Shared)
	e.Uint64(s.Seed)
	e.Bool(s.Single)
}

func decodeSettings(d *codec.Decoder) *Options {
	o := decodeSettingsV1(d)
	o.Single = d.Bool()
	return o
}

func decodeSettingsV1(d *codec.Decoder) *Options {
	o := &Options{Nu: d.Finite(), Lambda: d.Finite(), Epsilon: d.Finite(), Tolerance: d.Finite(),
		Folds: d.Int(), MaxSteps: d.Int(), MemoryLimit: int64(d.Int())}
	order, step := d.Int(), d.Int()
	if order < 0 || order > math.MaxUint8 || step < 0 || step > math.MaxUint8 {
		d.Fail("order %d, step %d", order, step)
	}
	o.Order, o.Step = Order(order), Step(step)
	o.NuGrid, o.NoIntercept, o.Shared, o.Seed = d.Float64s(), d.Bool(), d.Bool(), d.Uint64()
	return o
}

func (s *moments) encode(e *codec.Encoder) {
	e.Int(s.n)
	e.Float64s(s.meanC)
	e.Float64s(s.meanY)
	e.Matrix(s.cc)
	e.Matrix(s.cy)
	e.Float64s(s.yy)
}

func decodeMoments(d *codec.Decoder, m, q int) *moments {
	s := &moments{n: d.Int(), meanC: d.Float64s(), meanY: d.Float64s(), cc: d.Matrix(), cy: d.Matrix(), yy: d.Float64s()}
	if d.Err() == nil && (s.n < 0 || len(s.meanC) != m || len(s.meanY) != q || s.cc.Rows != m || s.cc.Cols != m ||
		s.cy.Rows != m || s.cy.Cols != q || len(s.yy) != q) {
		d.Fail("moments do not fit %d columns and %d outputs", m, q)
	}
	return s
}
