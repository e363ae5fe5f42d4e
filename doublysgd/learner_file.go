package doublysgd

import (
	"slices"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "doublysgd learner", Decode: func(d *codec.Decoder) Learner { return decodeLearner(d, 0) },
	Encode: (*Learner).encode, Fitted: (*Learner).made})

// MarshalBinary encodes the learner with its options except Workers. It returns an error if the
// kernel or the loss has no encoding.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which resumes bit for bit. On an error, which
// wraps rkhs.ErrFormat, l is unchanged.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	if err := e.Nested(loss.Marshal(l.options.Loss)); err != nil {
		return err
	}
	if err := l.stream.Encode(e); err != nil {
		return err
	}
	e.Float64(l.criterion)
	e.Points(l.wait.X)
	e.Matrix(l.wait.Y)
	e.Ints(l.wait.Class)
	e.Matrix(l.wait.Scores)
	e.Float64s(l.wait.Weights)
	if l.stream.Stepper == nil {
		return nil
	}
	l.units.Encode(e)
	l.outliers.Encode(e)
	l.stream.Stepper.Constant.Encode(e)
	e.Points(l.recent.X)
	e.Matrix(l.recent.Y)
	e.Ints(l.recent.Class)
	e.Float64s(l.recent.Weights)
	e.Matrix(l.scores)
	return nil
}

// decodeLearner reads a learner with the given number of classes, 0 for a regression.
func decodeLearner(d *codec.Decoder, classes int) Learner {
	var l Learner
	given := codec.Nested(d, loss.Unmarshal)
	l.stream = descent.DecodeStream(d, pkg, warmRows, func(c descent.Config) (err error) {
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
	l.wait.Weights = d.Weights(l.wait.X.Rows)
	if d.Err() == nil && l.stream.Stepper != nil {
		l.units = descent.DecodeUnits(d, l.stream.Outputs)
		if slices.Contains(l.units.Unit, 0) {
			d.Fail("a unit of zero")
		}
		l.outliers = descent.DecodeOutliers(d, l.stream.Outputs)
		l.stream.Stepper.Constant = descent.DecodeConstant(d, l.stream.Outputs)
		l.recent = l.decodeRows(d, classes)
		l.recent.Weights, l.scores = d.Weights(l.recent.X.Rows), d.Matrix()
		l.checkScores(d)
	}
	return l
}

// checkScores fails unless the scores belong to recent rows.
func (l *Learner) checkScores(d *codec.Decoder) {
	if d.Err() == nil && (l.scores.Rows > l.recent.X.Rows || l.scores.Rows > 0 && l.scores.Cols != l.stream.Outputs || !compute.AllFinite(l.scores)) {
		d.Fail("%d×%d scores of %d rows", l.scores.Rows, l.scores.Cols, l.recent.X.Rows)
	}
}

// optionsOf returns the options of a stream.
func optionsOf(c descent.Config, l loss.Loss) *Options {
	o := &Options{Kernel: c.Kernel, Loss: l, Features: c.Features, Ridge: c.Ridge, MemoryLimit: c.MemoryLimit, Seed: c.Seed,
		Paper: Paper{Sampler: features.Sampler(c.Sampler), Mode: Plain, Columns: c.Columns, Batch: c.Batch, LastIterate: c.LastIterate, CacheSize: c.CacheSize}}
	if c.Newton {
		o.Mode = Newton
	}
	return o
}

// decodeWaiting reads the waiting rows and checks them against the stream.
func (l *Learner) decodeWaiting(d *codec.Decoder, classes int) {
	w := l.decodeRows(d, classes)
	w.Scores = d.Matrix()
	if w.Scores.Rows > w.X.Rows || w.Scores.Rows > 0 && w.Scores.Cols != l.stream.Outputs {
		d.Fail("%d×%d scores of %d rows", w.Scores.Rows, w.Scores.Cols, w.X.Rows)
	}
	l.wait = w
}

// decodeRows reads rows without scores.
func (l *Learner) decodeRows(d *codec.Decoder, classes int) descent.Waiting {
	w := l.stream.DecodeWaiting(d)
	w.Y, w.Class = d.Matrix(), d.Ints()
	n, outputs := w.X.Rows, l.stream.Outputs
	if n > 0 && w.Y.Cols != outputs || w.Y.Rows != n || len(w.Class) != n && classes > 0 || len(w.Class) > 0 && classes == 0 {
		d.Fail("%d×%d rows, %d×%d targets and %d classes", n, w.X.Cols, w.Y.Rows, w.Y.Cols, len(w.Class))
	}
	for _, k := range w.Class {
		if k < 0 || k >= classes {
			d.Fail("class %d of %d", k, classes)
		}
	}
	if classes == 0 {
		w.Class = nil
	}
	return w
}
