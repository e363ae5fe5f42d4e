package doublysgd

import (
	"io"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

var learnerFormat = codec.Format[Learner]{Kind: "doublysgd learner", Versions: []func(*codec.Decoder) Learner{decodeLearner}}

// MarshalBinary returns the learner as a file, with the options that shape what
// it learns but without Workers and Recorder, so that it can go on elsewhere. It
// fails if the kernel or the loss cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.Marshal(l.encode) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error {
	return learnerFormat.Unmarshal(l, data)
}

// WriteTo writes the learner to w.
func (l *Learner) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, l) }

// ReadFrom replaces l by the learner that r holds next, and reads no further. On
// an error l is left as it was.
func (l *Learner) ReadFrom(r io.Reader) (int64, error) {
	return learnerFormat.Read(l, r)
}

func decodeLearner(d *codec.Decoder) Learner {
	if l := decodeStream(d, 0); l != nil {
		return *l
	}
	return Learner{}
}

func (l *Learner) encode(c *codec.Encoder) error {
	if err := l.s.encode(c); err != nil {
		return err
	}
	c.Int(l.outputs)
	c.Int(l.rows)
	c.Int(l.inputs)
	c.Float64(l.heldOut)
	l.wait.encode(c)
	c.Bool(l.p != nil)
	if l.p == nil {
		return nil
	}
	c.Float64s(l.u.offset)
	c.Float64s(l.u.unit)
	return l.p.encode(c)
}

// decodeStream reads a learner of so many classes, 0 for a regression, and
// returns nil if the contents are at fault.
func decodeStream(d *codec.Decoder, classes int) *Learner {
	s := decodeSettings(d, classes)
	outputs := d.Int()
	if d.Err() != nil {
		return nil
	}
	if outputs < 1 || classes > 0 && outputs != outputsFor(s.Loss, classes) {
		d.Fail("%d outputs for %d classes", outputs, classes)
		return nil
	}
	l := newLearner(s, outputs)
	l.rows, l.inputs, l.heldOut = d.Int(), d.Int(), d.Float64()
	l.wait = decodeWaiting(d, l, classes)
	if l.rows < l.wait.x.Rows || (l.rows > 0) != (l.inputs > 0) {
		d.Fail("%d rows of %d columns, of which %d wait", l.rows, l.inputs, l.wait.x.Rows)
	}
	if d.Bool() {
		l.u = decodeUnits(d)
		l.p = decodeStepper(d, s)
		l.checkStepper(d)
	}
	if d.Err() != nil {
		return nil
	}
	return l
}

// checkStepper fails unless the stepper fits the learner.
func (l *Learner) checkStepper(d *codec.Decoder) {
	if d.Err() != nil {
		return
	}
	m := l.p.e.m
	if m.Dim() != l.inputs || m.Columns() != l.columns || l.p.e.outputs != l.outputs || len(l.u.offset) != l.outputs {
		d.Fail("steps for %d inputs, %d columns and %d outputs", m.Dim(), m.Columns(), l.p.e.outputs)
	}
	if (l.p.e.mean != nil) != (!l.p.newton && !l.s.LastIterate) || l.p.e.count() > l.p.limit {
		d.Fail("%d blocks of at most %d, or an average that is not asked for", l.p.e.count(), l.p.limit)
	}
	for _, v := range l.u.unit {
		if v == 0 {
			d.Fail("a unit of zero")
		}
	}
}

func (w waiting) encode(c *codec.Encoder) {
	c.Matrix(w.x)
	c.Matrix(w.y)
	c.Ints(w.class)
	c.Matrix(w.scores)
}

func decodeWaiting(d *codec.Decoder, l *Learner, classes int) waiting {
	w := waiting{x: d.Matrix(), y: d.Matrix(), class: d.Ints(), scores: d.Matrix()}
	if d.Err() != nil {
		return waiting{}
	}
	n := w.x.Rows
	if n > 0 && (w.x.Cols != l.inputs || w.y.Cols != l.outputs) || w.y.Rows != n || w.scores.Rows > n ||
		w.scores.Rows > 0 && w.scores.Cols != l.outputs || len(w.class) != n && classes > 0 || len(w.class) > 0 && classes == 0 {
		d.Fail("%d×%d rows, %d×%d targets, %d classes and %d×%d scores", n, w.x.Cols, w.y.Rows, w.y.Cols, len(w.class), w.scores.Rows, w.scores.Cols)
	}
	for _, k := range w.class {
		if k < 0 || k >= classes {
			d.Fail("class %d of %d", k, classes)
		}
	}
	if classes == 0 {
		w.class = nil
	}
	return w
}

func (p *stepper) encode(c *codec.Encoder) error {
	c.Int(p.steps)
	c.Float64(p.ridge)
	c.Float64(p.first)
	return p.e.encode(c)
}

// decodeStepper returns nil if the contents are at fault.
func decodeStepper(d *codec.Decoder, s *settings) *stepper {
	p := &stepper{workers: s.Workers, newton: s.Mode == Newton, decayed: s.Ridge > 0}
	p.steps, p.ridge, p.first = d.Int(), d.Finite(), d.Finite()
	p.e = decodeExpansion(d, s.CacheSize)
	if d.Err() != nil {
		return nil
	}
	p.limit = s.blocks(p.e.m.Columns())
	if p.steps < 0 || p.ridge < 0 || p.ridge > largestRidge || p.first < 0 {
		d.Fail("%d steps, ridge %v, rate %v", p.steps, p.ridge, p.first)
	}
	return p
}

func (s *settings) encode(c *codec.Encoder) error {
	c.Bool(s.Kernel != nil)
	if s.Kernel != nil {
		if err := c.Nested(kernel.Marshal(s.Kernel)); err != nil {
			return err
		}
	}
	if err := c.Nested(loss.Marshal(s.Loss)); err != nil {
		return err
	}
	for _, v := range []int{int(s.Sampler), int(s.Mode), s.Features, s.Columns, s.Batch, int(s.CacheSize), int(s.MemoryLimit)} {
		c.Int(v)
	}
	c.Float64(s.Ridge)
	c.Bool(s.LastIterate)
	c.Uint64(s.Seed)
	return nil
}

// decodeSettings returns the settings of a stream, or nil if they are at fault.
func decodeSettings(d *codec.Decoder, classes int) *settings {
	var o Options
	if d.Bool() {
		o.Kernel = codec.Nested(d, kernel.Unmarshal)
	}
	o.Loss = codec.Nested(d, loss.Unmarshal)
	o.Sampler, o.Mode = features.Sampler(smallInt(d)), Mode(smallInt(d))
	o.Features, o.Columns, o.Batch = d.Int(), d.Int(), d.Int()
	o.CacheSize, o.MemoryLimit = int64(d.Int()), int64(d.Int())
	o.Ridge, o.LastIterate, o.Seed = d.Finite(), d.Bool(), d.Uint64()
	if d.Err() != nil {
		return nil
	}
	s, err := o.settings(classes, true)
	if err != nil {
		d.Fail("%v", err)
		return nil
	}
	return s
}
