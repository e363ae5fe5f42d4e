package arrow

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// tableOf returns the table of a record batch.
func tableOf(record arrow.RecordBatch) (*dataset.Table, error) {
	var columns []*dataset.Column
	var ignored []dataset.Note
	for j, values := range record.Columns() {
		name := record.ColumnName(j)
		c, err := columnOf(name, values)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
		if c == nil {
			reason := fmt.Sprintf("values of type %v", values.DataType())
			ignored = append(ignored, dataset.Note{Column: name, Cells: values.Len(), Ignored: reason})
			continue
		}
		columns = append(columns, c)
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("no column of numbers, texts or times: %w", rkhs.ErrEmpty)
	}
	t, err := dataset.TableOf(columns...)
	if err != nil {
		return nil, err
	}
	return t.WithIgnored(ignored...), nil
}

// columnOf returns the column of an array, or nil for an array of another type.
func columnOf(name string, a arrow.Array) (*dataset.Column, error) {
	if number := numberOf(a); number != nil {
		values := collect(a, number)
		for i, v := range values {
			if math.IsInf(v, 0) {
				return nil, fmt.Errorf("row %d: %v: %w", i, v, rkhs.ErrNotFinite)
			}
		}
		return dataset.NumberColumn(name, values, missing(a)), nil
	}
	if integer := integerOf(a); integer != nil {
		return dataset.IntegerColumn(name, collect(a, integer), missing(a)), nil
	}
	if at := timeOf(a); at != nil {
		return dataset.TimeColumn(name, collect(a, at), missing(a)), nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return dataset.BoolColumn(name, collect(a, a.Value), missing(a)), nil
	case *array.Null:
		return dataset.RawColumn(name, make([]string, a.Len()), nil), nil
	case *array.Dictionary:
		return dictionary(name, a)
	case array.ExtensionArray:
		return columnOf(name, a.Storage())
	case interface{ Value(int) string }: // strings with offsets or views
		return dataset.RawColumn(name, collect(a.(arrow.Array), a.Value), missing(a.(arrow.Array))), nil
	}
	return nil, nil
}

// collect returns the values of an array, and the zero value for null.
func collect[T any](a arrow.Array, value func(int) T) []T {
	list := make([]T, a.Len())
	for i := range list {
		if a.IsValid(i) {
			list[i] = value(i)
		}
	}
	return list
}

// missing returns the flags of null values, or nil without null values.
func missing(a arrow.Array) []bool {
	if a.NullN() == 0 {
		return nil
	}
	flags := make([]bool, a.Len())
	for i := range flags {
		flags[i] = a.IsNull(i)
	}
	return flags
}

// numberOf returns the value function of an array of floating-point numbers or decimals, or nil.
func numberOf(a arrow.Array) func(int) float64 {
	switch a := a.(type) {
	case *array.Float64:
		return a.Value
	case *array.Float32:
		return func(i int) float64 { return widen(a.Value(i)) }
	case *array.Float16:
		return func(i int) float64 { return float64(a.Value(i).Float32()) }
	case *array.Uint64:
		return func(i int) float64 { return float64(a.Value(i)) }
	case *array.Decimal128, *array.Decimal256, *array.Decimal32, *array.Decimal64:
		return func(i int) float64 {
			v, err := strconv.ParseFloat(a.ValueStr(i), 64)
			if err != nil {
				panic(err) // a damaged file
			}
			return v
		}
	}
	return nil
}

// widen returns the number with the shortest decimal of v, so that .1 remains .1.
func widen(v float32) float64 {
	if w := float64(v); w-w != 0 {
		return w
	}
	w, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	return w
}

// integerOf returns the value function of an array of whole numbers, or nil.
func integerOf(a arrow.Array) func(int) int64 {
	switch a := a.(type) {
	case *array.Int8:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Int16:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Int32:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Int64:
		return a.Value
	case *array.Uint8:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Uint16:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Uint32:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Duration:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Time32:
		return func(i int) int64 { return int64(a.Value(i)) }
	case *array.Time64:
		return func(i int) int64 { return int64(a.Value(i)) }
	}
	return nil
}

// timeOf returns the value function of an array of days or timestamps, or nil.
func timeOf(a arrow.Array) func(int) time.Time {
	switch a := a.(type) {
	case *array.Date32:
		return func(i int) time.Time { return a.Value(i).ToTime() }
	case *array.Date64:
		return func(i int) time.Time { return a.Value(i).ToTime() }
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return func(i int) time.Time { return a.Value(i).ToTime(unit) }
	}
	return nil
}

// dictionary returns the column of values with indices.
func dictionary(name string, a *array.Dictionary) (*dataset.Column, error) {
	texts, ok := a.Dictionary().(interface{ Value(int) string })
	if !ok {
		return nil, nil
	}
	flags := make([]bool, a.Len())
	values := collect(a, func(i int) string {
		at := a.GetValueIndex(i)
		if a.Dictionary().IsNull(at) {
			flags[i] = true
			return ""
		}
		return texts.Value(at)
	})
	for i := range flags {
		flags[i] = flags[i] || a.IsNull(i)
	}
	return dataset.RawColumn(name, values, flags), nil
}
