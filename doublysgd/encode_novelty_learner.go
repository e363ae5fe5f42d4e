package doublysgd

import (
	"io"

	"github.com/rkhs-go/rkhs/internal/codec"
)

var noveltyLearnerFormat = codec.Format[NoveltyLearner]{Kind: "doublysgd novelty learner", Versions: []func(*codec.Decoder) NoveltyLearner{decodeNoveltyLearner}}

// MarshalBinary returns the learner as a file, with the options that shape what it
// learns but without Workers, so that it can go on elsewhere. It fails if the kernel
// cannot be written.
func (l *NoveltyLearner) MarshalBinary() ([]byte, error) {
	return noveltyLearnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit for
// bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *NoveltyLearner) UnmarshalBinary(data []byte) error {
	return noveltyLearnerFormat.Unmarshal(l, data)
}

// WriteTo writes the learner to w.
func (l *NoveltyLearner) WriteTo(w io.Writer) (int64, error) { return codec.Write(w, l) }

// ReadFrom replaces l by the learner that r holds next, and reads no further. On an
// error l is left as it was.
func (l *NoveltyLearner) ReadFrom(r io.Reader) (int64, error) {
	return noveltyLearnerFormat.Read(l, r)
}

func (l *NoveltyLearner) encode(c *codec.Encoder) error {
	for _, v := range []float64{l.unit, l.offset, l.sum} {
		c.Float64(v)
	}
	c.Matrix(l.wait.x)
	return l.stream.encode(c)
}

func decodeNoveltyLearner(d *codec.Decoder) NoveltyLearner {
	l := NoveltyLearner{unit: d.Finite(), offset: d.Finite(), sum: d.Finite()}
	x := d.Matrix()
	l.stream = decodeStream(d, 0, noveltyWarmRows)
	l.checkAveraged(d)
	l.wait.x = l.decodedRows(d, x)
	if d.Err() == nil && !(l.s.Ridge > 0 && l.s.Ridge < 1 && l.unit >= 0) {
		d.Fail("nu = %v, eigenvalue %v", l.s.Ridge, l.unit)
	}
	return l
}
