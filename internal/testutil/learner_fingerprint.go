package testutil

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// fingerprint renders all that is reachable from v, numbers by their bits, so
// that equal texts mean that nothing was written.
func fingerprint(v any) string {
	var b strings.Builder
	printer{&b, map[uintptr]bool{}}.value(reflect.ValueOf(v))
	return b.String()
}

type printer struct {
	out  *strings.Builder
	seen map[uintptr]bool
}

func (p printer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		p.out.WriteString("nil")
	case reflect.Float64:
		fmt.Fprintf(p.out, "%016x ", math.Float64bits(v.Float()))
	case reflect.Pointer, reflect.Interface:
		p.reference(v)
	case reflect.Struct:
		for i := range v.NumField() {
			fmt.Fprintf(p.out, "%s:", v.Type().Field(i).Name)
			p.value(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(p.out, "[%d:", v.Len())
		for i := range v.Len() {
			p.value(v.Index(i))
		}
		p.out.WriteString("]")
	default: // numbers, text and functions
		fmt.Fprintf(p.out, "%v ", v)
	}
}

func (p printer) reference(v reflect.Value) {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		if p.seen[v.Pointer()] {
			return
		}
		p.seen[v.Pointer()] = true
	}
	fmt.Fprintf(p.out, "%v(", v.Type())
	p.value(v.Elem())
	p.out.WriteString(")")
}

// wreck overwrites the options that opts points to, their lists and matrices.
func wreck(opts any) {
	v := reflect.ValueOf(opts).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanInterface() {
			continue
		}
		if m, ok := f.Interface().(*mat.Dense); ok && m != nil {
			wreckMatrix(m)
		}
		if f.Kind() == reflect.Slice {
			for j := range f.Len() {
				f.Index(j).SetZero()
			}
		}
	}
	v.SetZero()
}

func wreckMatrix(m *mat.Dense) {
	m.Apply(func(_, _ int, v float64) float64 { return 1 - 3*v }, m)
}
