package doublysgd

import (
	"slices"

	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/target"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "doublysgd learner", Versions: []func(*codec.Decoder) Learner{
	func(d *codec.Decoder) Learner { return decodeLearner(d, 0) },
}})

// MarshalBinary returns the learner as a file, with the options that shape what
// it learns but without Workers, so that it can go on elsewhere. It fails if the kernel
// or the loss cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) {
	if err := door.Fitted(pkg, "MarshalBinary", l.made()); err != nil {
		return nil, err
	}
	return learnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	if err := e.Nested(loss.Marshal(l.options.Loss)); err != nil {
		return err
	}
	if err := l.stream.Encode(e); err != nil {
		return err
	}
	e.Float64(l.criterion)
	e.Matrix(l.wait.X)
	e.Matrix(l.wait.Y)
	e.Ints(l.wait.Class)
	e.Matrix(l.wait.Scores)
	if l.stream.Stepper != nil {
		l.units.Encode(e)
	}
	return nil
}

// decodeLearner reads a learner of so many classes, 0 for a regression. It fails if the
// contents are at fault.
func decodeLearner(d *codec.Decoder, classes int) Learner {
	var l Learner
	given := codec.Nested(d, loss.Unmarshal)
	l.stream = batches.DecodeStream(d, pkg, warmRows, func(c batches.Config) (err error) {
		l.options, err = optionsOf(c, given).settings(classes, true)
		return err
	})
	l.criterion = d.Float64()
	if d.Err() != nil {
		return Learner{}
	}
	if classes > 0 && l.stream.Outputs != outputsFor(given, classes) {
		d.Fail("%d outputs for %d classes", l.stream.Outputs, classes)
	}
	l.decodeWaiting(d, classes)
	if d.Err() == nil && l.stream.Stepper != nil {
		l.units = target.Decode(d, l.stream.Outputs)
		if slices.Contains(l.units.Unit, 0) {
			d.Fail("a unit of zero")
		}
	}
	return l
}

// optionsOf returns the options that a stream was made with.
func optionsOf(c batches.Config, l loss.Loss) *Options {
	o := &Options{Kernel: c.Kernel, Sampler: c.Sampler, Loss: l, Mode: Plain, Features: c.Features, Columns: c.Columns, Batch: c.Batch,
		Ridge: c.Ridge, LastIterate: c.LastIterate, CacheSize: c.CacheSize, MemoryLimit: c.MemoryLimit, Seed: c.Seed}
	if c.Newton {
		o.Mode = Newton
	}
	return o
}

// decodeWaiting reads the rows that wait, if they fit the stream.
func (l *Learner) decodeWaiting(d *codec.Decoder, classes int) {
	w := l.stream.DecodeWaiting(d)
	w.Y, w.Class, w.Scores = d.Matrix(), d.Ints(), d.Matrix()
	if d.Err() != nil {
		return
	}
	n, outputs := w.X.Rows, l.stream.Outputs
	if n > 0 && w.Y.Cols != outputs || w.Y.Rows != n || w.Scores.Rows > n ||
		w.Scores.Rows > 0 && w.Scores.Cols != outputs || len(w.Class) != n && classes > 0 || len(w.Class) > 0 && classes == 0 {
		d.Fail("%d×%d rows, %d×%d targets, %d classes and %d×%d scores", n, w.X.Cols, w.Y.Rows, w.Y.Cols, len(w.Class), w.Scores.Rows, w.Scores.Cols)
	}
	for _, k := range w.Class {
		if k < 0 || k >= classes {
			d.Fail("class %d of %d", k, classes)
		}
	}
	if classes == 0 {
		w.Class = nil
	}
	l.wait = w
}
