package polk

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
	"github.com/rkhs-go/rkhs/loss"
)

var (
	learnerFormat      = codec.Register(codec.Format[Learner]{Kind: "polk learner", Versions: []func(*codec.Decoder) Learner{decodeLearner}})
	classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "polk class learner", Versions: []func(*codec.Decoder) ClassLearner{decodeClassLearner}})
)

// MarshalBinary returns the learner as a file, with its options but for Workers
// and Recorder, so that it can go on elsewhere. It fails if the kernel or the loss
// cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) {
	if err := l.fitted("MarshalBinary"); err != nil {
		return nil, err
	}
	return learnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	e.Int(l.outputs)
	return l.stream.encode(e)
}

func decodeLearner(d *codec.Decoder) Learner {
	l := Learner{outputs: d.Int()}
	l.stream = decodeStream(d, regression)
	if d.Err() != nil {
		return l
	}
	if l.outputs < 0 || (l.outputs == 0) != (l.stream.inputs == 0) {
		d.Fail("%d outputs for %d inputs", l.outputs, l.stream.inputs)
	}
	l.stream.checkQueue(d, func(b batch) bool {
		return b.y.Rows == b.x.Rows && b.y.Cols == l.outputs && b.class == nil && b.outputs == l.outputs
	})
	if own := l.stream.descent; own != nil && (own.f.outputs != l.outputs || len(own.from.intercept) != l.outputs) {
		d.Fail("%d outputs for a function of %d", l.outputs, own.f.outputs)
	}
	return l
}

// MarshalBinary returns the learner as a file, as Learner.MarshalBinary does.
func (l *ClassLearner) MarshalBinary() ([]byte, error) {
	if err := l.fitted("MarshalBinary"); err != nil {
		return nil, err
	}
	return classLearnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(l, data)
}

func (l *ClassLearner) encode(e *codec.Encoder) error {
	e.Bool(l.announced)
	e.Ints(l.labels)
	return l.stream.encode(e)
}

func decodeClassLearner(d *codec.Decoder) ClassLearner {
	l := ClassLearner{announced: d.Bool(), labels: decodeLabels(d)}
	l.stream = decodeStream(d, classification)
	if d.Err() != nil {
		return l
	}
	outputs := outputsFor(len(l.labels), l.stream.set.Loss)
	if !l.announced && (len(l.labels) == 0) != (l.stream.inputs == 0) || l.announced && len(l.labels) < 2 || checkLabels(l.labels, l.stream.set.Loss) != nil {
		d.Fail("%d labels for %d inputs", len(l.labels), l.stream.inputs)
	}
	l.stream.checkQueue(d, func(b batch) bool {
		for _, k := range b.class {
			if k < 0 || k >= len(l.labels) || !loss.Margin(l.stream.set.Loss) && k >= b.outputs {
				return false
			}
		}
		return b.y.Rows == 0 && b.y.Cols == 0 && len(b.class) == b.x.Rows && b.outputs >= 1 && b.outputs <= outputs
	})
	if own := l.stream.descent; own != nil && (own.f.outputs != outputs || own.from.intercept != nil) {
		d.Fail("%d labels for a function of %d outputs", len(l.labels), own.f.outputs)
	}
	return l
}

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
		e.Matrix(b.x)
		e.Matrix(b.y)
		e.Ints(b.class)
		e.Int(b.outputs)
	}
	e.Bool(s.descent != nil)
	if s.descent == nil {
		return nil
	}
	return s.descent.encode(e)
}

func decodeStream(d *codec.Decoder, check func(*Options) (*settings, error)) *stream {
	s := &stream{set: decodeSettings(d, check), inputs: d.Int()}
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		s.queue = append(s.queue, s.decodeBatch(d))
	}
	if d.Bool() && d.Err() == nil {
		s.descent = decodeDescent(d, s.set, s.inputs)
	}
	if d.Err() == nil && (s.inputs < 0 || (s.inputs == 0) != (len(s.queue) == 0 && s.descent == nil) || len(s.queue) > 0 && (s.descent != nil || s.queued >= s.wait())) {
		d.Fail("%d inputs with %d rows that wait", s.inputs, s.queued)
	}
	return s
}

func (s *stream) decodeBatch(d *codec.Decoder) batch {
	b := batch{x: d.Matrix(), y: d.Matrix(), class: d.Ints(), outputs: d.Int()}
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
	for _, v := range []float64{s.Ridge, s.Rate, s.Budget, s.BudgetConstant} {
		e.Float64(v)
	}
	for _, v := range []int{int(s.Schedule), s.Horizon, s.MaxPoints, s.Batch, s.Warmup, int(s.MemoryLimit)} {
		e.Int(v)
	}
	e.Bool(s.Lossless)
	e.Bool(s.NoIntercept)
	e.Uint64(s.Seed)
	return nil
}

