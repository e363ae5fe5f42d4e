package doublysgd

import (
	"io"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var ratioLearnerFormat = codec.Format[RatioLearner]{Kind: "doublysgd ratio learner", Versions: []func(*codec.Decoder) RatioLearner{decodeRatioLearner}}

// MarshalBinary returns the learner as a file, with the options that shape what it
// learns but without Workers, so that it can go on elsewhere. It fails if the kernel
// cannot be written.
func (l *RatioLearner) MarshalBinary() ([]byte, error) { return ratioLearnerFormat.Marshal(l.encode) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit for
// bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *RatioLearner) UnmarshalBinary(data []byte) error {
	return ratioLearnerFormat.Unmarshal(l, data)
}

// WriteTo writes the learner to w.
func (l *RatioLearner) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, l) }

// ReadFrom replaces l by the learner that r holds next, and reads no further. On an
// error l is left as it was.
func (l *RatioLearner) ReadFrom(r io.Reader) (int64, error) { return ratioLearnerFormat.Read(l, r) }

func (l *RatioLearner) encode(c *codec.Encoder) error {
	c.Int(int(l.form))
	c.Matrix(l.above.x)
	c.Matrix(l.below.x)
	return l.stream.encode(c)
}

func decodeRatioLearner(d *codec.Decoder) RatioLearner {
	l := RatioLearner{form: RatioForm(smallInt(d))}
	above, below := d.Matrix(), d.Matrix()
	l.stream = decodeStream(d, 0, ratioWarmRows)
	l.checkAveraged(d)
	l.above.x, l.below.x = l.decodedRows(d, above), l.decodedRows(d, below)
	if d.Err() == nil && l.form > PlainRatio {
		d.Fail("form %d", l.form)
	}
	return l
}
