package polk

import "github.com/rkhs-go/rkhs/internal/codec"

var learnerFormat = codec.Register(codec.Format[Learner]{Kind: "polk learner", Versions: []func(*codec.Decoder) Learner{
	func(d *codec.Decoder) Learner { return decodeLearner(d, 1) },
	func(d *codec.Decoder) Learner { return decodeLearner(d, withMetric) },
	func(d *codec.Decoder) Learner { return decodeLearner(d, withWeights) },
	func(d *codec.Decoder) Learner { return decodeLearner(d, withScores) },
}})

// MarshalBinary returns the learner as a file, with its options but for Workers
// and Recorder, so that it can go on elsewhere. It fails if the kernel or the loss
// cannot be written.
func (l *Learner) MarshalBinary() ([]byte, error) {
	if err := l.fitted("MarshalBinary"); err != nil {
		return nil, err
	}
	return learnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *Learner) UnmarshalBinary(data []byte) error { return learnerFormat.Unmarshal(l, data) }

func (l *Learner) encode(e *codec.Encoder) error {
	e.Int(l.outputs)
	return l.stream.encode(e)
}

func decodeLearner(d *codec.Decoder, version int) Learner {
	l := Learner{outputs: d.Int()}
	l.stream = decodeStream(d, regression, version)
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
