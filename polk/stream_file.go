package polk

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// checkQueue refuses rows that wait and do not fit.
func (s *stream) checkQueue(d *codec.Decoder, fits func(batch) bool) {
	for _, b := range s.queue {
		if !fits(b) {
			d.Fail("rows that wait do not fit")
		}
	}
}

func (s *stream) encode(e *codec.Encoder) error {
	if err := s.set.encode(e); err != nil {
		return err
	}
	e.Int(s.inputs)
	e.Int(len(s.queue))
	for _, b := range s.queue {
		e.Points(b.x)
		e.Matrix(b.y)
		e.Ints(b.class)
		e.Float64s(b.weights)
		e.Int(b.outputs)
	}
	e.Bool(s.descent != nil)
	if s.descent == nil {
		return nil
	}
	if err := s.descent.encode(e); err != nil {
		return err
	}
	s.descent.recent.Encode(e)
	return nil
}

func decodeStream(d *codec.Decoder, check func(*Options) (*settings, error)) *stream {
	s := &stream{set: decodeSettings(d, check), inputs: d.Int()}
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		s.queue = append(s.queue, s.decodeBatch(d))
	}
	if d.Bool() && d.Err() == nil {
		s.descent = decodeDescent(d, s.set, s.inputs)
		s.descent.recent = new(calibrate.Ring)
		if d.Err() == nil {
			classes := 0
			if s.classifies() {
				classes = max(2, s.descent.f.outputs)
			}
			*s.descent.recent = calibrate.DecodeRing(d, s.descent.f.outputs, classes)
		}
	}
	if d.Err() == nil && (s.inputs < 0 || (s.inputs == 0) != (len(s.queue) == 0 && s.descent == nil) || len(s.queue) > 0 && (s.descent != nil || s.queued >= s.wait())) {
		d.Fail("%d inputs with %d rows that wait", s.inputs, s.queued)
	}
	return s
}

func (s *stream) decodeBatch(d *codec.Decoder) batch {
	b := batch{x: d.Points(), y: d.Matrix(), class: d.Ints()}
	b.weights, b.outputs = d.Weights(b.x.Rows), d.Int()
	if len(b.class) == 0 {
		b.class = nil
	}
	if d.Err() != nil {
		return b
	}
	if b.x.Rows < 1 || b.x.Cols < 1 || b.x.Cols != s.inputs {
		d.Fail("%d×%d rows that wait for %d inputs", b.x.Rows, b.x.Cols, s.inputs)
	} else if err := checkKernel(s.set.Kernel, b.x); err != nil {
		d.Fail("%v", err)
	} else if err := s.checkRows(b.x); err != nil {
		d.Fail("%v", err)
	}
	s.queued += b.x.Rows
	return b
}
