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

// SLKL fits the learner of package slkl. Up to rounding, the model equals the model of one
// slkl.Learner that reads all rows by number (Learner.UpdateNumbered). It does not depend on
// batches, bundles, shards or retries.
//
// Landmarks, kernels and other open options come from the sample of the statistics
// (Describe), as in slkl.LearnerFrom. Each worker updates a learner and emits it at the end
// of a bundle. Up to 32 workers merge the learners, and one worker merges the results and
// solves. LowMemory and Recorder are invalid. Errors wrap rkhs.ErrOption and the errors of
// kernel.Marshal. If the solver did not converge, the model is still emitted and counted as
// unconverged in namespace rkhs. Other errors of slkl fail the pipeline.
//
// O(n·M·(d + M)) in total for M columns, and the cost of encoding and merging 8·M²·Folds
// bytes per bundle. A worker holds twice as many bytes, and the solver about five times.
func SLKL(opts *slkl.Options) (*Method, error) { return newSLKL("learn.SLKL", false, opts) }

// SLKLClassifier is SLKL for the labels of the statistics. The file is an slkl.Classifier.
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

// slklBegin emits the initial learner, which workers copy.
type slklBegin struct {
	Classes bool
	Options []byte   // slkl.Options as JSON, without kernels and landmarks
	Kernels [][]byte // files
	Points  []byte   // landmarks encoded by rows.Encode, or nil
}

// newSLKLBegin serialises options for workers.
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
	if err := optionError(func(ctx context.Context, x, y mat.Matrix) (marshaler, error) { return slkl.Fit(ctx, x, y, opts) }); err != nil {
		return nil, err
	}
	plain := *opts
	plain.Kernels, plain.Points = nil, nil
	var err error
	if f.Options, err = json.Marshal(plain); err != nil { // a number is not finite
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

// ProcessElement implements the DoFn.
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

// options restores the options.
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

// slklLearner is the common interface of *slkl.Learner and *slkl.ClassLearner.
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

// slklTake updates a learner with the rows of a bundle.
type slklTake struct {
	Path    string // of the initial learner
	gather  gather
	learner slklLearner
	rows    int
	key     int
}

// mergers is the number of workers that merge learners before the final merge.
const mergers = 32

// StartBundle resets the state after a failed bundle.
func (f *slklTake) StartBundle(context.Context, func(int, slklPart)) error {
	*f = slklTake{Path: f.Path}
	return nil
}

// ProcessElement adds a batch.
func (f *slklTake) ProcessElement(ctx context.Context, b rows.Batch, _ func(int, slklPart)) error {
	return f.take(&b, func() ([]byte, error) { return load(ctx, f.Path) })
}

// take adds a batch, with the initial learner that from returns.
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

// FinishBundle emits the learner.
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

// slklTakeAfter is slklTake with the initial learner as a side input.
type slklTakeAfter struct{ slklTake }

// StartBundle resets the state after a failed bundle.
func (f *slklTakeAfter) StartBundle(ctx context.Context, _ func(*[]byte) bool, emit func(int, slklPart)) error {
	return f.slklTake.StartBundle(ctx, emit)
}

// ProcessElement adds a batch.
func (f *slklTakeAfter) ProcessElement(_ context.Context, b rows.Batch, plan func(*[]byte) bool, _ func(int, slklPart)) error {
	return f.take(&b, func() ([]byte, error) { return only(plan) })
}

// FinishBundle emits the learner.
func (f *slklTakeAfter) FinishBundle(ctx context.Context, _ func(*[]byte) bool, emit func(int, slklPart)) error {
	return f.slklTake.FinishBundle(ctx, emit)
}

// slklPart is a learner as an element.
type slklPart struct{ learner slklLearner }

// encodeSLKL returns the file of a learner, or nil without one. Encoding cannot fail, since
// the kernels came from a file.
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

// slklMerge merges learners.
type slklMerge struct{}

// MergeAccumulators implements the combiner.
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

// mergeInto merges other if it has the type that merge accepts.
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

// slklSolve emits the model.
type slklSolve struct{}

// ProcessElement implements the DoFn.
func (*slklSolve) ProcessElement(ctx context.Context, _ []byte, parts func(*slklPart) bool, emit func([]byte)) error {
	var p slklPart
	if !parts(&p) || p.learner == nil {
		return fmt.Errorf("learn: there are no training rows: %w", rkhs.ErrEmpty)
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

// hand emits the file of a model, also if it has not converged.
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
