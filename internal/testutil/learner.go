package testutil

import (
	"context"
	"encoding"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Inputs is the number of columns of the data on which learners are checked,
// some checks of one column apart.
const Inputs = 3

// File is what can be saved and loaded.
type File interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Model is what a learner fits, a pointer to its concrete type.
type Model interface {
	Predict(x mat.Matrix) (*mat.Dense, error)
	PredictTo(dst *mat.Dense, x mat.Matrix) error
	File
}

// Learner describes a learner with options O and models M to CheckLearner.
type Learner[O any, M Model] struct {
	// Package is the name with which the errors begin.
	Package string
	// Fit is the function under test.
	Fit func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error)
	// Empty returns a model to load a file into.
	Empty func() M
	// Options returns the options under test, fresh at each call. Default: zero
	// options, and then nil must do the same.
	Options func() *O
	// Common sets the options that every learner has.
	Common func(opts *O, seed uint64, workers int, r rkhs.Recorder)
	// Limit, if not nil, sets a limit of iterations at which the fit ends with
	// rkhs.ErrNotConverged.
	Limit func(opts *O)

	// Outputs is the number of columns of y. Default: 1.
	Outputs int
	// Labels makes y one column of these labels, which Predict returns.
	Labels []int
	// Equivariance, if positive, claims that targets multiplied by a constant
	// give predictions multiplied by it, up to this relative error.
	Equivariance float64

	// Robust claims that the loss of a regression by default is robust: one wild target changes little.
	Robust bool

	// Repeats, if positive, claims that rows may have weights, and that the fit to rows of whole
	// weights is that to rows repeated as often, up to this error relative to the spread of
	// the predictions, or of the scores of a classifier. It is +Inf where rows are drawn, so
	// that rows repeated are other rows.
	Repeats float64

	// SparseRounding, if not 0, is how far, relative to the spread of the predictions, the fit
	// to sparse rows may be from that to the same rows dense: where rounding decides which
	// points or columns a model has. Default: 1e-9.
	SparseRounding float64

	// Kernel sets a kernel in the options. If there are Kernels, the fits with each of
	// them and with its twins, other types of the same methods, must predict the same.
	Kernel  func(opts *O, k kernel.Kernel)
	Kernels []kernel.Kernel
	// Loss sets a loss in the options, and Losses are to it what Kernels are to Kernel.
	Loss   func(opts *O, l loss.Loss)
	Losses []loss.Loss

	// LargeRows, if positive, is a number of rows whose fit takes more than two
	// seconds: it must report within the first, and end within a second of being
	// cancelled. Not with -short.
	LargeRows int

	second time.Duration // less than a second where the battery itself is tested

	shared func() (M, error) // the fit that checks share which only read its model; if nil, each has its own
}

// check is one part of a battery.
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

// CheckLearner is the battery that every learner must pass: it learns without
// options, leaves data and options alone, refuses bad input by the errors of
// package rkhs, bears degenerate data and scales, and stops when told to with a
// usable model; the same seed gives the same bits whatever the number of
// workers, the kind of matrix, the batch or the fits before; and a saved model
// is the model; and a kernel or a loss of another type but of the same methods gives
// the same model. It must not run beside other tests: it looks for goroutines that are
// left behind, and counts the rows that are scanned. With the race detector and -short
// it runs what happens side by side and no more.
func CheckLearner[O any, M Model](t *testing.T, l Learner[O, M]) {
	t.Helper()
	runAll(t, l.sideBySide())
	if !raceDetector || !testing.Short() {
		runAll(t, l.results())
		t.Run("on sparse rows", func(t *testing.T) { runAll(t, l.sparseResults()) })
	}
}

// sparseResults are the results on sparse rows, but for what is the same check again: there all kinds of
// matrix are sparse rows, both sides of the comparison with dense rows are sparse, and labels and losses
// see no rows.
func (l Learner[O, M]) sparseResults() []check {
	return slices.DeleteFunc(l.onSparseRows().results(), func(c check) bool {
		return slices.Contains([]string{"kinds of matrix", "sparse rows", "labels", "twins of losses"}, c.name)
	})
}

func (l Learner[O, M]) checks() []check { return append(l.sideBySide(), l.results()...) }

// sideBySide are the checks of what several goroutines do.
func (l Learner[O, M]) sideBySide() []check {
	return []check{
		{"workers", l.workers},
		{"concurrent use", l.concurrent},
		{"cancelled during", l.cancelledDuring},
		{"recorder stops", l.recorderStops},
		{"recorder", l.recorder},
	}
}

