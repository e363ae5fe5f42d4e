package main

import (
	"flag"
	"fmt"
	"reflect"
)

// optionFlags defines a flag for each number and switch among the options of a
// learner. The flag has the name of the field.
func optionFlags(f *flag.FlagSet, name string, options any) {
	v := reflect.ValueOf(options).Elem()
	for _, field := range reflect.VisibleFields(v.Type()) {
		if field.Anonymous || !field.IsExported() || f.Lookup(field.Name) != nil {
			continue
		}
		usage := fmt.Sprintf("Options.%s of %s", field.Name, name)
		switch p := v.FieldByIndex(field.Index).Addr().Interface().(type) {
		case *bool:
			f.BoolVar(p, field.Name, false, usage)
		case *int:
			f.IntVar(p, field.Name, 0, usage)
		case *int64:
			f.Int64Var(p, field.Name, 0, usage)
		case *uint64:
			f.Uint64Var(p, field.Name, 0, usage)
		case *float64:
			f.Float64Var(p, field.Name, 0, usage)
		}
	}
}
