package novelty

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "novelty learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: (*Learner).made})

// MarshalBinary returns the state of the learner and its options except Workers. It returns
// an error if the kernel cannot be encoded.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which continues with identical bits.
// On an error, which wraps rkhs.ErrFormat, l is unchanged.
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
	if nu := l.nu(); !(nu > 0 && nu < 1) {
		d.Fail("Nu = %v", nu)
	}
	d.Fields(&l.unit, &l.offset, &l.sum)
	l.wait = l.stream.DecodeWaiting(d)
	l.wait.Weights = d.Weights(l.wait.X.Rows)
	if !(l.unit >= 0) || !compute.Finite(l.unit+l.offset+l.sum) {
		d.Fail("eigenvalue %v, offset %v of sum %v", l.unit, l.offset, l.sum)
	}
	return l
}