func (l Learner[O, M]) results() []check {
	l, p := l.sharing(), l.uncalibrated().sharing()
	return []check{
		{"learns", l.learns},
		{"data and options untouched", p.untouched},
		{"nothing aliased", p.notAliased},
		{"not finite", p.notFinite},
		{"shape", p.shape},
		{"empty", p.empty},
		{"labels", p.badLabels},
		{"one row", l.oneRow},
		{"one column", p.oneColumn},
		{"constant column", l.constantColumn},
		{"duplicates", l.duplicates},
		{"equal rows", l.equalRows},
		{"constant target", l.constantTarget},
		{"more columns than rows", l.wide},
		{"refit forgets", p.refit},
		{"kinds of matrix", p.kinds},
		{"batch and order", p.batches},
		{"predict to", p.predictTo},
		{"predict refuses", p.predictRefuses},
		{"file", l.file},
		{"damaged file", l.damagedFile},
		{"limit", p.limit},
		{"cancelled before", p.cancelledBefore},
		{"scale of features", p.featureScale},
		{"scale of targets", p.targetScale},
		{"twins of kernels", p.kernelTwins},
		{"twins of losses", p.lossTwins},
		{"large", l.large},
		{"nil and zero", p.unfitted},
		{"nil context", p.nilContext},
		{"scanned once", p.scannedOnce},
		{"weights", p.weights},
		{"bad weights", p.badWeights},
		{"sparse rows", p.sparse},
		{"calibrated", l.calibrated},
		{"most probable label", l.mostProbable},
		{"outlier", l.outlier},
		{"powers of two", l.poweredScales},
		{"copies", l.copies},
		{"no tolerance", l.converges},
		{"single rows", p.singleRows},
	}
}

// uncalibrated is the battery with the option of that name set, if there is one: fits take several times
// less, and probabilities and intervals have checks of their own.
func (l Learner[O, M]) uncalibrated() Learner[O, M] {
	options := l.options
	l.Options = func() *O {
		o := options()
		if f := reflect.ValueOf(o).Elem().FieldByName("Uncalibrated"); f.IsValid() {
			f.SetBool(true)
		}
		return o
	}
	return l
}

// set returns the options under test with the common ones set.
func (l Learner[O, M]) set(seed uint64, workers int, r rkhs.Recorder) *O {
	opts := l.options()
	l.Common(opts, seed, workers, r)
	return opts
}

func (l Learner[O, M]) options() *O {
	if l.Options == nil {
		return new(O)
	}
	return l.Options()
}

func (l Learner[O, M]) task() task { return newTask(l.Outputs, l.Labels) }

// fitted returns a task and what was fitted to it.
func (l Learner[O, M]) fitted(t testing.TB) (task, M) {
	t.Helper()
	k := l.task()
	if l.shared == nil {
		return k, l.fit(t, k.x, k.y)
	}
	m, err := l.shared()
	if err != nil {
		t.Fatalf("Fit: %v", err)
	}
	return k, m
}

// sharing returns the learner with one fit for all checks that read its model: the same data, options and
// seed give the same bits, which other checks hold it to.
func (l Learner[O, M]) sharing() Learner[O, M] {
	l.shared = sync.OnceValues(func() (M, error) {
		k := l.task()
		return l.Fit(context.Background(), k.x, k.y, l.options())
	})
	return l
}

// fit fits what must fit.
func (l Learner[O, M]) fit(t testing.TB, x, y mat.Matrix) M {
	t.Helper()
	return l.fitWith(t, x, y, l.options())
}

func (l Learner[O, M]) fitWith(t testing.TB, x, y mat.Matrix, opts *O) M {
	t.Helper()
	m, err := l.Fit(context.Background(), x, y, opts)
	if err != nil {
		t.Fatalf("Fit: %v", err)
	}
	return m
}

// predict predicts what must have a prediction, and a finite one.
func predict(t testing.TB, m Model, x mat.Matrix) *mat.Dense {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatalf("Predict: %v", err)
	}
	for i, v := range p.RawMatrix().Data {
		if v-v != 0 {
			t.Fatalf("prediction %d is %v", i, v)
		}
	}
	return p
}

func marshal(t testing.TB, f File) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatalf("MarshalBinary: %v", err)
	}
	return data
}
