package polk

import (
	"context"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Learner fits a regression to a stream. NewLearner creates one; methods of a nil or zero
// Learner return errors that wrap rkhs.ErrUnfitted. It is not safe for concurrent use.
type Learner struct {
	stream  *stream
	outputs int
}

// NewLearner returns an empty learner. The first mini-batch sets the numbers of inputs and
// outputs. The error wraps rkhs.ErrOption.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := newStream(regression(opts))
	if err != nil {
		return nil, err
	}
	return &Learner{stream: s}, nil
}

// Update performs one step on a mini-batch: x is B×d, y is B×q. It divides more than 256 rows,
// unless Options.Batch is as large, into steps of Batch rows. The weight of a row
// (rkhs.Weighted) multiplies its loss, up to the limit of a stable step.
//
// A failed Update leaves the learner unchanged. Errors wrap rkhs.ErrShape, ErrEmpty,
// ErrNotFinite, ErrDomain, ErrMemory, or ErrDiverged if the step size is too large.
//
// Complexity: O(B·M·d) for kernel values, O(q·M² + q²·M + q³) for q rows with a gradient, and
// O(M²) per removed point.
func (l *Learner) Update(x, y mat.Matrix) error {
	if err := l.state().created("Update"); err != nil {
		return err
	}
	w, err := input.WeighedPair(pkg, input.Points, x, y)
	if err != nil {
		return err
	}
	return l.update(w)
}

// update performs a step on validated rows.
func (l *Learner) update(w input.Weighed) error {
	if err := l.stream.checkShape(w.X, w.Y, l.outputs); err != nil {
		return err
	}
	if err := checkTargets(w.Y); err != nil {
		return err
	}
	err := l.stream.update(batch{x: w.X, y: w.Y, weights: w.Weights, outputs: w.Y.Cols})
	if err == nil {
		l.outputs = w.Y.Cols
	}
	return err
}

// Learn updates the learner with all rows of a stream, Options.Batch rows at a time. A step
// never spans two batches of the stream. Learn returns at the end of the stream or at the first
// error of the stream, a step, the Recorder or the context. Earlier steps remain in effect.
func (l *Learner) Learn(ctx context.Context, stream iter.Seq2[Batch, error]) error {
	return l.state().learn(ctx, stream, l.update)
}

// Last describes the last step of the last successful update. It is zero before the first update and after the
// learner was loaded from a file.
func (l *Learner) Last() Step { return l.state().last }

// Rows returns the number of rows so far, including waiting rows.
func (l *Learner) Rows() int { return l.state().rows() }

// Report summarises the steps so far.
func (l *Learner) Report() Report { return l.state().report() }

// Model returns an immutable snapshot. Model uses waiting rows like the last rows of a
// stream. If the context interrupts this, Model returns the partial model with the error.
// Before the first row the error wraps rkhs.ErrEmpty. O(M·d).
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	m, sample, err := l.state().model(ctx)
	return m.with(sample), err
}

func (l *Learner) state() *stream { return model.OrZero(model.OrZero(l).stream) }

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "polk learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: func(l *Learner) bool { return l.state().set != nil }})

// MarshalBinary encodes the learner with all its options except Workers and Recorder. It
// returns an error if the kernel or the loss has no encoding.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by an encoded learner, which resumes bit for bit. On an error,
// which wraps rkhs.ErrFormat, l is unchanged.
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
	l.stream.checkOutputs(d, l.outputs, func(b batch) bool {
		return b.y.Rows == b.x.Rows && b.y.Cols == l.outputs && b.class == nil && b.outputs == l.outputs
	})
	return l
}
