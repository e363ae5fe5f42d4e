package dataset

import (
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/rkhs-go/rkhs"
)

// add adds a value of Go. Nil and nil pointers are missing cells. It accepts numbers, texts,
// bools, times, and a driver.Valuer or encoding.TextMarshaler of one. Another type is
// rkhs.ErrFormat.
func (b *builder) add(value any) error {
	switch v := value.(type) {
	case nil:
		b.addMissing()
	case string:
		b.addText(v)
	case float64:
		return b.addNumber(v)
	case int64:
		b.addInteger(v)
	case bool:
		b.addBool(v)
	case time.Time:
		b.addTime(v)
	case []byte:
		if v == nil {
			b.addMissing()
		} else {
			b.addText(string(v))
		}
	case json.Number:
		return b.addDecimal(v.String())
	default:
		return b.addReflected(reflect.ValueOf(value))
	}
	return nil
}

var (
	valuerType    = reflect.TypeFor[driver.Valuer]()
	marshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	timeType      = reflect.TypeFor[time.Time]()
	bytesType     = reflect.TypeFor[[]byte]()
)

// supported reports whether add accepts the values of a type.
func supported(t reflect.Type) bool {
	if t == timeType || t == bytesType || t.Implements(valuerType) || t.Implements(marshalerType) {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer:
		return t.Elem().Kind() != reflect.Pointer && supported(t.Elem())
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64:
		return true
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

// addReflected adds a value of a named type, a pointer, or one of the shorter numbers.
func (b *builder) addReflected(v reflect.Value) error {
	t := v.Type()
	if v.Kind() == reflect.Pointer && v.IsNil() {
		b.addMissing()
		return nil
	}
	switch {
	case t == timeType:
		b.addTime(v.Interface().(time.Time))
		return nil
	case t.Implements(valuerType):
		return b.addValuer(v.Interface().(driver.Valuer))
	case v.Kind() == reflect.Pointer:
		return b.addReflected(v.Elem())
	case t.Implements(marshalerType):
		text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return fmt.Errorf("column %q: %w: %w", b.name, err, rkhs.ErrFormat)
		}
		b.addText(string(text))
		return nil
	}
	return b.addKind(v)
}

func (b *builder) addKind(v reflect.Value) error {
	switch k := v.Kind(); {
	case k == reflect.String:
		b.addText(v.String())
	case k == reflect.Bool:
		b.addBool(v.Bool())
	case k == reflect.Float32:
		return b.addDecimal(strconv.FormatFloat(v.Float(), 'g', -1, 32))
	case v.CanFloat():
		return b.addNumber(v.Float())
	case v.CanInt():
		b.addInteger(v.Int())
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		b.addInteger(int64(v.Uint()))
	case v.CanUint():
		return b.addNumber(float64(v.Uint()))
	case v.Type() == bytesType:
		b.addText(string(v.Bytes()))
	default:
		return b.unsupported(v.Type())
	}
	return nil
}

func (b *builder) unsupported(t reflect.Type) error {
	return fmt.Errorf("column %q: a %v is not a number, text, bool or time: %w", b.name, t, rkhs.ErrFormat)
}

// addValuer adds the value of a type of package database/sql or of a driver.
func (b *builder) addValuer(v driver.Valuer) error {
	value, err := v.Value()
	if err != nil {
		return fmt.Errorf("column %q: %w: %w", b.name, err, rkhs.ErrFormat)
	}
	if !driver.IsValue(value) {
		return b.unsupported(reflect.TypeOf(v))
	}
	return b.add(value)
}

// addDecimal adds the number of a text, as an integer if possible. A text without a number is
// rkhs.ErrFormat.
func (b *builder) addDecimal(text string) error {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		b.addInteger(v)
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return fmt.Errorf("column %q: %q is not a number: %w", b.name, clip([]byte(text)), rkhs.ErrFormat)
	}
	return b.addNumber(v)
}
