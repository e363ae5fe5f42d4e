package testutil

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

func (l Learner[O, M]) unfitted(t testing.TB) {
	_, m := l.fitted(t)
	CheckUnfitted(t, l.Package, m)
}

func (l Stream[S, M]) unfitted(t testing.TB) {
	s := l.after(t, l.task(), 0)
	CheckUnfitted(t, l.Package, s)
	CheckUnfitted(t, l.Package, l.model(t, s))
}

// CheckUnfitted calls all methods of a nil pointer and of a zero value of the type of fitted. Each
// must return rkhs.ErrUnfitted, or zero if it has no error. A nil pointer must reject the file of
// fitted. CheckLearner and CheckStream include this check.
func CheckUnfitted(t testing.TB, pkg string, fitted File) {
	t.Helper()
	typ := reflect.TypeOf(fitted)
	null := reflect.Zero(typ)
	for name, v := range map[string]reflect.Value{"nil": null, "zero": reflect.New(typ.Elem())} {
		for i := range typ.NumMethod() {
			method := typ.Method(i).Name
			out, panicked := call(v.Method(i), context.Background())
			if panicked != nil {
				t.Errorf("%v, %s: %s panics: %v", typ, name, method, panicked)
			} else if s := wrongUnfitted(pkg, method, out); s != "" {
				t.Errorf("%v, %s: %s: %s", typ, name, method, s)
			}
		}
	}
	file := marshal(t, fitted)
	if panics(func() {
		err := null.Interface().(File).UnmarshalBinary(file)
		expect(t, errors.Is(err, rkhs.ErrFormat), "nil: UnmarshalBinary of a good file: error %v", err)
	}) {
		t.Error("nil: UnmarshalBinary of a good file panics")
	}
}

// wrongUnfitted returns how the results of a method differ from the results of an unfitted model,
// or "".
func wrongUnfitted(pkg, method string, out []reflect.Value) string {
	if method == "String" {
		return ""
	}
	if last := len(out) - 1; last >= 0 && out[last].Type() == reflect.TypeFor[error]() {
		want := rkhs.ErrUnfitted
		if method == "UnmarshalBinary" {
			want = rkhs.ErrFormat
		}
		if s := wrongError(pkg, errorOf(out), want); s != "" {
			return s
		}
		out = out[:last]
	}
	for _, v := range out {
		if dump(v.Interface()) != dump(reflect.Zero(v.Type()).Interface()) { // an empty list is zero
			return fmt.Sprintf("returns %v, want zero", v)
		}
	}
	return ""
}

// errorOf returns the last result of a method.
func errorOf(out []reflect.Value) error {
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// call calls a method with the context, with a small matrix for each matrix, and with zeros for
// other arguments. It returns the value of a panic.
func call(method reflect.Value, ctx context.Context) (out []reflect.Value, panicked any) {
	defer func() { panicked = recover() }()
	var in []reflect.Value
	for i := range method.Type().NumIn() {
		arg := reflect.New(method.Type().In(i)).Elem()
		switch p := arg.Addr().Interface().(type) {
		case *context.Context:
			*p = ctx
		case *mat.Matrix:
			*p = mat.NewDense(2, Inputs, nil)
		case **mat.Dense:
			*p = new(mat.Dense)
		}
		in = append(in, arg)
	}
	if method.Type().IsVariadic() {
		in = in[:len(in)-1]
	}
	return method.Call(in), nil
}

// pointedContext is a context that is not nil if its pointer is.
type pointedContext struct{ context.Context }

func (l Learner[O, M]) nilContext(t testing.TB) {
	k, fitted := l.fitted(t)
	for _, null := range []context.Context{nil, (*pointedContext)(nil)} {
		m, err := l.Fit(null, k.x, k.y, l.options())
		if s := wrongError(l.Package, err, rkhs.ErrOption); s != "" || !reflect.ValueOf(m).IsNil() {
			t.Errorf("Fit in the context %T: %s, model %v", null, s, m)
		}
	}
	checkNilContext(t, l.Package, fitted)
}

func (l Stream[S, M]) nilContext(t testing.TB) {
	s := l.after(t, l.task(), 0)
	before := marshal(t, s)
	checkNilContext(t, l.Package, s)
	checkNilContext(t, l.Package, l.model(t, s))
	expect(t, bytes.Equal(marshal(t, s), before), "a call with a nil context changed the learner")
}

// checkNilContext calls all methods of v that have a context.
func checkNilContext(t testing.TB, pkg string, v File) {
	of := reflect.ValueOf(v)
	for i := range of.NumMethod() {
		name, typ := of.Type().Method(i).Name, of.Method(i).Type()
		if typ.NumIn() == 0 || typ.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		out, panicked := call(of.Method(i), nil)
		if panicked != nil {
			t.Errorf("%s panics: %v", name, panicked)
		} else if s := wrongError(pkg, errorOf(out), rkhs.ErrOption); s != "" {
			t.Errorf("%s: %s", name, s)
		}
	}
}
