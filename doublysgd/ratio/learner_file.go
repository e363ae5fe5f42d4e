package ratio

import (
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/codec"
)

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "ratio learner", Decode: decodeLearner,
	Encode: (*Learner).encode, Fitted: (*Learner).made})

// MarshalBinary returns the state of the learner and its options except Workers. It returns
// an error if the kernel cannot be encoded.
func (l *Learner) MarshalBinary() ([]byte, error) { return learnerFormat.File(l) }

// UnmarshalBinary replaces l by the learner in data, which continues with identical bits.
// On an error, which wraps rkhs.ErrFormat, l is unchanged.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	e.Int(int(l.form))
	if err := l.stream.Encode(e); err != nil {
		return err
	}
	e.Fields(&l.above.X, &l.below.X)
	e.Float64s(l.above.Weights)
	e.Float64s(l.below.Weights)
	return nil
}

func decodeLearner(d *codec.Decoder) Learner {
	l := Learner{form: codec.Enum(d, Plain), stream: descent.DecodeStream(d, pkg, warmRows, nil)}
	l.stream.CheckAveraged(d)
	l.above, l.below = l.stream.DecodeWaiting(d), l.stream.DecodeWaiting(d)
	l.above.Weights, l.below.Weights = d.Weights(l.above.X.Rows), d.Weights(l.below.X.Rows)
	return l
}
