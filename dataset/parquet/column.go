package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// column collects the values of a column.
type column interface {
	add(v parquet.Value) error
	addMissing()
	// take returns the values since the last call.
	take() *dataset.Column
}

// values collects values of one type. get returns ok = false for a missing value.
type values[T any] struct {
	name    string
	get     func(v parquet.Value) (value T, ok bool, err error)
	make    func(name string, values []T, missing []bool) *dataset.Column
	list    []T
	missing []bool
}

func (c *values[T]) add(v parquet.Value) error {
	x, ok, err := c.get(v)
	c.list, c.missing = append(c.list, x), append(c.missing, !ok)
	return err
}

func (c *values[T]) addMissing() {
	c.list, c.missing = append(c.list, *new(T)), append(c.missing, true)
}

func (c *values[T]) take() *dataset.Column {
	made := c.make(c.name, c.list, c.missing)
	c.list, c.missing = nil, nil
	return made
}

// always returns a get function for values that are never missing.
func always[T any](get func(v parquet.Value) T) func(parquet.Value) (T, bool, error) {
	return func(v parquet.Value) (T, bool, error) { return get(v), true, nil }
}

// columnOf returns an empty column for a field, or the reason why it is ignored.
func columnOf(field parquet.Field) (c column, ignored string) {
	name := field.Name()
	switch {
	case field.Repeated():
		return nil, "lists"
	case !field.Leaf():
		return nil, "nested values"
	}
	t := field.Type()
	if logical := t.LogicalType(); logical != nil {
		switch kind := logical.Value.(type) {
		case *format.DecimalType:
			return numbers(name, func(v parquet.Value) float64 { return decimal(v, int(kind.Scale)) }), ""
		case *format.DateType:
			return times(name, func(v parquet.Value) time.Time { return time.Unix(int64(v.Int32())*24*60*60, 0).UTC() }), ""
		case *format.TimestampType:
			return times(name, func(v parquet.Value) time.Time { return timestamp(v.Int64(), kind.Unit.Value) }), ""
		case *format.Float16Type:
			return numbers(name, func(v parquet.Value) float64 { return half(binary.LittleEndian.Uint16(v.ByteArray())) }), ""
		case *format.IntType:
			if !kind.IsSigned {
				return unsigned(name, t.Kind()), ""
			}
		case *format.UUIDType, *format.BsonType, *format.VariantType, *format.GeometryType, *format.GeographyType:
			return nil, fmt.Sprintf("values of type %v", t)
		}
	}
	return physical(name, t)
}

// physical returns an empty column of a physical type.
func physical(name string, t parquet.Type) (c column, ignored string) {
	switch t.Kind() {
	case parquet.Boolean:
		return &values[bool]{name: name, get: always(parquet.Value.Boolean), make: dataset.BoolColumn}, ""
	case parquet.Int32:
		return integers(name, func(v parquet.Value) int64 { return int64(v.Int32()) }), ""
	case parquet.Int64:
		return integers(name, parquet.Value.Int64), ""
	case parquet.Int96:
		return times(name, int96), ""
	case parquet.Float:
		return numbers(name, widen), ""
	case parquet.Double:
		return numbers(name, parquet.Value.Double), ""
	case parquet.ByteArray:
		return &values[string]{name: name, get: always(func(v parquet.Value) string { return string(v.ByteArray()) }), make: dataset.RawColumn}, ""
	}
	return nil, fmt.Sprintf("values of type %v", t)
}

func integers(name string, get func(v parquet.Value) int64) column {
	return &values[int64]{name: name, get: always(get), make: dataset.IntegerColumn}
}

func times(name string, get func(v parquet.Value) time.Time) column {
	return &values[time.Time]{name: name, get: always(get), make: dataset.TimeColumn}
}

// numbers returns an empty column of finite numbers. NaN is missing.
func numbers(name string, get func(v parquet.Value) float64) column {
	finite := func(v parquet.Value) (float64, bool, error) {
		x := get(v)
		if math.IsInf(x, 0) {
			return 0, false, fmt.Errorf("%v: %w", x, rkhs.ErrNotFinite)
		}
		return x, !math.IsNaN(x), nil
	}
	return &values[float64]{name: name, get: finite, make: dataset.NumberColumn}
}

func unsigned(name string, kind parquet.Kind) column {
	if kind == parquet.Int32 {
		return integers(name, func(v parquet.Value) int64 { return int64(v.Uint32()) })
	}
	return numbers(name, func(v parquet.Value) float64 { return float64(v.Uint64()) })
}

// widen returns the number with the shortest decimal of a float32, so that .1 remains .1.
func widen(v parquet.Value) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v.Float()), 'g', -1, 32), 64) // cannot fail
	return x
}

// half returns the number of a FLOAT16.
func half(bits uint16) float64 {
	sign := 1 - 2*float64(bits>>15)
	exponent, fraction := int(bits>>10&31), float64(bits&1023)/1024
	switch {
	case exponent == 0:
		return sign * math.Ldexp(fraction, -14)
	case exponent == 31 && fraction == 0:
		return sign * math.Inf(1)
	case exponent == 31:
		return math.NaN()
	}
	return sign * math.Ldexp(1+fraction, exponent-15)
}

// timestamp returns the time of a number of units since 1970.
func timestamp(n int64, unit format.TimeUnitValue) time.Time {
	switch unit.(type) {
	case *format.MicroSeconds:
		return time.UnixMicro(n).UTC()
	case *format.NanoSeconds:
		return time.Unix(0, n).UTC()
	}
	return time.UnixMilli(n).UTC()
}

// julianEpoch is the Julian day of 1970-01-01.
const julianEpoch = 2440588

// int96 returns the time of nanoseconds within a Julian day.
func int96(v parquet.Value) time.Time {
	x := v.Int96()
	nanoseconds := int64(uint64(x[1])<<32 | uint64(x[0]))
	return time.Unix((int64(x[2])-julianEpoch)*24*60*60, nanoseconds).UTC()
}

// decimal returns unscaled·10^−scale.
func decimal(v parquet.Value, scale int) float64 {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default: // big-endian two's complement
		bytes := v.ByteArray()
		n.SetBytes(bytes)
		if len(bytes) > 0 && bytes[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
		}
	}
	x, _ := strconv.ParseFloat(n.String()+"e"+strconv.Itoa(-scale), 64) // an infinity if out of range
	return x
}
