package slkl

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "slkl learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: func(l *Learner) bool { return model.OrZero(l).columns != nil }})

// MarshalBinary returns the learner as a file, with the options that shape its
// solution but without Recorder and Workers, so that it can go on elsewhere. It
// fails if a kernel cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	l.settings.encode(e)
	e.Float64(l.settings.Noise)
	e.Bool(l.settings.openNoise)
	e.Bool(l.settings.gridGiven)
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
		p.encode(e)
	}
	e.Bool(l.settings.Uncalibrated)
	l.kept.encode(e)
	return nil
}

func decodeLearner(d *codec.Decoder) Learner {
	o := decodeOptions(d)
	o.Noise = d.Finite()
	l := decodeRows(d, o, d.Bool(), d.Bool())
	without := d.Bool()
	if d.Err() != nil {
		return l
	}
	l.settings.Uncalibrated = without
	l.kept = decodeReservoir(d, l.columns.points.Cols, l.outputs())
	if d.Err() == nil && len(l.kept.hash) > 0 {
		if err := checkKernels(l.columns.kernels, l.kept.rows.x); err != nil {
			d.Fail("%v", err)
		}
	}
	return l
}

func decodeRows(d *codec.Decoder, o *Options, openNoise, gridGiven bool) Learner {
	s, err := o.settings()
	if err != nil {
		d.Fail("%v", err)
		return Learner{}
	}
	s.openNoise, s.gridGiven, s.Noise = openNoise, gridGiven, o.Noise
	l := Learner{settings: s}
	var kernels []kernel.Kernel
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		kernels = append(kernels, codec.Nested(d, kernel.Unmarshal))
	}
	points := d.Points()
	l.rows = d.Int()
	outputs := d.Int()
	if len(kernels) == 0 || points.Rows == 0 || points.Cols == 0 || l.rows < 0 || outputs < 0 || (outputs == 0) != (l.rows == 0) {
		d.Fail("%d kernels, %d×%d points, %d outputs, %d rows", len(kernels), points.Rows, points.Cols, outputs, l.rows)
	}
	// The moments come before the scales of the columns, whose number they vouch for.
	l.decodeParts(d, len(kernels)*points.Rows, outputs)
	if d.Err() != nil {
		return l
	}
	if l.columns, err = newColumns(s, kernels, points); err != nil {
		d.Fail("%v", err)
	} else if l.rows > 0 {
		l.columns.normalise()
	}
	return l
}

// decodeParts reads the moments of all folds; there are none before the first row.
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

func (s *settings) encode(e *codec.Encoder) {
	for _, v := range []float64{s.Penalty, s.Ridge, s.Epsilon, s.givenTolerance()} {
		e.Float64(v)
	}
	for _, v := range []int{s.Folds, s.Iterations, int(s.MemoryLimit), int(s.Order), int(s.Rule)} {
		e.Int(v)
	}
	e.Float64s(s.PenaltyGrid)
	e.Bool(s.NoIntercept)
	e.Bool(s.Shared)
	e.Uint64(s.Seed)
	e.Bool(s.SinglePrecision)
}

// givenTolerance returns Tolerance as it was given, 0 for its default.
func (s *settings) givenTolerance() float64 {
	if s.strict || s.descentAlone() {
		return s.Tolerance
	}
	return 0
}

func decodeOptions(d *codec.Decoder) *Options {
	o := new(Options)
	o.Penalty, o.Ridge, o.Epsilon, o.Tolerance = d.Finite(), d.Finite(), d.Finite(), d.Finite()
	o.Folds, o.Iterations, o.MemoryLimit = d.Int(), d.Int(), int64(d.Int())
	o.Order, o.Rule = codec.Enum(d, UniformRandom), codec.Enum(d, NewtonStep)
	o.PenaltyGrid, o.NoIntercept, o.Shared, o.Seed, o.SinglePrecision = d.Float64s(), d.Bool(), d.Bool(), d.Uint64(), d.Bool()
	return o
}

func (s *moments) encode(e *codec.Encoder) {
	e.Int(s.rows)
	e.Float64(s.n)
	e.Float64s(s.meanC)
	e.Float64s(s.meanY)
	e.Matrix(s.cc)
	e.Matrix(s.cy)
	e.Float64s(s.yy)
}

func decodeMoments(d *codec.Decoder, m, q int) *moments {
	s := &moments{rows: d.Int(), n: d.Finite(), meanC: d.Float64s(), meanY: d.Float64s(), cc: d.Matrix(), cy: d.Matrix(), yy: d.Float64s()}
	if d.Err() == nil && (s.rows < 0 || s.n < 0 || (s.n > 0) != (s.rows > 0) || len(s.meanC) != m || len(s.meanY) != q || s.cc.Rows != m || s.cc.Cols != m ||
		s.cy.Rows != m || s.cy.Cols != q || len(s.yy) != q) {
		d.Fail("moments do not fit %d columns and %d outputs", m, q)
	}
	return s
}
