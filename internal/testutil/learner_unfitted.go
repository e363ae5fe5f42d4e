package testutil

import (
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

// CheckUnfitted is the part of the batteries about nil and zero values, for what does not
// fit them: it calls all methods of a nil pointer and of a zero value of the type of
// fitted: those that return an error return rkhs.ErrUnfitted, the others zero. A nil
// pointer refuses a file of what was fitted.
func CheckUnfitted(t testing.TB, pkg string, fitted File) {
	t.Helper()
	typ := reflect.TypeOf(fitted)
	for _, v := range []struct {
		name string
		of   reflect.Value
	}{{"nil", reflect.Zero(typ)}, {"zero", reflect.New(typ.Elem())}} {
		for i := range typ.NumMethod() {
			name := fmt.Sprintf("%v, %s: %s", typ, v.name, typ.Method(i).Name)
			out, panicked := call(v.of.Method(i), context.Background())
			if panicked != nil {
				t.Errorf("%s panics: %v", name, panicked)
				continue
			}
			if s := wrongUnfitted(pkg, typ.Method(i).Name, out); s != "" {
				t.Errorf("%s: %s", name, s)
			}
		}
	}
	unmarshal := reflect.Zero(typ).Interface().(File).UnmarshalBinary
	if panics(func() {
		if err := unmarshal(marshal(t, fitted)); !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("%v, nil: UnmarshalBinary of a good file: error %v, want one that wraps %q", typ, err, rkhs.ErrFormat)
		}
	}) {
		t.Errorf("%v, nil: UnmarshalBinary of a good file panics", typ)
	}
}

// wrongUnfitted returns what is wrong with the results of a method of what was not
// fitted, or "".
func wrongUnfitted(pkg, method string, out []reflect.Value) string {
	if method == "String" {
		return ""
	}
	if n := len(out); n > 0 && out[n-1].Type() == reflect.TypeFor[error]() {
		want := rkhs.ErrUnfitted
		if method == "UnmarshalBinary" {
			want = rkhs.ErrFormat
		}
		err, _ := out[n-1].Interface().(error)
		if s := (refusal{err: want}).wrong(pkg, err); s != "" {
			return s
		}
		out = out[:n-1]
	}
	for _, v := range out {
		if !isZero(v) {
			return fmt.Sprintf("returns %v, want zero", v)
		}
	}
	return ""
}

// isZero also holds for lists that are empty.
func isZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		for i := range v.NumField() {
			if !isZero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

// call calls a method with the given context, with a matrix of two rows for each
// matrix, and else with zeros. It returns what the method panics with.
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

// pointedContext is a context that a nil pointer, too, is by its type.
type pointedContext struct{ context.Context }

func (l Learner[O, M]) nilContext(t testing.TB) {
	k := l.task()
	for _, none := range []context.Context{nil, (*pointedContext)(nil)} {
		m, err := l.Fit(none, k.x, k.y, l.options())
		if s := (refusal{err: rkhs.ErrOption}).wrong(l.Package, err); s != "" || !reflect.ValueOf(m).IsNil() {
			t.Errorf("Fit in the context %T: %s, model %v", none, s, m)
		}
	}
	checkNilContext(t, l.Package, l.fit(t, k.x, k.y))
}

func (l Stream[S, M]) nilContext(t testing.TB) {
	s := l.after(t, l.task(), 0)
	before := marshal(t, s)
	checkNilContext(t, l.Package, s)
	checkNilContext(t, l.Package, l.model(t, s))
	if string(marshal(t, s)) != string(before) {
		t.Error("a call with a nil context changed the learner")
	}
}

// checkNilContext calls the methods of v that take a context.
func checkNilContext(t testing.TB, pkg string, v File) {
	t.Helper()
	of := reflect.ValueOf(v)
	for i := range of.NumMethod() {
		name, typ := of.Type().Method(i).Name, of.Method(i).Type()
		if typ.NumIn() == 0 || typ.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		out, panicked := call(of.Method(i), nil)
		if panicked != nil {
			t.Errorf("%s panics: %v", name, panicked)
			continue
		}
		err, _ := out[len(out)-1].Interface().(error)
		if s := (refusal{err: rkhs.ErrOption}).wrong(pkg, err); s != "" {
			t.Errorf("%s: %s", name, s)
		}
	}
}
