package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

func init() {
	register.DoFn4x1[context.Context, []byte, func(*Statistics) bool, func([]byte), error](&slklBegin{})
	register.DoFn4x1[context.Context, rows.Batch, func(*[]byte) bool, func(slklPart), error](&slklTake{})
	register.DoFn4x1[context.Context, []byte, func(*slklPart) bool, func([]byte), error](&slklSolve{})
	register.Combiner1[slklPart](&slklMerge{})
	register.Emitter1[[]byte]()
	register.Iter1[[]byte]()
	register.Emitter1[slklPart]()
	register.Iter1[Statistics]()
	register.Iter1[slklPart]()
	register.Function1x1(encodeSLKL)
	register.Function1x2(decodeSLKL)
	beam.RegisterCoder(reflect.TypeOf(slklPart{}), encodeSLKL, decodeSLKL)
}

var (
	learned     = beam.NewCounter("rkhs", "learned")
	unconverged = beam.NewCounter("rkhs", "unconverged")
)

// SLKL returns a collection of one element, the file of the slkl.Model of rows.Batch elements,
// which rkhs.Load opens and package score predicts by: up to rounding the one that a single
// slkl.Learner makes of all rows by their numbers (Learner.UpdateNumbered), however they are cut into
// batches, bundles and shards, and whatever is tried again.
//
// Landmarks, kernels and what else opts leave open come from the sample of the statistics
// (Describe), as slkl.LearnerFrom takes them. Workers hold a learner each and hand it on at the end of a bundle; learners
// are merged, and one worker solves. LowMemory and Recorder are refused. Errors wrap
// rkhs.ErrOption and, of a kernel that cannot be written, what kernel.Marshal says. A model that did not
// converge is handed on, and counted as unconverged in namespace rkhs; other errors of slkl
// fail the pipeline.
//
// O(n·M·(d + M)) for M columns in all, and as much for each bundle as writing and merging
// 8·M²·(Folds) bytes costs; a worker holds twice as many, and the one that solves about 5 times.
func SLKL(s beam.Scope, batches, statistics beam.PCollection, opts *slkl.Options) (model beam.PCollection, err error) {
	return learnSLKL(s.Scope("learn.SLKL"), batches, statistics, false, opts)
}

// SLKLClassifier is SLKL for labels: the file is that of an slkl.Classifier. The labels are those of
// the statistics.
func SLKLClassifier(s beam.Scope, batches, statistics beam.PCollection, opts *slkl.Options) (model beam.PCollection, err error) {
	return learnSLKL(s.Scope("learn.SLKLClassifier"), batches, statistics, true, opts)
}

func learnSLKL(s beam.Scope, batches, statistics beam.PCollection, classes bool, opts *slkl.Options) (model beam.PCollection, err error) {
	begin, err := newSLKLBegin(classes, opts)
	if err != nil {
		return model, err
	}
	impulse := beam.Impulse(s)
	prototype := beam.ParDo(s, begin, impulse, beam.SideInput{Input: statistics})
	parts := beam.ParDo(s, &slklTake{}, batches, beam.SideInput{Input: prototype})
	merged := beam.Combine(s, &slklMerge{}, parts)
	return beam.ParDo(s, &slklSolve{}, impulse, beam.SideInput{Input: merged}), nil
}

// slklBegin makes the learner that has seen nothing, of which workers start with copies.
type slklBegin struct {
	Classes bool
	Options []byte   // slkl.Options as JSON, without what follows
	Kernels [][]byte // files
	Points  []byte   // rows.Encode of landmarks, or nil
}

