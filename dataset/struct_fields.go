package dataset

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs"
)

// field is a field of a struct with a column.
type field struct {
	name  string
	index []int
	of    valueType
	plain bool // the value needs no conversion
}

// fields are the columns of a struct.
type fields struct {
	list            []field
	kinds           map[string]Kind
	target, weights string
}

func fieldsOf(t reflect.Type) (*fields, error) {
	of := t
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || of == timeType {
		return nil, fmt.Errorf("rows of type %v, want a struct or a pointer to one: %w", t, rkhs.ErrFormat)
	}
	f := &fields{kinds: map[string]Kind{}}
	if err := f.collect(of, nil); err != nil {
		return nil, fmt.Errorf("%v: %w", of, err)
	}
	if len(f.list) == 0 {
		return nil, fmt.Errorf("%v has no exported field: %w", of, rkhs.ErrEmpty)
	}
	return f, nil
}

// maxEmbedded is the largest depth of embedded structs. It bounds recursive types.
const maxEmbedded = 8

// collect appends the fields of a struct at the given path.
func (f *fields) collect(t reflect.Type, path []int) error {
	for i := range t.NumField() {
		s := t.Field(i)
		name, properties, _ := strings.Cut(s.Tag.Get("rkhs"), ",")
		if name == "-" {
			continue
		}
		index := append(slices.Clone(path), i)
		if inner := s.Type; s.Anonymous && name == "" && !supported(inner) {
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && len(index) < maxEmbedded {
				if err := f.collect(inner, index); err != nil {
					return err
				}
				continue
			}
		}
		if !s.IsExported() {
			continue
		}
		if err := f.add(s, name, properties, index); err != nil {
			return err
		}
	}
	return nil
}

// add appends a field and reads its tag.
func (f *fields) add(s reflect.StructField, name, properties string, index []int) error {
	if name == "" {
		name = s.Name
	}
	switch {
	case !supported(s.Type):
		return fmt.Errorf("field %s is a %v, want a number, string, bool, time, driver.Valuer or encoding.TextMarshaler, or the tag `rkhs:\"-\"`: %w", s.Name, s.Type, rkhs.ErrFormat)
	case slices.ContainsFunc(f.list, func(o field) bool { return o.name == name }):
		return fmt.Errorf("two fields have the column %q: %w", name, rkhs.ErrOption)
	}
	of, plain := staticType(s.Type)
	f.list = append(f.list, field{name: name, index: index, of: of, plain: plain})
	if properties == "" {
		return nil
	}
	for property := range strings.SplitSeq(properties, ",") {
		if err := f.set(name, property); err != nil {
			return fmt.Errorf("field %s: %w", s.Name, err)
		}
	}
	return nil
}

// set sets a property of a column.
func (f *fields) set(name, property string) error {
	role := map[string]*string{"target": &f.target, "weights": &f.weights}[property]
	if role != nil && *role != "" {
		return fmt.Errorf("the tag %s is also in column %q: %w", property, *role, rkhs.ErrOption)
	}
	if role != nil {
		*role = name
		return nil
	}
	kind, err := ParseKind(property)
	if err != nil {
		return fmt.Errorf("the tag %q is neither target, weights nor a kind: %w", property, rkhs.ErrOption)
	}
	f.kinds[name] = kind
	return nil
}

// staticType returns the type of the cells of a supported field. plain reports whether its values
// need no conversion to that type.
func staticType(t reflect.Type) (of valueType, plain bool) {
	switch {
	case t == timeType:
		return timeValue, false
	case t.Implements(valuerType):
		return noValue, false
	case t.Kind() == reflect.Pointer:
		of, _ = staticType(t.Elem())
		return of, false
	case t.Implements(marshalerType), t.Kind() == reflect.String, t == bytesType:
		return textValue, t.Kind() == reflect.String && !t.Implements(marshalerType)
	case t.Kind() == reflect.Bool:
		return boolValue, true
	case t.Kind() == reflect.Float32, t.Kind() == reflect.Float64:
		return numberValue, true
	}
	return integerValue, true
}

func (f *fields) builders(size int) []*builder {
	columns := make([]*builder, len(f.list))
	for j, field := range f.list {
		columns[j] = &builder{name: field.name, missing: make([]bool, 0, min(size, 1<<16))}
		columns[j].allocate(field.of)
	}
	return columns
}

// appendTo appends the field of a struct to a column.
func (f *field) appendTo(b *builder, row reflect.Value) error {
	if len(f.index) == 1 {
		row = row.Field(f.index[0])
	} else if v, err := row.FieldByIndexErr(f.index); err != nil {
		b.addMissing() // an embedded pointer is nil
		return nil
	} else {
		row = v
	}
	if f.plain {
		return b.addKind(row)
	}
	return b.addReflected(row)
}
