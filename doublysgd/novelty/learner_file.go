package novelty

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "novelty learner", Versions: []func(*codec.Decoder) Learner{decodeLearner}})

// MarshalBinary returns the learner as a file, with the options that shape what it
// learns but without Workers, so that it can go on elsewhere. It fails if the kernel
// cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) {
	if err := door.Fitted(pkg, "MarshalBinary", l.made()); err != nil {
		return nil, err
	}
	return learnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit for
// bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	if err := l.stream.Encode(e); err != nil {
		return err
	}
	for _, v := range []float64{l.unit, l.offset, l.sum} {
		e.Float64(v)
	}
	e.Matrix(l.wait.X)
	return nil
}

func decodeLearner(d *codec.Decoder) Learner {
	l := Learner{stream: batches.DecodeStream(d, pkg, warmRows, nil)}
	l.stream.CheckAveraged(d)
	if nu := l.fraction(); !(nu > 0 && nu < 1) {
		d.Fail("Fraction = %v", nu)
	}
	l.unit, l.offset, l.sum = d.Finite(), d.Finite(), d.Finite()
	l.wait = l.stream.DecodeWaiting(d)
	if l.unit < 0 {
		d.Fail("eigenvalue %v", l.unit)
	}
	return l
}
