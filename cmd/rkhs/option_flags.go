package main

import (
	_ "embed"
	"flag"
	"fmt"
	"reflect"
	"strings"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// optionDocs has a line for each option, such as "ridge.Ridge: Ridge is lam". The texts are the
// first sentence and the default of the comment of the field; "go test -run OptionDocs -rewrite"
// generates the file.
//
//go:embed option_docs.txt
var optionDocs string

func optionDoc(learner, option string) string {
	_, after, _ := strings.Cut("\n"+optionDocs, "\n"+learner+"."+option+": ")
	line, _, _ := strings.Cut(after, "\n")
	return line
}

// addOptions adds a flag for each option of a learner that can be written as text. The name of the
// flag is the name of the field.
func addOptions(f *flag.FlagSet, l learner) {
	v := reflect.ValueOf(l.options).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		set := setter(v.FieldByIndex(field.Index))
		if set == nil || f.Lookup(field.Name) != nil {
			continue
		}
		f.Func(field.Name, fmt.Sprintf("%s (`%s`)", optionDoc(l.name, field.Name), typeName(field.Type)), set)
	}
}

func typeName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Interface:
		return "Name:Field=value"
	case t.Implements(reflect.TypeFor[fmt.Stringer]()):
		return "name"
	}
	return t.Kind().String()
}

// setter returns a function that sets v from a text, or nil.
func setter(v reflect.Value) func(string) error {
	switch t := v.Type(); {
	case t == reflect.TypeFor[kernel.Kernel]():
		return func(text string) error { return setStruct(v, kernels, text) }
	case t == reflect.TypeFor[loss.Loss]():
		return func(text string) error { return setStruct(v, losses, text) }
	case t.Implements(reflect.TypeFor[fmt.Stringer]()) && (v.CanInt() || v.CanUint()):
		return func(text string) error { return setName(v, text) }
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		return func(text string) error {
			if _, err := fmt.Sscanln(text, v.Addr().Interface()); err != nil {
				return fmt.Errorf("want a %v", v.Kind())
			}
			return nil
		}
	}
	return nil
}

// mostNames bounds the search for the last value of an enumeration.
const mostNames = 32

// setName sets a value of an enumeration by a prefix of its name: Diagonal for DiagonalMetric.
func setName(v reflect.Value, text string) error {
	var names []string
	for i := range mostNames {
		c := reflect.New(v.Type()).Elem()
		if c.CanInt() {
			c.SetInt(int64(i))
		} else {
			c.SetUint(uint64(i))
		}
		name := c.Interface().(fmt.Stringer).String()
		if strings.ContainsAny(name, "(0123456789") || name == "" || name == "Unknown" {
			break
		}
		if text != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(text)) {
			v.Set(c)
			return nil
		}
		names = append(names, name)
	}
	return fmt.Errorf("want one of %s", strings.Join(names, ", "))
}

// kernels and losses can be written as text.
var (
	kernels = []any{kernel.Gaussian{}, kernel.Laplacian{}, kernel.Matern{}, kernel.RationalQuadratic{}, kernel.Cauchy{},
		kernel.Polynomial{}, kernel.Linear{}, kernel.ArcCosine{}, kernel.AdditiveChiSquared{}, kernel.Hellinger{},
		kernel.Intersection{}, kernel.JensenShannon{}}
	losses = []any{loss.Squared{}, loss.Huber{}, loss.EpsilonInsensitive{}, loss.Absolute{}, loss.Pinball{}, loss.Hinge{},
		loss.SquaredHinge{}, loss.Logistic{}, loss.Softmax{}, loss.MulticlassHinge{}}
)

// setStruct sets an interface to one of the structs in list. The text is the name of its type and
// its fields, such as Matern:Length=2:Nu=1.5.
func setStruct(v reflect.Value, list []any, text string) error {
	parts := strings.Split(text, ":")
	var names []string
	for _, one := range list {
		t := reflect.TypeOf(one)
		names = append(names, t.Name())
		if !strings.EqualFold(t.Name(), parts[0]) {
			continue
		}
		c := reflect.New(t).Elem()
		for _, part := range parts[1:] {
			if err := setField(c, part); err != nil {
				return err
			}
		}
		v.Set(c)
		return nil
	}
	return fmt.Errorf("want one of %s, with fields as in Name:Field=value", strings.Join(names, ", "))
}

// setField sets a field of a struct from a text such as Nu=1.5.
func setField(v reflect.Value, text string) error {
	key, value, _ := strings.Cut(text, "=")
	field := v.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, key) })
	if !field.IsValid() {
		return fmt.Errorf("%s has no field %q", v.Type().Name(), key)
	}
	set := setter(field)
	if set == nil {
		return fmt.Errorf("field %s of %s has no text form", key, v.Type().Name())
	}
	if err := set(value); err != nil {
		return fmt.Errorf("%s of %s: %w", key, v.Type().Name(), err)
	}
	return nil
}
