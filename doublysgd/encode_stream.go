package doublysgd

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

func (l *stream) encode(c *codec.Encoder) error {
	if err := l.s.encode(c); err != nil {
		return err
	}
	c.Int(l.outputs)
	c.Int(l.rows)
	c.Int(l.inputs)
	c.Bool(l.p != nil)
	if l.p == nil {
		return nil
	}
	return l.p.encode(c)
}

// decodeStream reads the stream of a task of so many classes, 0 for one without, whose
// first step waits for so many rows.
func decodeStream(d *codec.Decoder, classes, warm int) stream {
	s, outputs := decodeSettings(d, classes), d.Int()
	if d.Err() != nil {
		return stream{}
	}
	l := newStream(s, outputs, warm)
	if err := l.check(); err != nil {
		d.Fail("%v", err)
		return stream{}
	}
	l.rows, l.inputs = d.Int(), d.Int()
	if l.rows < 0 || (l.rows > 0) != (l.inputs > 0) {
		d.Fail("%d rows of %d columns", l.rows, l.inputs)
	}
	if d.Bool() {
		l.p = decodeStepper(d, s)
		l.checkStepper(d)
	}
	return l
}

// checkStepper fails unless the stepper fits the stream.
func (l *stream) checkStepper(d *codec.Decoder) {
	if d.Err() != nil {
		return
	}
	e := l.p.e
	if e.m.Dim() != l.inputs || e.options.Columns != l.columns || e.outputs != l.outputs {
		d.Fail("steps for %d inputs, %d columns and %d outputs", e.m.Dim(), e.options.Columns, e.outputs)
	}
	if (l.p.e.mean != nil) != (!l.p.newton && !l.s.LastIterate) || l.p.e.count() > l.p.limit {
		d.Fail("%d blocks of at most %d, or an average that is not asked for", l.p.e.count(), l.p.limit)
	}
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
	p.limit = s.blocks(p.e.options.Columns)
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

// checkAveraged fails unless a stream that has begun is one of steps in Plain mode with
// an average.
func (l *stream) checkAveraged(d *codec.Decoder) {
	if d.Err() != nil {
		return
	}
	if l.outputs != 1 || l.s.Mode != Plain || l.s.LastIterate || l.p != nil && !(l.p.e.mean.weight > 0 && l.p.first > 0) {
		d.Fail("%d outputs, steps in mode %v, or no average of them", l.outputs, l.s.Mode)
	}
}

// decodedRows returns rows that wait if they fit the stream.
func (l *stream) decodedRows(d *codec.Decoder, x compute.Matrix) compute.Matrix {
	if d.Err() != nil {
		return compute.Matrix{}
	}
	if x.Rows > l.rows || x.Rows > 0 && x.Cols != l.inputs {
		d.Fail("%d×%d rows wait of %d×%d", x.Rows, x.Cols, l.rows, l.inputs)
		return compute.Matrix{}
	}
	if l.p == nil {
		return x
	}
	if err := kernel.Check(l.p.e.m.Kernel(), x); x.Rows > 0 && err != nil {
		d.Fail("rows that wait: %v", err)
	}
	return x
}