// newSLKLBegin takes apart options, which go to workers.
func newSLKLBegin(classes bool, opts *slkl.Options) (*slklBegin, error) {
	f := &slklBegin{Classes: classes}
	if opts == nil {
		return f, nil
	}
	switch {
	case opts.LowMemory:
		return nil, fmt.Errorf("learn: slkl's option LowMemory has no sums to add up: %w", rkhs.ErrOption)
	case opts.PointRows != nil || opts.Recorder != nil:
		return nil, fmt.Errorf("learn: slkl's options PointRows and Recorder have no meaning for workers: %w", rkhs.ErrOption)
	}
	plain := *opts
	plain.Kernels, plain.Points = nil, nil
	var err error
	if f.Options, err = json.Marshal(plain); err != nil { // of a number that is not finite
		return nil, fmt.Errorf("learn: options of slkl: %v: %w", err, rkhs.ErrOption)
	}
	for i, k := range opts.Kernels {
		file, err := kernel.Marshal(k)
		if err != nil {
			return nil, fmt.Errorf("learn: Kernels[%d]: %w", i, err)
		}
		f.Kernels = append(f.Kernels, file)
	}
	if opts.Points != nil {
		p := mat.DenseCopyOf(opts.Points)
		r, c := p.Dims()
		f.Points = rows.Encode(rows.Batch{Rows: r, Cols: c, Values: p.RawMatrix().Data})
	}
	return f, nil
}

// ProcessElement is the method that Beam calls.
func (f *slklBegin) ProcessElement(ctx context.Context, _ []byte, statistics func(*Statistics) bool, emit func([]byte)) error {
	st, err := one(statistics)
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	x, y := st.inputs()
	var l slklLearner
	if f.Classes {
		l, err = slkl.ClassLearnerFrom(ctx, st.Labels, x, y, o)
	} else {
		l, err = slkl.LearnerFrom(ctx, x, y, o)
	}
	if err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	file, err := l.MarshalBinary()
	if err == nil {
		emit(file)
	}
	return err
}

// options puts them together again.
func (f *slklBegin) options() (*slkl.Options, error) {
	var o slkl.Options
	if f.Options != nil {
		if err := json.Unmarshal(f.Options, &o); err != nil {
			return nil, err
		}
	}
	for _, file := range f.Kernels {
		k, err := kernel.Unmarshal(file)
		if err != nil {
			return nil, err
		}
		o.Kernels = append(o.Kernels, k)
	}
	if f.Points != nil {
		b, err := rows.Decode(f.Points)
		if err != nil {
			return nil, err
		}
		o.Points = b.Inputs()
	}
	return &o, nil
}

// one returns the statistics of rows, of which there must be some.
func one(statistics func(*Statistics) bool) (*Statistics, error) {
	var st Statistics
	if !statistics(&st) || st.Rows == 0 {
		return nil, fmt.Errorf("learn: there are no rows to learn from: %w", rkhs.ErrEmpty)
	}
	return &st, nil
}

// only returns what the step before made, unless that saw no rows.
func only(files func(*[]byte) bool) (file []byte, err error) {
	if !files(&file) {
		return nil, fmt.Errorf("learn: there are no rows to learn from: %w", rkhs.ErrEmpty)
	}
	return file, nil
}

// slklLearner is what *slkl.Learner and *slkl.ClassLearner have in common.
type slklLearner interface {
	UpdateNumbered(numbers []uint64, x, y mat.Matrix) error
	MarshalBinary() ([]byte, error)
}

// openSLKL returns the learner of a file.
func openSLKL(file []byte) (slklLearner, error) {
	l := new(slkl.Learner)
	err := l.UnmarshalBinary(file)
	if err == nil {
		return l, nil
	}
	c := new(slkl.ClassLearner)
	if c.UnmarshalBinary(file) == nil {
		return c, nil
	}
	return nil, fmt.Errorf("learn: %w", err)
}

// slklTake takes in the rows of a bundle.
type slklTake struct {
	gather  gather
	learner slklLearner
	rows    int
}

// StartBundle forgets the rows of a bundle that failed.
func (f *slklTake) StartBundle(context.Context, func(*[]byte) bool, func(slklPart)) error {
	*f = slklTake{}
	return nil
}