func decodeSettings(d *codec.Decoder, check func(*Options) (*settings, error)) *settings {
	o := Options{Loss: codec.Nested(d, loss.Unmarshal)}
	if d.Bool() {
		o.Kernel = codec.Nested(d, kernel.Unmarshal)
	}
	o.Ridge, o.Rate, o.Budget, o.BudgetConstant = d.Finite(), d.Finite(), d.Finite(), d.Finite()
	schedule := d.Int()
	if schedule <= int(Automatic) || schedule > math.MaxUint8 {
		d.Fail("schedule %d", schedule)
	}
	o.Schedule = Schedule(schedule)
	o.Horizon, o.MaxPoints, o.Batch, o.Warmup = d.Int(), d.Int(), d.Int(), d.Int()
	o.MemoryLimit, o.Lossless, o.NoIntercept, o.Seed = int64(d.Int()), d.Bool(), d.Bool(), d.Uint64()
	if d.Err() != nil {
		return new(settings)
	}
	s, err := check(&o)
	if err == nil {
		err = s.forStream()
	}
	if err != nil {
		d.Fail("%v", err)
	}
	return s
}

func (d *descent) encode(e *codec.Encoder) error {
	d.totals.encode(e)
	if err := d.from.encode(e); err != nil {
		return err
	}
	d.f.dictionary.encode(e)
	return nil
}

func decodeDescent(d *codec.Decoder, s *settings, inputs int) *descent {
	own := &descent{set: s, totals: decodeTotals(d), from: decodeDefaults(d)}
	if d.Err() != nil {
		return own
	}
	e := decodeDictionary(d, own.from, inputs, s.averaged())
	if d.Err() != nil {
		return own
	}
	e.eval.Workers = s.Workers
	own.f = newPursuit(e)
	return own
}

func (t *defaults) encode(e *codec.Encoder) error {
	for _, v := range []float64{t.ridge, t.gain, t.top, t.kappa} {
		e.Float64(v)
	}
	e.Float64s(t.intercept)
	return e.Nested(kernel.Marshal(t.kernel))
}

func decodeDefaults(d *codec.Decoder) *defaults {
	t := &defaults{ridge: d.Finite(), gain: d.Finite(), top: d.Finite(), kappa: d.Finite(), intercept: d.Float64s(), kernel: codec.Nested(d, kernel.Unmarshal)}
	if len(t.intercept) == 0 {
		t.intercept = nil
	}
	if !(t.kappa > 0 && t.kappa < outOfRange) || !(t.top >= 0) || !(t.gain >= 0) || !(t.ridge > 0 && t.ridge < outOfRange) {
		d.Fail("kappa = %v, lam_1 = %v, a = %v, lam = %v", t.kappa, t.top, t.gain, t.ridge)
	}
	return t
}

func (e *dictionary) encode(out *codec.Encoder) {
	out.Int(e.outputs)
	out.Ints(e.slot)
	out.Float64s(e.points)
	out.Float64s(e.weights)
	_, rows, diag := e.factor.State()
	out.Float64s(rows)
	out.Float64s(diag)
}

// decodeDictionary reads the function of a descent with the given defaults.
func decodeDictionary(d *codec.Decoder, from *defaults, inputs int, averaged bool) *dictionary {
	e := &dictionary{eval: kernel.Evaluator{Kernel: from.kernel, Unblocked: true}, inputs: inputs, outputs: d.Int()}
	var rows, diag []float64
	e.slot, e.points, e.weights, rows, diag = d.Ints(), d.Float64s(), d.Float64s(), d.Float64s(), d.Float64s()
	if d.Err() != nil {
		return nil
	}
	e.width = e.outputs
	if averaged {
		e.width *= 2
	}
	if e.outputs < 1 || e.width < e.outputs || inputs < 1 || !sized(len(e.points), e.order(), inputs) || !sized(len(e.weights), e.order(), e.width) || !permutation(e.slot) {
		d.Fail("%d points of %d inputs and %d outputs, with %d and %d numbers", e.order(), inputs, e.outputs, len(e.points), len(e.weights))
		return nil
	}
	factor, err := linalg.RestoreCholesky(relativeJitter*from.kappa, e.order(), rows, diag)
	if err == nil {
		err = kernel.Check(from.kernel, e.matrix())
	}
	if err != nil {
		d.Fail("%v", err)
	}
	e.factor = factor
	return e
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
