package main

import (
	"flag"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// optionFlags makes a flag of every option of a learner that a text can give, by its name in the
// documentation.
func optionFlags(f *flag.FlagSet, of learner) {
	v := reflect.ValueOf(of.options).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		set := setter(v.FieldByIndex(field.Index))
		if set == nil || f.Lookup(field.Name) != nil {
			continue
		}
		f.Func(field.Name, fmt.Sprintf("%s (`%s`)", optionDocs[of.name+"."+field.Name], typeName(field.Type)), set)
	}
}

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "duration"
	case t.Kind() == reflect.Interface:
		return "Name:Field=value"
	case t.Implements(reflect.TypeFor[fmt.Stringer]()):
		return "name"
	}
	return t.Kind().String()
}

// setter returns what sets a field from a text, or nil.
func setter(v reflect.Value) func(string) error {
	switch t := v.Type(); {
	case t == reflect.TypeFor[kernel.Kernel]():
		return of(v, kernels)
	case t == reflect.TypeFor[loss.Loss]():
		return of(v, losses)
	case t == reflect.TypeFor[time.Duration]():
		return func(text string) error {
			d, err := time.ParseDuration(text)
			v.SetInt(int64(d))
			return err
		}
	case t.Implements(reflect.TypeFor[fmt.Stringer]()) && (v.CanInt() || v.CanUint()):
		return name(v)
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		return func(text string) error { return setBasic(v, text) }
	}
	return nil
}

func setBasic(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		v.SetBool(b)
		return err
	case reflect.Int, reflect.Int64:
		i, err := strconv.ParseInt(text, 10, 64)
		v.SetInt(i)
		return err
	case reflect.Uint64:
		u, err := strconv.ParseUint(text, 10, 64)
		v.SetUint(u)
		return err
	}
	x, err := strconv.ParseFloat(text, 64)
	v.SetFloat(x)
	return err
}

// mostNames bounds the values of a type that has names.
const mostNames = 32

// name sets a value by its name, or the end of it that no other has: Diagonal for
// DiagonalMetric.
func name(v reflect.Value) func(string) error {
	return func(text string) error {
		var names []string
		for i := range mostNames {
			c := reflect.New(v.Type()).Elem()
			if c.CanInt() {
				c.SetInt(int64(i))
			} else {
				c.SetUint(uint64(i))
			}
			n := c.Interface().(fmt.Stringer).String()
			if strings.ContainsAny(n, "(0123456789") || n == "" || n == "Unknown" {
				break
			}
			if strings.EqualFold(n, text) || strings.HasPrefix(strings.ToLower(n), strings.ToLower(text)) && text != "" {
				v.Set(c)
				return nil
			}
			names = append(names, n)
		}
		return fmt.Errorf("want one of %s", strings.Join(names, ", "))
	}
}

// kernels and losses are those that a text can give.
var (
	kernels = []any{kernel.Gaussian{}, kernel.Laplacian{}, kernel.Matern{}, kernel.RationalQuadratic{}, kernel.Cauchy{}, kernel.Polynomial{}, kernel.Linear{},
		kernel.ArcCosine{}, kernel.AdditiveChiSquared{}, kernel.Hellinger{}, kernel.Intersection{}, kernel.JensenShannon{}}
	losses = []any{loss.Squared{}, loss.Huber{}, loss.EpsilonInsensitive{}, loss.Absolute{}, loss.Pinball{}, loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{},
		loss.Softmax{}, loss.MulticlassHinge{}}
)

// of sets an interface to one of some structs: a name, and its fields after colons, as in
// Matern:Sigma=2:Nu=1.5.
func of(v reflect.Value, list []any) func(string) error {
	return func(text string) error {
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
				key, value, _ := strings.Cut(part, "=")
				field := c.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, key) })
				if !field.IsValid() {
					return fmt.Errorf("%s has no field %q", t.Name(), key)
				}
				set := setter(field)
				if set == nil {
					return fmt.Errorf("%s of %s cannot be given by a text", key, t.Name())
				}
				if err := set(value); err != nil {
					return fmt.Errorf("%s of %s: %w", key, t.Name(), err)
				}
			}
			v.Set(c)
			return nil
		}
		return fmt.Errorf("want one of %s, with its fields as in Name:Field=value", strings.Join(names, ", "))
	}
}
