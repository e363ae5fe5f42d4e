package testutil

import (
	"context"
	"encoding"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Inputs is the number of columns of the data in most checks of learners.
const Inputs = 3

// File is a value that can be saved and loaded.
type File interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Model is a fitted model, a pointer to its concrete type.
type Model interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
	PredictTo(dst *mat.Dense, x mat.Matrix) error
	File
}

// Learner describes a learner with options O and models M to CheckLearner.
type Learner[O any, M Model] struct {
	// Package is the name at the beginning of errors.
	Package string
	// Fit is the function under test.
	Fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error)
	// Empty returns a zero model, into which files are loaded.
	Empty func() M
	// Options returns a new copy of the options under test. Default: zero options; nil options
	// must then give the same model.
	Options func() *O
	// Common sets the options that every learner has.
	Common func(opts *O, seed uint64, workers int, r rkhs.Recorder)
	// Limit, if not nil, sets a limit of iterations that ends the fit with rkhs.ErrNotConverged.
	Limit func(opts *O)

	// Outputs is the number of columns of y. Default: 1.
	Outputs int
	// Labels, if not nil, are the values of the single column y, which Predict returns.
	Labels []int
	// Equivariance, if positive, claims that predictions scale with the targets up to this
	// relative error.
	Equivariance float64
	// Robust claims that the default loss is robust: one outlier changes the model little.
	Robust bool
	// Repeats, if positive, claims that rows may have weights, and that whole weights are
	// equivalent to repeated rows up to this error, relative to the spread of the scores. It is
	// +Inf for learners that draw rows, because repeated rows give other draws.
	Repeats float64
	// SparseRounding bounds the difference of the fits to sparse and to the same dense rows,
	// relative to the spread of the predictions. Default: 1e-9. It is larger where rounding
	// decides which points or columns a model has.
	SparseRounding float64

	// Kernel sets a kernel in the options. For each of Kernels, a user-defined kernel with the
	// same methods must give the same predictions. Loss and Losses are the same for losses.
	Kernel  func(opts *O, k kernel.Kernel)
	Kernels []kernel.Kernel
	Loss    func(opts *O, l loss.Loss)
	Losses  []loss.Loss

	// LargeRows, if positive, is a number of rows that needs more than 1.5 seconds to fit. The fit
	// must report within one second and end within one second of cancellation. Only in long tests.
	LargeRows int

	second  time.Duration         // shorter than a second in tests of this package
	shared  func() (M, error)     // the fit that the checks share, or nil
	checked func() *checkedFit[M] // the checked fit that the checks share, or nil
}

// check is one check of a contract.
type check struct {
	name string
	run  func(testing.TB)
}

func runAll(t *testing.T, checks []check) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// CheckLearner runs the checks that every learner must pass. The learner predicts well without
// options, does not change its data or options, rejects bad input with the errors of package rkhs,
// accepts degenerate data and any scale, and stops on request with a usable model. The bits of the
// model do not depend on the number of workers, the type of the matrices, the batch or earlier fits.
// A loaded model equals the saved one. A user-defined kernel or loss gives the same model as the
// original.
//
// It counts goroutines and scanned rows, so no other test may run at the same time. With the race
// detector it only runs the checks of concurrency. Without RKHS_LONG it uses fewer kernels and losses,
// and no large fit.
func CheckLearner[O any, M Model](t *testing.T, l Learner[O, M]) {
	t.Helper()
	l = l.sharing()
	runAll(t, l.concurrency())
	if !raceDetector {
		runAll(t, l.results())
		t.Run("on sparse rows", func(t *testing.T) { runAll(t, l.sparseResults()) })
	}
}

func (l Learner[O, M]) checks() []check {
	l = l.sharing()
	return append(l.concurrency(), l.results()...)
}

func (l Learner[O, M]) concurrency() []check {
	return []check{
		{"recorder", l.recorder}, // first, because it watches the shared fit for leaks
		{"workers", l.workers},
		{"concurrent use", l.concurrent},
		{"cancelled during", l.cancelledDuring},
		{"recorder stops", l.recorderStops},
	}
}

