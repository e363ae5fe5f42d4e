package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
	"github.com/rkhs-go/rkhs/loss"
)

// This file holds version 1 of the payloads of learners.

func (l *Learner) encode(e *codec.Encoder) error {
	if err := l.ready(); err != nil {
		return err
	}
	e.Int(l.outputs)
	return l.core.encode(e)
}

func decodeLearner(d *codec.Decoder) Learner {
	l := Learner{outputs: d.Int()}
	l.core = decodeCore(d, regression)
	if d.Err() != nil {
		return l
	}
	if l.outputs < 0 || (l.outputs == 0) != (l.core.inputs == 0) {
		d.Fail("%d outputs for %d inputs", l.outputs, l.core.inputs)
	}
	l.core.checkBatches(d, func(b batch) bool {
		return b.y.Rows == b.x.Rows && b.y.Cols == l.outputs && b.class == nil && b.outputs == l.outputs
	})
	if f := l.core.f; f != nil && (f.outputs != l.outputs || len(l.core.tuned.intercept) != l.outputs) {
		d.Fail("%d outputs for a function of %d", l.outputs, f.outputs)
	}
	return l
}

func (l *ClassLearner) encode(e *codec.Encoder) error {
	if err := l.ready(); err != nil {
		return err
	}
	e.Ints(l.labels)
	return l.core.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	l := ClassLearner{labels: decodeLabels(d)}
	l.core = decodeCore(d, classification)
	if d.Err() != nil {
		return l
	}
	margin := loss.Margin(l.core.set.Loss)
	if (len(l.labels) == 0) != (l.core.inputs == 0) || margin && len(l.labels) > 2 {
		d.Fail("%d labels for %d inputs", len(l.labels), l.core.inputs)
	}
	l.core.checkBatches(d, func(b batch) bool {
		for _, k := range b.class {
			if k < 0 || k >= len(l.labels) || !margin && k >= b.outputs {
				return false
			}
		}
		return b.y.Rows == 0 && b.y.Cols == 0 && len(b.class) == b.x.Rows && b.outputs >= 1 && b.outputs <= outputsFor(len(l.labels), margin)
	})
	if f := l.core.f; f != nil && (f.outputs != outputsFor(len(l.labels), margin) || l.core.tuned.intercept != nil) {
		d.Fail("%d labels for a function of %d outputs", len(l.labels), f.outputs)
	}
	return l
}

// checkBatches refuses rows that wait and do not fit.
func (c *core) checkBatches(d *codec.Decoder, fits func(batch) bool) {
	for _, b := range c.queue {
		if !fits(b) {
			d.Fail("rows that wait do not fit")
		}
	}
}

func (c *core) encode(e *codec.Encoder) error {
	if err := c.set.encode(e); err != nil {
		return err
	}
	e.Int(c.inputs)
	e.Int(len(c.queue))
	for _, b := range c.queue {
		e.Matrix(b.x)
		e.Matrix(b.y)
		e.Ints(b.class)
		e.Int(b.outputs)
	}
	e.Bool(c.tuned != nil)
	if c.tuned == nil {
		return nil
	}
	c.totals.encode(e)
	if err := c.tuned.encode(e); err != nil {
		return err
	}
	c.f.expansion.encode(e)
	return nil
}

func decodeCore(d *codec.Decoder, check func(*Options) (*settings, error)) *core {
	c := &core{set: decodeSettings(d, check), inputs: d.Int()}
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		c.queue = append(c.queue, c.decodeBatch(d))
	}
	if d.Bool() && d.Err() == nil {
		c.totals = decodeTotals(d)
		c.tuned = decodeTuning(d)
		c.f = c.decodeExpansion(d)
	}
	if d.Err() == nil && (c.inputs < 0 || (c.inputs == 0) != (len(c.queue) == 0 && c.tuned == nil) || len(c.queue) > 0 && (c.tuned != nil || c.queued >= c.wait())) {
		d.Fail("%d inputs with %d rows that wait", c.inputs, c.queued)
	}
	return c
}

func (c *core) decodeBatch(d *codec.Decoder) batch {
	b := batch{x: d.Matrix(), y: d.Matrix(), class: d.Ints(), outputs: d.Int()}
	if len(b.class) == 0 {
		b.class = nil
	}
	if d.Err() != nil {
		return b
	}
	if b.x.Rows < 1 || b.x.Cols < 1 || b.x.Cols != c.inputs {
		d.Fail("%d×%d rows that wait for %d inputs", b.x.Rows, b.x.Cols, c.inputs)
	} else if err := c.checkRows(b); err != nil {
		d.Fail("%v", err)
	}
	c.queued += b.x.Rows
	return b
}

