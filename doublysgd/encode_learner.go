package doublysgd

import (
	"io"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
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
	if l := decodeLearnerOf(d, 0); l != nil {
		return *l
	}
	return Learner{}
}

func (l *Learner) encode(c *codec.Encoder) error {
	if err := l.stream.encode(c); err != nil {
		return err
	}
	c.Float64(l.heldOut)
	l.wait.encode(c)
	if l.p != nil {
		c.Float64s(l.u.offset)
		c.Float64s(l.u.unit)
	}
	return nil
}

// decodeLearnerOf reads a learner of so many classes, 0 for a regression, and
// returns nil if the contents are at fault.
func decodeLearnerOf(d *codec.Decoder, classes int) *Learner {
	l := &Learner{stream: decodeStream(d, classes, warmRows), heldOut: d.Float64()}
	if d.Err() != nil {
		return nil
	}
	if classes > 0 && l.outputs != outputsFor(l.s.Loss, classes) {
		d.Fail("%d outputs for %d classes", l.outputs, classes)
	}
	if err := l.checkMemory(); err != nil {
		d.Fail("%v", err)
	}
	l.wait = decodeWaiting(d, l, classes)
	if l.rows < l.wait.x.Rows {
		d.Fail("%d rows, of which %d wait", l.rows, l.wait.x.Rows)
	}
	if l.p != nil {
		l.u = decodeUnits(d)
		l.checkUnits(d)
	}
	if d.Err() != nil {
		return nil
	}
	return l
}

// checkUnits fails unless the units fit the learner.
func (l *Learner) checkUnits(d *codec.Decoder) {
	if len(l.u.offset) != l.outputs {
		d.Fail("units of %d outputs, want %d", len(l.u.offset), l.outputs)
	}
	if slices.Contains(l.u.unit, 0) {
		d.Fail("a unit of zero")
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