func (l Learner[O, M]) results() []check {
	p := l.noCalibration().sharing()
	return append(l.degenerate(), []check{
		{"learns", l.learns},
		{"data and options", p.dataAndOptions},
		{"bad input", p.badInput},
		{"one row", l.oneRow},
		{"refit", p.refit},
		{"types of matrix", p.matrixTypes},
		{"batch and order", p.batches},
		{"predict to", p.predictTo},
		{"bad input of predict", p.badPredict},
		{"file", l.file},
		{"damaged file", l.damagedFile},
		{"limit", p.limit},
		{"cancelled before", p.cancelledBefore},
		{"scale of features", p.featureScale},
		{"scale of targets", p.targetScale},
		{"powers of two", l.powersOfTwo},
		{"user-defined kernels", p.userDefinedKernels},
		{"user-defined losses", p.userDefinedLosses},
		{"large", l.large},
		{"nil and zero", p.unfitted},
		{"nil context", p.nilContext},
		{"weights", p.weights},
		{"sparse rows", p.sparse},
		{"calibrated", l.calibrated},
		{"outlier", l.outlier},
		{"copies", l.copies},
		{"no tolerance", l.noTolerance},
		{"single rows", p.singleRows},
	}...)
}

// sparseResults returns the checks that may differ if all fits receive sparse rows. It omits the
// checks of targets, losses, options and cancellation.
func (l Learner[O, M]) sparseResults() []check {
	l = l.onSparseRows().sharing()
	p := l.noCalibration().sharing()
	degenerate := slices.DeleteFunc(p.degenerate(), func(c check) bool {
		return strings.HasPrefix(c.name, "constant target")
	})
	return append(degenerate, []check{
		{"learns", l.learns},
		{"calibrated", l.calibrated},
		{"data and options", p.dataAndOptions},
		{"bad input", p.badInput},
		{"one row", p.oneRow},
		{"refit", p.refit},
		{"batch and order", p.batches},
		{"predict to", p.predictTo},
		{"bad input of predict", p.badPredict},
		{"file", p.file},
		{"damaged file", p.damagedFile},
		{"scale of features", p.featureScale},
		{"powers of two", p.powersOfTwo},
		{"user-defined kernels", p.userDefinedKernels},
		{"weights", p.weights},
		{"single rows", p.singleRows},
	}...)
}

// noCalibration sets NoCalibration, if the options have this field. Fits are then several times
// faster. Probabilities and intervals have separate checks.
func (l Learner[O, M]) noCalibration() Learner[O, M] {
	options := l.options
	l.Options = func() *O {
		o := options()
		if f := reflect.ValueOf(o).Elem().FieldByName("NoCalibration"); f.IsValid() {
			f.SetBool(true)
		}
		return o
	}
	return l
}

// sharing gives all checks that only read a model the same fits.
func (l Learner[O, M]) sharing() Learner[O, M] {
	l.shared = sync.OnceValues(func() (M, error) {
		k := l.task()
		return l.Fit(context.Background(), k.x, k.y, l.options())
	})
	l.checked = sync.OnceValue(l.checkedFit)
	return l
}

func (l Learner[O, M]) options() *O {
	if l.Options == nil {
		return new(O)
	}
	return l.Options()
}

// set returns the options under test with the common options set.
func (l Learner[O, M]) set(seed uint64, workers int, r rkhs.Recorder) *O {
	opts := l.options()
	l.Common(opts, seed, workers, r)
	return opts
}

func (l Learner[O, M]) task() task { return newTask(trainRows, Inputs, l.Outputs, l.Labels) }

// fitted returns a task and the model fitted to it, which must not be changed.
func (l Learner[O, M]) fitted(t testing.TB) (task, M) {
	t.Helper()
	k := l.task()
	if l.shared == nil {
		return k, l.fit(t, k.x, k.y)
	}
	return k, must(l.shared())(t)
}

func (l Learner[O, M]) fit(t testing.TB, x, y mat.Matrix) M {
	t.Helper()
	return l.fitWith(t, x, y, l.options())
}

func (l Learner[O, M]) fitWith(t testing.TB, x, y mat.Matrix, opts *O) M {
	t.Helper()
	return must(l.Fit(context.Background(), x, y, opts))(t)
}

// fails reports whether a fit to finite rows failed. Only options under test may set a tolerance
// that the fit does not reach.
func (l Learner[O, M]) fails(err error) bool {
	return err != nil && (l.Options == nil || !errors.Is(err, rkhs.ErrNotConverged))
}

// predict returns predictions, which must be finite.
func predict(t testing.TB, m Model, x mat.Matrix) *mat.Dense {
	t.Helper()
	p := must(m.Predict(x))(t)
	for i, v := range p.RawMatrix().Data {
		if v-v != 0 {
			t.Fatalf("prediction %d is %v", i, v)
		}
	}
	return p
}

func marshal(t testing.TB, f File) []byte {
	t.Helper()
	return must(f.MarshalBinary())(t)
}

// must returns a function that returns v, or ends the test if there is an error.
func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		noError(t, err)
		return v
	}
}

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// expect reports an error unless ok, and require also ends the test.
func expect(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Errorf(format, args...)
	}
}

func require(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Fatalf(format, args...)
	}
}
