package dataset

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/rkhs-go/rkhs"
)

// FromStructs returns a table with a column for each exported field of T, a struct or a pointer to
// one. Fields are numbers, strings, bools, times, driver.Valuers such as sql.NullFloat64 or
// encoding.TextMarshalers. Nil pointers, invalid sql.Null values, NaN and empty strings are missing
// cells. The fields of embedded structs are fields of T. The tag of a field renames the column and
// adds properties, separated by commas:
//
//	Price float64   `rkhs:"price,target"`  // the column to predict (Table.Target)
//	Count float64   `rkhs:",weights"`      // the weights of the rows (Table.Weights)
//	Zip   int       `rkhs:",category"`     // a kind: number, category, text, date or identifier
//	Notes []string  `rkhs:"-"`             // no column
//
// Errors are rkhs.ErrFormat for another type of field, rkhs.ErrOption for an invalid tag,
// rkhs.ErrEmpty for a nil row or no rows, and rkhs.ErrNotFinite for an infinity. O(rows·fields).
func FromStructs[T any](rows []T) (*Table, error) {
	return whole(tableOfStructs(slices.Values(rows), len(rows), 0))
}

// StructBatches returns the rows of a sequence in tables of the given number of rows, like
// FromStructs. The last table may have fewer rows. An error ends the iteration. Memory is
// proportional to one batch.
func StructBatches[T any](rows iter.Seq[T], size int) iter.Seq2[*Table, error] {
	return chunks(rows, size, tableOfStructs[T])
}

// tableOfStructs returns the table of a batch of about size rows. from is the number of the first
// row. Without rows the error is io.EOF.
func tableOfStructs[T any](rows iter.Seq[T], size, from int) (*Table, error) {
	fields, err := fieldsOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	columns := fields.builders(size)
	n := 0
	var row T
	cell := reflect.ValueOf(&row).Elem()
	for row = range rows {
		v := cell
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil, fmt.Errorf("row %d is nil: %w", from+n, rkhs.ErrEmpty)
			}
			v = v.Elem()
		}
		for j, f := range fields.list {
			if err := f.appendTo(columns[j], v); err != nil {
				return nil, fmt.Errorf("row %d: %w", from+n, err)
			}
		}
		n++
	}
	t, err := endOfRows(columns, defaultParser, n, nil)
	if err == nil {
		t.source = source{target: fields.target, weights: fields.weights}
		t, err = t.WithKinds(fields.kinds)
	}
	return t, err
}