func (s *settings) encode(e *codec.Encoder) error {
	if err := e.Nested(loss.Marshal(s.Loss)); err != nil {
		return err
	}
	e.Bool(s.Kernel != nil)
	if s.Kernel != nil {
		if err := e.Nested(kernel.Marshal(s.Kernel)); err != nil {
			return err
		}
	}
	for _, v := range []float64{s.Lambda, s.Step, s.Nu, s.K} {
		e.Float64(v)
	}
	for _, v := range []int{int(s.Schedule), s.Horizon, s.MaxOrder, s.Batch, s.Passes, s.Warmup, int(s.MemoryLimit)} {
		e.Int(v)
	}
	e.Bool(s.Exact)
	e.Bool(s.NoIntercept)
	e.Uint64(s.Seed)
	return nil
}

func decodeSettings(d *codec.Decoder, check func(*Options) (*settings, error)) *settings {
	o := Options{Loss: codec.Nested(d, loss.Unmarshal)}
	if d.Bool() {
		o.Kernel = codec.Nested(d, kernel.Unmarshal)
	}
	o.Lambda, o.Step, o.Nu, o.K = d.Finite(), d.Finite(), d.Finite(), d.Finite()
	schedule := d.Int()
	if schedule <= int(Automatic) || schedule > math.MaxUint8 {
		d.Fail("schedule %d", schedule)
	}
	o.Schedule = Schedule(schedule)
	o.Horizon, o.MaxOrder, o.Batch, o.Passes, o.Warmup = d.Int(), d.Int(), d.Int(), d.Int(), d.Int()
	o.MemoryLimit, o.Exact, o.NoIntercept, o.Seed = int64(d.Int()), d.Bool(), d.Bool(), d.Uint64()
	if d.Err() != nil {
		return new(settings)
	}
	s, err := check(&o)
	if err == nil {
		err = s.resolve()
	}
	if err != nil {
		d.Fail("%v", err)
	}
	return s
}

func (t *tuning) encode(e *codec.Encoder) error {
	for _, v := range []float64{t.gain, t.top, t.kappa} {
		e.Float64(v)
	}
	e.Float64s(t.intercept)
	return e.Nested(kernel.Marshal(t.kernel))
}

func decodeTuning(d *codec.Decoder) *tuning {
	t := &tuning{gain: d.Finite(), top: d.Finite(), kappa: d.Finite(), intercept: d.Float64s(), kernel: codec.Nested(d, kernel.Unmarshal)}
	if len(t.intercept) == 0 {
		t.intercept = nil
	}
	if !(t.kappa > 0 && t.kappa < outOfRange) || !(t.top >= 0) || !(t.gain >= 0) {
		d.Fail("kappa = %v, lam_1 = %v, a = %v", t.kappa, t.top, t.gain)
	}
	return t
}

func (e *expansion) encode(out *codec.Encoder) {
	out.Int(e.outputs)
	out.Ints(e.slot)
	out.Float64s(e.points)
	out.Float64s(e.weights)
	_, rows, diag := e.factor.State()
	out.Float64s(rows)
	out.Float64s(diag)
}

// decodeExpansion reads the function of a core whose settings, tuning and inputs
// are known.
func (c *core) decodeExpansion(d *codec.Decoder) *komp {
	outputs := d.Int()
	slot, points, weights, rows, diag := d.Ints(), d.Float64s(), d.Float64s(), d.Float64s(), d.Float64s()
	if d.Err() != nil {
		return nil
	}
	width := outputs
	if c.set.averaged() {
		width *= 2
	}
	if outputs < 1 || width < outputs || c.inputs < 1 || !sized(len(points), len(slot), c.inputs) || !sized(len(weights), len(slot), width) || !permutation(slot) {
		d.Fail("%d points of %d inputs and %d outputs, with %d and %d numbers", len(slot), c.inputs, outputs, len(points), len(weights))
		return nil
	}
	factor, err := linalg.RestoreCholesky(relativeJitter*c.tuned.kappa, len(slot), rows, diag)
	if err != nil {
		d.Fail("%v", err)
		return nil
	}
	eval := kernel.Evaluator{Kernel: c.tuned.kernel, Workers: c.set.Workers}
	e := &expansion{eval: eval, factor: factor, inputs: c.inputs, outputs: outputs, width: width, points: points, slot: slot, weights: weights}
	if err := kernel.Check(c.tuned.kernel, e.dictionary()); err != nil {
		d.Fail("%v", err)
	}
	return newKomp(e)
}

// sized reports whether n = a·b for a, b ≥ 0, where a·b may overflow.
func sized(n, a, b int) bool {
	if a == 0 {
		return n == 0
	}
	return n%a == 0 && n/a == b
}

// permutation reports whether list holds each of 0 … n−1.
func permutation(list []int) bool {
	seen := make([]bool, len(list))
	for _, i := range list {
		if i < 0 || i >= len(list) || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}
