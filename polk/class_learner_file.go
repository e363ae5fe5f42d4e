package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/loss"
)

var classLearnerFormat = codec.Register(codec.Format[ClassLearner]{Kind: "polk class learner", Versions: []func(*codec.Decoder) ClassLearner{
	func(d *codec.Decoder) ClassLearner { return decodeClassLearner(d, 1) },
	func(d *codec.Decoder) ClassLearner { return decodeClassLearner(d, withMetric) },
	func(d *codec.Decoder) ClassLearner { return decodeClassLearner(d, withWeights) },
	func(d *codec.Decoder) ClassLearner { return decodeClassLearner(d, withScores) },
}})

// MarshalBinary returns the learner as a file, as Learner.MarshalBinary does.
func (l *ClassLearner) MarshalBinary() ([]byte, error) {
	if err := l.fitted("MarshalBinary"); err != nil {
		return nil, err
	}
	return classLearnerFormat.Marshal(l.encode)
}

// UnmarshalBinary replaces l by the learner in data, which goes on from there bit
// for bit. On an error, which wraps rkhs.ErrFormat, l is left as it was.
func (l *ClassLearner) UnmarshalBinary(data []byte) error {
	return classLearnerFormat.Unmarshal(l, data)
}

func (l *ClassLearner) encode(e *codec.Encoder) error {
	e.Bool(l.announced)
	e.Ints(l.labels)
	return l.stream.encode(e)
}

func decodeClassLearner(d *codec.Decoder, version int) ClassLearner {
	l := ClassLearner{announced: d.Bool(), labels: decodeLabels(d)}
	l.stream = decodeStream(d, classification, version)
	if d.Err() != nil {
		return l
	}
	outputs := outputsFor(len(l.labels), l.stream.set.Loss)
	if !l.announced && (len(l.labels) == 0) != (l.stream.inputs == 0) || l.announced && len(l.labels) < 2 || checkLabels(l.labels, l.stream.set.Loss) != nil {
		d.Fail("%d labels for %d inputs", len(l.labels), l.stream.inputs)
	}
	l.stream.checkQueue(d, func(b batch) bool {
		for _, k := range b.class {
			if k < 0 || k >= len(l.labels) || !loss.Margin(l.stream.set.Loss) && k >= b.outputs {
				return false
			}
		}
		return b.y.Rows == 0 && b.y.Cols == 0 && len(b.class) == b.x.Rows && b.outputs >= 1 && b.outputs <= outputs
	})
	if own := l.stream.descent; own != nil && own.f.outputs != outputs {
		d.Fail("%d labels for a function of %d outputs", len(l.labels), own.f.outputs)
	}
	return l
}
