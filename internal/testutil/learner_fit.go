package testutil

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// learns checks the test loss, and that nil options give the same model as zero options.
func (l Learner[O, M]) learns(t testing.TB) {
	k, m := l.fitted(t)
	k.beatsConstant(t, m)
	if l.Options != nil {
		return
	}
	other := predict(t, l.fitWith(t, k.x, k.y, nil), k.testX)
	expect(t, identical(other, predict(t, m, k.testX)), "nil options give another model than zero options")
}

// dataAndOptions checks that Fit and Predict do not change their arguments, and that the model does
// not change if these and a prediction are overwritten.
func (l Learner[O, M]) dataAndOptions(t testing.TB) {
	k := l.task()
	opts := l.set(3, 2, nil)
	before := dump(k, opts)
	m := l.fitWith(t, k.x, k.y, opts)
	expect(t, dump(k, opts) == before, "Fit wrote to its data or options")
	p, file := predict(t, m, k.testX), marshal(t, m)
	expect(t, dump(k, opts) == before, "Predict wrote to its data")
	want := mat.DenseCopyOf(p)
	overwrite(k.x, k.y, p)
	overwriteOptions(opts)
	same := identical(predict(t, m, k.testX), want) && bytes.Equal(marshal(t, m), file)
	expect(t, same, "the model changes with the data, the options or the prediction")
}

// refit fits another task between two fits of the same task.
func (l Learner[O, M]) refit(t testing.TB) {
	other := newTask(trainRows, 1, l.Outputs, l.Labels)
	k, first := l.fitted(t)
	before := predict(t, first, k.testX)
	l.fit(t, other.x, other.y)
	expect(t, identical(predict(t, first, k.testX), before), "a later fit changed the model")
	again := l.fit(t, k.x, k.y)
	expect(t, bytes.Equal(marshal(t, again), marshal(t, first)), "a fit depends on the fits before it")
}

// matrixTypes checks that fits and predictions have the same bits for all types of matrices, and that
// they scan each row once.
func (l Learner[O, M]) matrixTypes(t testing.TB) {
	for _, d := range []int{Inputs, 1} {
		k := newTask(trainRows, d, l.Outputs, l.Labels)
		var file []byte
		var want *mat.Dense
		for i, typ := range matrixTypes {
			if m := l.scanOnce(t, typ.name, typ.of(k.x), typ.of(k.y), typ.of(k.testX)); i == 0 {
				file, want = marshal(t, m), predict(t, m, k.testX)
			} else {
				expect(t, bytes.Equal(marshal(t, m), file), "%s: the model has other bits", typ.name)
				expect(t, identical(predict(t, m, typ.of(k.testX)), want), "%s: the prediction has other bits", typ.name)
			}
		}
	}
}

// scanOnce fits and predicts, and checks that Fit, Predict and PredictTo scan each row once.
func (l Learner[O, M]) scanOnce(t testing.TB, name string, x, y, test mat.Matrix) (m M) {
	CheckScans(t, name+", Fit", 2*trainRows, func() { m = l.fit(t, x, y) })
	CheckScans(t, name+", Predict", testRows, func() { must(m.Predict(test))(t) })
	CheckScans(t, name+", PredictTo", testRows, func() { noError(t, m.PredictTo(new(mat.Dense), test)) })
	return m
}

func (l Learner[O, M]) workers(t testing.TB) {
	k := l.task()
	one := l.fitWith(t, k.x, k.y, l.set(5, 1, nil))
	want, file := predict(t, one, k.testX), marshal(t, one)
	for _, workers := range []int{2, 8} {
		m := l.fitWith(t, k.x, k.y, l.set(5, workers, nil))
		same := bytes.Equal(marshal(t, m), file) && identical(predict(t, m, k.testX), want)
		expect(t, same, "%d workers give other bits than one", workers)
	}
	if s, ok := any(one).(interface{ Seed() uint64 }); ok {
		expect(t, s.Seed() == 5, "the model has seed %d, want 5", s.Seed())
	}
}

// CheckScans checks that do scans exactly want rows for numbers that are not finite.
func CheckScans(t testing.TB, name string, want int, do func()) {
	t.Helper()
	before := input.Scanned()
	do()
	got := input.Scanned() - before
	expect(t, got == int64(want), "%s scans %d rows for numbers that are not finite, want %d", name, got, want)
}

// userDefinedKernels compares fits with kernels and with user-defined kernels of the same values. The
// inputs are nonnegative if the kernel needs this. Without RKHS_LONG it checks one kernel in four.
func (l Learner[O, M]) userDefinedKernels(t testing.TB) {
	for i, v := range l.Kernels {
		if !LongTests() && len(l.Kernels) > 8 && i%4 != 0 {
			continue
		}
		k := l.task()
		if errors.Is(kernel.Check(v, k.x), rkhs.ErrDomain) {
			for _, x := range []*mat.Dense{k.x, k.testX} {
				x.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, x)
			}
		}
		want := l.predictions(t, k, func(o *O) { l.Kernel(o, v) })
		for _, other := range userDefinedKernels(v) {
			got := l.predictions(t, k, func(o *O) { l.Kernel(o, other.v) })
			expect(t, identical(got, want), "%s %v has other predictions", other.name, v)
		}
	}
}

// userDefinedLosses does the same for losses. Without RKHS_LONG it checks one loss in three.
func (l Learner[O, M]) userDefinedLosses(t testing.TB) {
	k := l.task()
	for i, v := range l.Losses {
		if !LongTests() && i%3 != 0 {
			continue
		}
		want := l.predictions(t, k, func(o *O) { l.Loss(o, v) })
		for _, other := range userDefinedLosses(v) {
			got := l.predictions(t, k, func(o *O) { l.Loss(o, other.v) })
			expect(t, identical(got, want), "%s %v has other predictions", other.name, v)
		}
	}
}

// predictions fits with changed options, converged or not.
func (l Learner[O, M]) predictions(t testing.TB, k task, set func(*O)) *mat.Dense {
	t.Helper()
	opts := l.set(5, 2, nil)
	set(opts)
	m, err := l.Fit(context.Background(), k.x, k.y, opts)
	require(t, err == nil || errors.Is(err, rkhs.ErrNotConverged), "%v", err)
	return predict(t, m, k.testX)
}

// dump prints all data reachable from values. Equal texts mean that no data was changed.
func dump(values ...any) string {
	var b strings.Builder
	for _, v := range values {
		dumpTo(&b, reflect.ValueOf(v))
	}
	return b.String()
}

func dumpTo(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil ")
	case reflect.Pointer, reflect.Interface:
		fmt.Fprint(b, v.Type(), " ")
		dumpTo(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			dumpTo(b, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprint(b, v.Len(), ": ")
		for i := range v.Len() {
			dumpTo(b, v.Index(i))
		}
	default: // numbers, text and functions
		fmt.Fprintf(b, "%v ", v)
	}
}

// overwriteOptions clears the options, and overwrites their lists and matrices.
func overwriteOptions(opts any) {
	v := reflect.ValueOf(opts).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanInterface() {
			continue
		}
		if m, ok := f.Interface().(*mat.Dense); ok && m != nil {
			overwrite(m)
		}
		if f.Kind() == reflect.Slice {
			for j := range f.Len() {
				f.Index(j).SetZero()
			}
		}
	}
	v.SetZero()
}

func overwrite(matrices ...*mat.Dense) {
	for _, m := range matrices {
		m.Apply(func(_, _ int, v float64) float64 { return 1 - 3*v }, m)
	}
}
