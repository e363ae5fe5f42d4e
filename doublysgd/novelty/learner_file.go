package novelty

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "novelty learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: (*Learner).made})

// MarshalBinary returns the learner as a file, with the options that shape what it
// learns but without Workers, so that it can go on elsewhere. It fails if the kernel
// cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit for
// bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	if err := l.stream.Encode(e); err != nil {
		return err
	}
	e.Fields(&l.unit, &l.offset, &l.sum, &l.wait.X)
	e.Float64s(l.wait.Weights)
	return nil
}

func decodeLearner(d *codec.Decoder) Learner {
	l := Learner{stream: descent.DecodeStream(d, pkg, warmRows, nil)}
	l.stream.CheckAveraged(d)
	if nu := l.fraction(); !(nu > 0 && nu < 1) {
		d.Fail("Fraction = %v", nu)
	}
	d.Fields(&l.unit, &l.offset, &l.sum)
	l.wait = l.stream.DecodeWaiting(d)
	l.wait.Weights = d.Weights(l.wait.X.Rows)
	if !(l.unit >= 0) || !compute.Finite(l.unit+l.offset+l.sum) {
		d.Fail("eigenvalue %v, offset %v of sum %v", l.unit, l.offset, l.sum)
	}
	return l
}
