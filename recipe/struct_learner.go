package recipe

import (
	"context"
	"iter"
	"slices"

	"github.com/rkhs-go/rkhs/dataset"
)

// StructLearner trains on a stream of structs. It is not safe for concurrent use.
type StructLearner[T any] struct{ learner *Learner }

// NewStructLearner learns a recipe from the first structs of a stream, like FitStructs, and combines
// it with a learner of its rows, such as polk.NewLearner returns. It does not train on the structs.
// Errors are as for dataset.FromStructs, Learn and NewLearner.
func NewStructLearner[T any](first []T, of Updater) (*StructLearner[T], error) {
	t, err := dataset.FromStructs(first)
	if err != nil {
		return nil, err
	}
	r, err := Learn(t, Options{})
	if err != nil {
		return nil, err
	}
	l, err := NewLearner(r, of)
	if err != nil {
		return nil, err
	}
	return &StructLearner[T]{l}, nil
}

// Learner returns the learner of tables. Save it with rkhs.Save.
func (l *StructLearner[T]) Learner() *Learner {
	if l == nil {
		return nil
	}
	return l.learner
}

// Update trains on a batch of structs and returns the encoded rows. Errors are as for
// dataset.FromStructs and Learner.Update. The learner is then unchanged.
func (l *StructLearner[T]) Update(rows []T) (encoded *Rows, err error) {
	for t, err := range dataset.StructBatches(slices.Values(rows), max(1, len(rows))) {
		if err != nil {
			return nil, err
		}
		return l.Learner().Update(t)
	}
	return nil, nil // unreachable: the iterator yields a table or an error
}

// UpdateSeq trains on a sequence of structs in batches of the given number, like Update, and returns
// the number of structs without a target. An error ends it after the batches before. Memory is
// proportional to one batch.
func (l *StructLearner[T]) UpdateSeq(rows iter.Seq[T], size int) (dropped int, err error) {
	for t, err := range dataset.StructBatches(rows, size) {
		if err != nil {
			return dropped, err
		}
		encoded, err := l.Learner().Update(t)
		if err != nil {
			return dropped, err
		}
		dropped += encoded.Dropped
	}
	return dropped, nil
}

// Model returns the current model. Errors are as for Learner.Model.
func (l *StructLearner[T]) Model(ctx context.Context) (*StructModel[T], error) {
	m, err := l.Learner().Model(ctx)
	if m == nil {
		return nil, err
	}
	return &StructModel[T]{m}, err
}
