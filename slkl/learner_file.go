package slkl

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "slkl learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: func(l *Learner) bool { return model.OrZero(l).columns != nil }})

// MarshalBinary returns the learner as a file, with the options that affect its solution but without
// Recorder and Workers. It returns an error if a kernel cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which continues bit for bit. On an error, which
// wraps rkhs.ErrFormat, l is unchanged.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

// fields lists the options in a file.
func (o *Options) fields() []any {
	return []any{&o.Penalty, &o.Ridge, &o.Epsilon, &o.Tolerance, &o.Folds, &o.Iterations, &o.MemoryLimit,
		codec.OneOf(&o.Order, UniformRandom), codec.OneOf(&o.Rule, NewtonStep), &o.PenaltyGrid,
		&o.NoIntercept, &o.Shared, &o.Seed, &o.SinglePrecision, &o.Noise}
}

func (l *Learner) encode(e *codec.Encoder) error {
	s := l.settings
	o := s.Options
	if !s.strict && !s.descentAlone() {
		o.Tolerance = 0 // the default
	}
	e.Fields(o.fields()...)
	e.Fields(&s.openNoise, &s.gridGiven)
	e.Int(len(l.columns.kernels))
	for _, k := range l.columns.kernels {
		if err := e.Nested(kernel.Marshal(k)); err != nil {
			return err
		}
	}
	e.Points(l.columns.points)
	e.Int(l.rows)
	e.Int(l.outputs())
	for _, p := range l.parts {
		e.Fields(p.fields()...)
	}
	e.Bool(s.NoCalibration)
	l.kept.encode(e)
	return nil
}

func decodeLearner(d *codec.Decoder) (l Learner) {
	l.settings = decodeSettings(d)
	if d.Err() != nil {
		return l
	}
	var kernels []kernel.Kernel
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		kernels = append(kernels, codec.Nested(d, kernel.Unmarshal))
	}
	points := d.Points()
	l.rows = d.Int()
	outputs := d.Int()
	if len(kernels) == 0 || points.Rows == 0 || points.Cols == 0 || l.rows < 0 || outputs < 0 ||
		(outputs == 0) != (l.rows == 0) {
		d.Fail("%d kernels, %d×%d points, %d outputs, %d rows",
			len(kernels), points.Rows, points.Cols, outputs, l.rows)
	}
	// The size of the moments bounds the number of columns, so they come first.
	l.decodeParts(d, len(kernels)*points.Rows, outputs)
	l.settings.NoCalibration = d.Bool()
	if d.Err() != nil {
		return l
	}
	var err error
	if l.columns, err = newColumns(l.settings, kernels, points); err != nil {
		d.Fail("%v", err)
		return l
	}
	if l.rows > 0 {
		l.columns.normalise()
	}
	l.kept = decodeReservoir(d, points.Cols, l.outputs())
	if d.Err() == nil && len(l.kept.hash) > 0 {
		if err := checkKernels(kernels, l.kept.rows.x); err != nil {
			d.Fail("%v", err)
		}
	}
	return l
}

func decodeSettings(d *codec.Decoder) *settings {
	o := new(Options)
	d.Fields(o.fields()...)
	s, err := o.settings()
	if err != nil {
		d.Fail("%v", err)
		return nil
	}
	s.Noise = o.Noise
	d.Fields(&s.openNoise, &s.gridGiven)
	return s
}

// decodeParts reads the moments of all folds, which exist after the first row.
func (l *Learner) decodeParts(d *codec.Decoder, columns, outputs int) {
	n := 0
	for outputs > 0 && d.Err() == nil && len(l.parts) < l.settings.folds() {
		p := decodeMoments(d, columns, outputs)
		l.parts = append(l.parts, p)
		n += p.rows
	}
	if n != l.rows {
		d.Fail("%d rows in the folds of %d", n, l.rows)
	}
}
