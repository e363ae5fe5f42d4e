package learn

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/compute"
)

func init() {
	register.DoFn5x1[context.Context, int, func(*dealt) bool, func(*[]byte) bool, func(int, []byte), error](&roundTake{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(int, []byte), error](&roundAdd{})
	register.DoFn5x1[context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func([]byte), error](&roundNext{})
	register.Function1x2(beginRound)
	register.Function1x2(atZero)
}

// stage is one of the three passes of a round over the rows of all shards.
type stage int

const (
	gradientStage stage = iota // sums the gradient
	stepStage                  // solves for the steps of the shards
	lengthStage                // compares lengths of the mean step
	stages
)

// lengths are the step lengths to compare. Length 0 is first and wins ties.
var lengths = []float64{0, 1, 1. / 2, 1. / 4, 1. / 8, 1. / 16}

// round improves a model by one step. In each stage all shards read the state of the previous
// stage. The stage adds their results in the order of shard numbers.
func round(s beam.Scope, of shardLearner, pieces, model beam.PCollection) beam.PCollection {
	state := beam.ParDo(s, beginRound, model)
	for at := range stages {
		parts := beam.ParDo(s, &roundTake{Of: of, At: at}, withFile(s, of.Shards, pieces, state))
		for range 2 { // at most mergers² shards
			parts = beam.ParDo(s, &roundAdd{}, beam.GroupByKey(s, parts))
		}
		sum := beam.ParDo(s, unnumbered, parts)
		both := beam.CoGroupByKey(s, beam.ParDo(s, atZero, sum), beam.ParDo(s, atZero, state))
		state = beam.ParDo(s, &roundNext{Of: of, At: at}, both)
	}
	return state
}

// roundState is the input of a stage.
type roundState struct {
	Model  []byte
	Vector []float64 // (D+1)×q: the gradient, later the step
}

// roundPart is the additive output of a shard.
type roundPart struct {
	Weight float64 // total weight of the rows
	Values []float64
}

// beginRound returns the first state of a round.
func beginRound(model []byte) ([]byte, error) { return encodeGob(roundState{Model: model}) }

// atZero assigns the key 0 to a file.
func atZero(file []byte) (int, []byte) { return 0, file }

// iterate opens the model of a state and returns its vector as a matrix.
func (o *shardLearner) iterate(s roundState) (t *iterate, vector compute.Matrix, err error) {
	if o.Classes {
		c := new(doublysgd.Classifier)
		if err := c.UnmarshalBinary(s.Model); err != nil {
			return nil, vector, err
		}
		t, err = newIterate(c.Model(), c.Labels(), c.Loss())
	} else {
		m, given := new(doublysgd.Model), start{}
		if err := m.UnmarshalBinary(s.Model); err != nil {
			return nil, vector, err
		}
		if given, err = o.Given.open(); err != nil {
			return nil, vector, err
		}
		t, err = newIterate(m, nil, given.loss)
	}
	if err != nil {
		return nil, vector, err
	}
	if s.Vector != nil {
		vector = t.theta
		vector.Data = s.Vector
		if len(s.Vector) != len(t.theta.Data) {
			return nil, vector, fmt.Errorf("learn: a step of %d numbers for %d coefficients: %w", len(s.Vector), len(t.theta.Data), rkhs.ErrFormat)
		}
	}
	return t, vector, nil
}

// roundTake computes the part of a shard in a stage.
type roundTake struct {
	Of shardLearner
	At stage
}

// ProcessElement implements the DoFn for a shard.
func (f *roundTake) ProcessElement(ctx context.Context, shard int, pieces func(*dealt) bool, state func(*[]byte) bool, emit func(int, []byte)) error {
	b := gathered(pieces)
	if b.Rows == 0 { // no row of positive weight
		return nil
	}
	file, err := only(state)
	if err != nil {
		return err
	}
	s, err := decodeGob[roundState](file)
	if err != nil {
		return err
	}
	t, vector, err := f.Of.iterate(s)
	if err != nil {
		return err
	}
	r, err := newRisk(t, &b)
	if err != nil {
		return err
	}
	fitting.Lock()
	defer fitting.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	values, err := f.At.of(r, vector)
	if err != nil {
		return fmt.Errorf("learn: %d rows of shard %d: %w", b.Rows, shard, err)
	}
	if file, err = encodeGob(roundPart{r.total(), values}); err != nil {
		return err
	}
	emit(shard/mergers, numbered(shard, file))
	return nil
}

// of returns the values of the rows of a shard.
func (at stage) of(r *risk, vector compute.Matrix) ([]float64, error) {
	switch at {
	case gradientStage:
		return r.gradient().Data, nil
	case stepStage:
		step, err := r.newton(vector)
		floats.Scale(r.total(), step.Data)
		return step.Data, err
	}
	return r.along(vector, lengths), nil
}

// roundAdd adds the parts of a group of shards.
type roundAdd struct{}

// ProcessElement implements the DoFn for a group.
func (*roundAdd) ProcessElement(_ context.Context, group int, elements func(*[]byte) bool, emit func(int, []byte)) error {
	list, err := inOrder(elements)
	if err != nil {
		return err
	}
	var sum roundPart
	for k, file := range list {
		p, err := decodeGob[roundPart](file)
		if err != nil {
			return err
		}
		if k == 0 {
			sum = p
			continue
		}
		if len(p.Values) != len(sum.Values) {
			return fmt.Errorf("learn: parts of %d and %d numbers: %w", len(sum.Values), len(p.Values), rkhs.ErrFormat)
		}
		sum.Weight += p.Weight
		floats.Add(sum.Values, p.Values)
	}
	file, err := encodeGob(sum)
	if err == nil {
		emit(group/mergers, numbered(group, file))
	}
	return err
}

// roundNext converts the sum over all shards to the state of the next stage or, in the last
// stage, to the file of the model.
type roundNext struct {
	Of shardLearner
	At stage
}

// ProcessElement implements the DoFn.
func (f *roundNext) ProcessElement(_ context.Context, _ int, sum, state func(*[]byte) bool, emit func([]byte)) error {
	var s roundState
	var p roundPart
	file, err := only(state)
	if err == nil {
		s, err = decodeGob[roundState](file)
	}
	if err != nil {
		return err
	}
	if file, err = only(sum); err == nil {
		p, err = decodeGob[roundPart](file)
	}
	if err != nil {
		return err
	}
	t, step, err := f.Of.iterate(s)
	if err != nil {
		return err
	}
	floats.Scale(1/p.Weight, p.Values)
	switch f.At {
	case gradientStage:
		t.addPenaltyGradient(p.Values)
		file, err = encodeGob(roundState{s.Model, p.Values})
	case stepStage:
		file, err = encodeGob(roundState{s.Model, p.Values})
	case lengthStage:
		file, err = f.Of.moved(s.Model, t, step, best(t, step, p.Values))
	}
	if err == nil {
		emit(file)
	}
	return err
}

// best returns the length that minimises F, given the mean losses.
func best(t *iterate, step compute.Matrix, losses []float64) float64 {
	least, at := losses[0]+t.penalty(step, 0), 0
	for k := range lengths {
		if v := losses[k] + t.penalty(step, lengths[k]); v < least {
			least, at = v, k
		}
	}
	return lengths[at]
}

// moved returns the file of the model updated by length·step.
func (o *shardLearner) moved(file []byte, t *iterate, step compute.Matrix, length float64) ([]byte, error) {
	if length == 0 {
		return file, nil
	}
	a, b := t.moved(step, length)
	if !o.Classes {
		m, err := t.model.Updated(a, b)
		if err != nil {
			return nil, err
		}
		return m.MarshalBinary()
	}
	c := new(doublysgd.Classifier)
	if err := c.UnmarshalBinary(file); err != nil {
		return nil, err
	}
	c, err := c.Updated(a, b)
	if err != nil {
		return nil, err
	}
	return c.MarshalBinary()
}