// ProcessElement is the method that Beam calls for each batch.
func (f *slklTake) ProcessElement(ctx context.Context, b rows.Batch, prototype func(*[]byte) bool, _ func(slklPart)) error {
	if f.learner == nil && b.Rows > 0 {
		file, err := only(prototype)
		if err != nil {
			return err
		}
		if f.learner, err = openSLKL(file); err != nil {
			return err
		}
	}
	return f.gather.add(&b, f.update)
}

func (f *slklTake) update(all rows.Batch, numbers []uint64) error {
	f.rows += all.Rows
	if err := f.learner.UpdateNumbered(numbers, all.X(), all.Y()); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	return nil
}

// FinishBundle hands on the learner.
func (f *slklTake) FinishBundle(ctx context.Context, _ func(*[]byte) bool, emit func(slklPart)) error {
	if err := f.gather.flush(f.update); err != nil {
		return err
	}
	if f.rows > 0 {
		learned.Inc(ctx, int64(f.rows))
		emit(slklPart{f.learner})
	}
	*f = slklTake{}
	return nil
}

// slklPart is a learner as an element.
type slklPart struct{ learner slklLearner }

// encodeSLKL returns the file of a learner, or nothing of none. Its kernels, which came from a
// file, can be written.
func encodeSLKL(p slklPart) []byte {
	if p.learner == nil {
		return nil
	}
	file, err := p.learner.MarshalBinary()
	if err != nil {
		return nil
	}
	return file
}

func decodeSLKL(file []byte) (slklPart, error) {
	if len(file) == 0 {
		return slklPart{}, nil
	}
	l, err := openSLKL(file)
	return slklPart{l}, err
}

// slklMerge adds learners up.
type slklMerge struct{}

// MergeAccumulators is the method that Beam calls.
func (*slklMerge) MergeAccumulators(p, q slklPart) (slklPart, error) {
	if p.learner == nil {
		return q, nil
	}
	var err error
	switch l := p.learner.(type) {
	case *slkl.Learner:
		err = mergeInto(l.Merge, q.learner)
	case *slkl.ClassLearner:
		err = mergeInto(l.Merge, q.learner)
	}
	return p, err
}

// mergeInto merges a learner of the kind that a method takes.
func mergeInto[L slklLearner](merge func(L) error, other slklLearner) error {
	if other == nil {
		return nil
	}
	l, ok := other.(L)
	if !ok {
		return fmt.Errorf("learn: learners of %T and %T cannot merge: %w", l, other, rkhs.ErrOption)
	}
	return merge(l)
}

// slklSolve makes the model.
type slklSolve struct{}

// ProcessElement is the method that Beam calls.
func (*slklSolve) ProcessElement(ctx context.Context, _ []byte, parts func(*slklPart) bool, emit func([]byte)) error {
	var p slklPart
	if !parts(&p) || p.learner == nil {
		return fmt.Errorf("learn: there are no rows to learn from: %w", rkhs.ErrEmpty)
	}
	switch l := p.learner.(type) {
	case *slkl.Learner:
		m, err := l.Model(ctx)
		return hand(ctx, m, m != nil, err, emit)
	case *slkl.ClassLearner:
		m, err := l.Model(ctx)
		return hand(ctx, m, m != nil, err, emit)
	}
	return nil
}

// marshaler is any model.
type marshaler interface{ MarshalBinary() ([]byte, error) }

// hand hands on the file of a model, which may be less than converged.
func hand(ctx context.Context, m marshaler, ok bool, err error, emit func([]byte)) error {
	if err != nil && !(ok && errors.Is(err, rkhs.ErrNotConverged)) {
		return fmt.Errorf("learn: %w", err)
	}
	if err != nil {
		unconverged.Inc(ctx, 1)
		log.Warnf(ctx, "learn: %v", err)
	}
	file, err := m.MarshalBinary()
	if err == nil {
		emit(file)
	}
	return err
}
