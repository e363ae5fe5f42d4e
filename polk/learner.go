package polk

import (
	"context"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Learner learns a regression from a stream. NewLearner makes one; methods of a nil or
// zero Learner return errors that wrap rkhs.ErrUnfitted. It must not be used by
// several goroutines at a time.
type Learner struct {
	stream  *stream
	outputs int
}

// NewLearner returns a learner that has seen nothing; the numbers of inputs and of
// outputs are those of the first mini-batch. The error wraps rkhs.ErrOption.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := newStream(regression(opts))
	if err != nil {
		return nil, err
	}
	return &Learner{stream: s}, nil
}

// Update takes one step on a mini-batch: x is B×d, y is B×q. On an error nothing
// has changed: rkhs.ErrShape, ErrEmpty, ErrNotFinite, ErrDomain, ErrMemory, and
// rkhs.ErrDiverged if the step size is too large for the losses.
//
// The derivative of the loss of a row is multiplied by its weight, if rows are
// rkhs.Weighted: weights of two make a step twice as long, as far as it stays stable.
//
// O(B·M·d) for the kernel values, and for q rows with a gradient O(q·M² + q²·M +
// q³); O(M²) for each point of the dictionary that is removed. One step on
// thousands of rows is slow and learns no more than one on tens: cut them, as
// Learn does.
func (l *Learner) Update(x, y mat.Matrix) error {
	if err := l.fitted("Update"); err != nil {
		return err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return err
	}
	return l.update(w)
}

// update takes a step on rows that have passed the door but for their columns.
func (l *Learner) update(w door.Weighed) error {
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

// Learn takes in all rows of a stream, in steps of Options.Batch rows; a step
// does not reach beyond a batch of the stream. It ends with the stream, or with
// the first error: of the stream, of a step, of the Recorder, or of the context,
// which is looked at after each step. What was learned before it stays.
func (l *Learner) Learn(ctx context.Context, stream iter.Seq2[Batch, error]) error {
	if err := l.fitted("Learn"); err != nil {
		return err
	}
	return l.stream.learn(ctx, stream, l.update)
}

// Last says what the last update did that was no error; it is zero before the first
// one, and after the learner was loaded from a file.
func (l *Learner) Last() Step { return l.state().last }

// Rows returns the number of rows taken in, those that wait among them.
func (l *Learner) Rows() int { return l.state().rows() }

// Report sums up the steps so far and says how they are taken.
func (l *Learner) Report() Report { return l.state().report() }

// Model returns the model so far; rows that wait count as if no more came, which
// takes their steps, and ends early with the context: then the model comes with the
// error. It does not change with the steps after it. Before the first row the error
// wraps rkhs.ErrEmpty. O(M·d).
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	if err := l.fitted("Model"); err != nil {
		return nil, err
	}
	m, sample, err := l.stream.model(ctx)
	return m.with(sample), err
}

// state returns what the learner has in common with those of other tasks.
func (l *Learner) state() *stream { return model.OrZero(model.OrZero(l).stream) }

// fitted refuses a method of a nil or zero learner.
func (l *Learner) fitted(method string) error {
	return door.Fitted(pkg, method, l.state().set != nil)
}

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "polk learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: func(l *Learner) bool { return l.state().set != nil }})

// MarshalBinary returns the learner as a file, with its options but for Workers
// and Recorder, so that it can go on elsewhere. It fails if the kernel or the loss
// cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

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
	if own := l.stream.descent; own != nil && own.f.outputs != l.outputs {
		d.Fail("%d outputs for a function of %d", l.outputs, own.f.outputs)
	}
	return l
}
