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
	register.DoFn3x1[context.Context, rows.Batch, func(int, slklPart), error](&slklTake{})
	register.DoFn4x1[context.Context, rows.Batch, func(*[]byte) bool, func(int, slklPart), error](&slklTakeAfter{})
	register.DoFn4x1[context.Context, []byte, func(*slklPart) bool, func([]byte), error](&slklSolve{})
	register.Combiner1[slklPart](&slklMerge{})
	register.Emitter1[[]byte]()
	register.Iter1[[]byte]()
	register.Emitter2[int, slklPart]()
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

// SLKL is the learner of package slkl: up to rounding its model is the one that a single slkl.Learner
// makes of all rows by their numbers (Learner.UpdateNumbered), however they are cut into
// batches, bundles and shards, and whatever is tried again.
//
// Landmarks, kernels and what else opts leave open come from the sample of the statistics
// (Describe), as slkl.LearnerFrom takes them. Workers hold a learner each and hand it on at the end
// of a bundle; learners are merged, first by 32 workers that share them, and one worker solves.
// LowMemory and Recorder are refused. Errors wrap rkhs.ErrOption and, of a kernel that cannot be
// written, what kernel.Marshal says. A model that did not converge is handed on, and counted as
// unconverged in namespace rkhs; other errors of slkl fail the pipeline.
//
// O(n·M·(d + M)) for M columns in all, and as much for each bundle as writing and merging
// 8·M²·(Folds) bytes costs; a worker holds twice as many, and the one that solves about 5 times.
func SLKL(opts *slkl.Options) (*Method, error) { return newSLKL("learn.SLKL", false, opts) }

// SLKLClassifier is SLKL for labels: the file is that of an slkl.Classifier. The labels are those of
// the statistics.
func SLKLClassifier(opts *slkl.Options) (*Method, error) {
	return newSLKL("learn.SLKLClassifier", true, opts)
}

func newSLKL(name string, classes bool, opts *slkl.Options) (*Method, error) {
	begin, err := newSLKLBegin(classes, opts)
	if err != nil {
		return nil, err
	}
	return &Method{name, begin, learnSLKL}, nil
}

func learnSLKL(s beam.Scope, batches beam.PCollection, p planned) (model beam.PCollection) {
	var parts beam.PCollection
	if p.path != "" {
		parts = beam.ParDo(s, &slklTake{Path: p.path}, batches)
	} else {
		parts = beam.ParDo(s, &slklTakeAfter{}, batches, beam.SideInput{Input: p.file})
	}
	merged := beam.Combine(s, &slklMerge{}, beam.DropKey(s, beam.CombinePerKey(s, &slklMerge{}, parts)))
	return beam.ParDo(s, &slklSolve{}, beam.Impulse(s), beam.SideInput{Input: merged})
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
	if err := refused(func(ctx context.Context, x, y mat.Matrix) (marshaler, error) { return slkl.Fit(ctx, x, y, opts) }); err != nil {
		return nil, err
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
	Path    string // of the learner to begin with
	gather  gather
	learner slklLearner
	rows    int
	key     int
}

// mergers is the number of workers among which learners are merged before one merges theirs.
const mergers = 32

// StartBundle forgets the rows of a bundle that failed.
func (f *slklTake) StartBundle(context.Context, func(int, slklPart)) error {
	*f = slklTake{Path: f.Path}
	return nil
}

// ProcessElement is the method that Beam calls for each batch.
func (f *slklTake) ProcessElement(ctx context.Context, b rows.Batch, _ func(int, slklPart)) error {
	return f.take(&b, func() ([]byte, error) { return load(ctx, f.Path) })
}

// take takes in a batch by a learner that begins as a file says.
func (f *slklTake) take(b *rows.Batch, from func() ([]byte, error)) error {
	if f.learner == nil && b.Rows > 0 {
		file, err := from()
		if err != nil {
			return err
		}
		if f.learner, err = openSLKL(file); err != nil {
			return err
		}
		f.key = int(numbers(b)[0] % mergers)
	}
	return f.gather.add(b, f.update)
}

func (f *slklTake) update(all rows.Batch, numbers []uint64) error {
	f.rows += all.Rows
	if err := f.learner.UpdateNumbered(numbers, all.X(), all.Y()); err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	return nil
}

// FinishBundle hands on the learner.
func (f *slklTake) FinishBundle(ctx context.Context, emit func(int, slklPart)) error {
	if err := f.gather.flush(f.update); err != nil {
		return err
	}
	if f.rows > 0 {
		learned.Inc(ctx, int64(f.rows))
		emit(f.key, slklPart{f.learner})
	}
	*f = slklTake{Path: f.Path}
	return nil
}

// slklTakeAfter is slklTake behind the step that makes the learner to begin with.
type slklTakeAfter struct{ slklTake }

// StartBundle is a method that Beam calls, as are those below.
func (f *slklTakeAfter) StartBundle(ctx context.Context, _ func(*[]byte) bool, emit func(int, slklPart)) error {
	return f.slklTake.StartBundle(ctx, emit)
}

// ProcessElement takes in a batch.
func (f *slklTakeAfter) ProcessElement(_ context.Context, b rows.Batch, plan func(*[]byte) bool, _ func(int, slklPart)) error {
	return f.take(&b, func() ([]byte, error) { return only(plan) })
}

// FinishBundle hands on the learner.
func (f *slklTakeAfter) FinishBundle(ctx context.Context, _ func(*[]byte) bool, emit func(int, slklPart)) error {
	return f.slklTake.FinishBundle(ctx, emit)
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
