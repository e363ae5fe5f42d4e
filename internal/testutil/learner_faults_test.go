package testutil

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// record replaces a test and keeps the failures.
type record struct {
	testing.TB
	failures []string
}

func (r *record) Helper() {}

func (r *record) Error(args ...any) { r.failures = append(r.failures, fmt.Sprint(args...)) }

func (r *record) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }

func (r *record) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *record) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// failures runs a check and returns its failures. A panic is a failure.
func failures(run func(testing.TB)) []string {
	r, done := new(record), make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				r.Errorf("panic: %v", p)
			}
		}()
		run(r)
	}()
	<-done
	return r.failures
}

func find(t *testing.T, checks []check, name string) check {
	t.Helper()
	for _, c := range checks {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("there is no check %q", name)
	return check{}
}

// finding is a fault, the check that must find it, and a part of the message.
type finding struct {
	fault          fault
	check, message string
}

func (f finding) expect(t *testing.T, checks []check) {
	t.Run(string(f.fault), func(t *testing.T) {
		list := failures(find(t, checks, f.check).run)
		if !strings.Contains(strings.Join(list, "\n"), f.message) {
			t.Errorf("the check %q reports %q, without %q", f.check, list, f.message)
		}
	})
}

var learnerFindings = []finding{
	{"mean only", "learns", "a constant has"},
	{"nil options differ", "learns", "nil options"},
	{"writes to y", "data and options", "Fit wrote"},
	{"writes to x", "data and options", "Predict wrote"},
	{"writes defaults back", "data and options", "Fit wrote"},
	{"keeps x", "data and options", "the model changes with"},
	{"keeps options", "data and options", "the model changes with"},
	{"accepts NaN", "bad input", "error <nil>"},
	{"no row named", "bad input", "does not name"},
	{"no prefix", "bad input", "does not begin with"},
	{"model with the error", "bad input", "returns a model"},
	{"panics on nil", "bad input", "panic"},
	{"bare error for one row", "one row", "does not wrap an error of package rkhs"},
	{"inverts the Gram matrix", "duplicates", "test loss"},
	{"divides by the deviation", "constant target 0", "is NaN"},
	{"warm start", "refit", "fits before it"},
	{"stride ignored", "types of matrix", "strided: the model"},
	{"workers", "workers", "2 workers give other bits"},
	{"seed dropped", "workers", "seed 0, want 5"},
	{"centres the batch", "batch and order", "without the rest"},
	{"remembers the row before", "batch and order", "without the rest"},
	{"scratch", "concurrent use", "concurrent predictions differ"},
	{"adds to the destination", "predict to", "differs from Predict"},
	{"destination first", "bad input of predict", "changes its destination"},
	{"prediction with the error", "bad input of predict", "Predict returns the prediction &{"},
	{"mean lost", "file", "predicts other bits"},
	{"keeps the bytes", "file", "keeps the bytes of"},
	{"not registered", "file", "rkhs.Read"},
	{"no checksum", "damaged file", "flipped at"},
	{"half loaded", "damaged file", "a damaged file changed"},
	{"ignores limit", "limit", "error <nil>"},
	{"ignores context", "cancelled before", "error <nil>"},
	{"no model when stopped", "cancelled before", "no model"},
	{"own error when stopped", "cancelled during", "context canceled"},
	{"broken when stopped", "cancelled during", "is NaN"},
	{"cause lost", "cancelled before", "wraps \"cause\""},
	{"leaks", "cancelled before", "unexpected goroutines"},
	{"swallows the recorder", "recorder stops", "error <nil>"},
	{"records on", "recorder stops", "after it returned an error"},
	{"records at once", "recorder", "two goroutines"},
	{"records backwards", "recorder", "older than"},
	{"more than there is", "recorder", "more done than"},
	{"recorder changes the model", "recorder", "changes the model"},
	{"fixed bandwidth", "scale of features", "is NaN"},
	{"clips", "scale of targets", "relative error"},
	{"any range", "powers of two", "is NaN"},
	{"any context", "nil context", "panic"},
	{"scans twice", "types of matrix", "Fit scans"},
	{"scans again", "types of matrix", "Predict scans"},
	{"fooled by copies", "copies", "with a copy of every row"},
	{"not robust", "outlier", "default: with a target of 1e+06"},
	{"gives up", "no tolerance", "a target of huge range"},
	{"other values at sparse rows", "sparse rows", "predictions at sparse rows differ"},
	{"another fit to sparse rows", "sparse rows", "the fit to sparse rows differs"},
}

var weightFindings = []finding{
	{"ignores weights", "weights", "rows repeated"},
	{"scale of weights", "weights", "times 1000"},
	{"no pointers", "weights", "has weights"},
	{"any weight", "weights", "a negative weight"},
}

var userDefinedFindings = []finding{
	{"knows the Gaussian", "user-defined kernels", "a struct that embeds kernel.Gaussian"},
	{"looks into sums", "user-defined kernels", "a composition of structs that embed kernel.Sum"},
	{"knows the absolute loss", "user-defined losses", "a pointer to Absolute"},
}

var largeFindings = []finding{
	{"silent at first", "large", "no report within"},
	{"hard of hearing", "large", "after it was cancelled"},
	{"fast", "large", "too little time to be cancelled"},
}

func TestCheckLearnerPassesAGoodLearner(t *testing.T) {
	t.Run("regression", func(t *testing.T) { CheckLearner(t, toy{}.learner()) })
	t.Run("classifier", func(t *testing.T) { CheckLearner(t, toy{labels: []int{-3, 8}}.learner()) })
	t.Run("outputs", func(t *testing.T) {
		l := toy{}.learner()
		l.Outputs = 3
		l.Options = func() *toyOptions { return &toyOptions{Width: []float64{2}} }
		CheckLearner(t, l)
	})
	for _, labels := range [][]int{nil, {-3, 8}} {
		checks := toy{labels: labels}.userDefined().checks()
		find(t, checks, "user-defined kernels").run(t)
		find(t, checks, "user-defined losses").run(t)
	}
	for _, labels := range [][]int{nil, {-3, 8}} {
		CheckLearner(t, toy{labels: labels}.weighted())
	}
	all := toy{}.userDefined()
	all.Kernels = Kernels()
	all.userDefinedKernels(t)
	if LongTests() {
		find(t, toy{}.slow().checks(), "large").run(t)
	}
}

func TestCheckLearnerFindsFaults(t *testing.T) {
	release = make(chan struct{})
	defer close(release)
	for _, f := range learnerFindings {
		f.expect(t, toy{fault: f.fault}.learner().checks())
	}
	for _, f := range weightFindings {
		f.expect(t, toy{fault: f.fault}.weighted().checks())
	}
	for _, f := range userDefinedFindings {
		f.expect(t, toy{fault: f.fault}.userDefined().checks())
	}
	if LongTests() {
		for _, f := range largeFindings {
			f.expect(t, toy{fault: f.fault}.slow().checks())
		}
	}
	labels := toy{fault: "any label", labels: []int{-3, 8}}.learner().checks()
	finding{"any label", "bad input", "a fraction for a label"}.expect(t, labels)
}

// rash is a model without checks.
type rash struct{ toyModel }

func (r *rash) Predict(mat.Matrix) (*mat.Dense, error) { return mat.DenseCopyOf(r.x), nil }

func (r *rash) PredictTo(*mat.Dense, mat.Matrix) error { return nil }

func (*rash) Order() int { return 1 }

func (*rash) Scores(mat.Matrix) (*mat.Dense, error) {
	return new(mat.Dense), fmt.Errorf("toy: %w", rkhs.ErrUnfitted)
}

func (*rash) UnmarshalBinary(data []byte) error {
	_, _, err := codec.Unmarshal(data, "toy")
	if err != nil {
		return fmt.Errorf("toy: %w", err)
	}
	return nil
}

func (r *rash) Path(ctx context.Context) error { return ctx.Err() }

func TestUnfittedFindsFaults(t *testing.T) {
	k := newTask(trainRows, Inputs, 1, nil)
	m, err := toy{}.fit(context.Background(), k.x, k.y, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(append(failures(func(t testing.TB) { CheckUnfitted(t, "toy", &rash{*m}) }),
		failures(func(t testing.TB) { checkNilContext(t, "toy", &rash{*m}) })...), "\n")
	for _, message := range []string{
		"nil: Predict panics", "zero: Predict panics", "nil: PredictTo: error <nil>", "zero: PredictTo: error <nil>",
		"nil: Order: returns", "zero: Scores: returns", "nil: UnmarshalBinary of a good file: error <nil>", "Path panics",
	} {
		if !strings.Contains(found, message) {
			t.Errorf("found %s\nnothing of %q", found, message)
		}
	}
}
