package dataset

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs"
)

// FromSQL returns a table of the remaining rows of a query. The types of the driver determine the
// kinds of the columns: numbers, bools, times and texts. Decimals that the driver returns as texts
// are numbers. NULL, NaN and empty texts are missing cells.
//
// Errors are the errors of the driver, rkhs.ErrEmpty without rows, rkhs.ErrFormat with row and
// column for a value of another type, and rkhs.ErrNotFinite for an infinity. O(rows·columns).
func FromSQL(rows *sql.Rows) (*Table, error) {
	t, err := first(SQLBatches(rows, math.MaxInt))
	if err != nil {
		return nil, err
	}
	findKinds(t.columns)
	return t, nil
}

// SQLBatches returns the remaining rows of a query in tables of the given number of rows, like
// FromSQL. The last table may have fewer rows. An error ends the iteration. Memory is proportional
// to one batch. The caller closes the rows if the loop ends early.
func SQLBatches(rows *sql.Rows, size int) iter.Seq2[*Table, error] {
	return batches("", size, func(*files) (reader[*Table], error) {
		if rows == nil {
			return nil, fmt.Errorf("the rows are nil: %w", rkhs.ErrEmpty)
		}
		types, err := rows.ColumnTypes()
		if err != nil {
			return nil, err
		}
		s, used := &sqlReader{rows: rows}, columnNames{}
		for j, c := range types {
			s.names = append(s.names, used.distinct(j, c.Name()))
			s.add = append(s.add, adderOf(c))
		}
		return s.read, nil
	})
}

// sqlReader reads the rows of a query.
type sqlReader struct {
	rows  *sql.Rows
	names []string
	add   []func(b *builder, cell any) error // for each column
	count int
}

// read returns the next rows, at most n, or io.EOF.
func (s *sqlReader) read(n int) (*Table, error) {
	columns := make([]*builder, len(s.names))
	cells, targets := make([]any, len(columns)), make([]any, len(columns))
	for j := range columns {
		columns[j] = &builder{name: s.names[j]}
		targets[j] = &cells[j]
	}
	read := 0
	for ; read < n && s.rows.Next(); read++ {
		if err := s.rows.Scan(targets...); err != nil {
			return nil, fmt.Errorf("row %d: %w", s.count+read, err)
		}
		for j, b := range columns {
			if err := s.add[j](b, cells[j]); err != nil {
				return nil, fmt.Errorf("row %d: %w", s.count+read, err)
			}
		}
	}
	s.count += read
	return endOfRows(columns, defaultParser, read, s.rows.Err())
}

// adderOf returns the function that adds the cells of a column. It accepts numbers and times as
// texts, and truth values as integers, because some drivers return them.
func adderOf(c *sql.ColumnType) func(b *builder, cell any) error {
	is := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return strings.HasPrefix(strings.ToUpper(c.DatabaseTypeName()), name)
		})
	}
	scanned := reflect.Invalid
	if t := c.ScanType(); t != nil {
		scanned = t.Kind()
	}
	switch {
	case is("DATE", "TIMESTAMP"):
		return addDate
	case is("BOOL"):
		return addTruth
	case is("DEC", "NUM", "MONEY"), scanned >= reflect.Int && scanned <= reflect.Float64:
		return addNumeral
	}
	return (*builder).add
}

// addNumeral adds a number or its text. It adds other texts unchanged: SQLite stores texts in
// columns of numbers.
func addNumeral(b *builder, cell any) error {
	text, ok := textOf(cell)
	if !ok {
		return b.add(cell)
	}
	if err := b.addDecimal(text); !errors.Is(err, rkhs.ErrFormat) {
		return err
	}
	b.addText(text)
	return nil
}

// addDate adds a time or its text, or another text unchanged.
func addDate(b *builder, cell any) error {
	if text, ok := textOf(cell); ok {
		for _, layout := range dateLayouts {
			if t, err := time.Parse(layout, text); err == nil {
				cell = t
				break
			}
		}
	}
	return b.add(cell)
}

// addTruth adds a truth value or the integer 0 or 1.
func addTruth(b *builder, cell any) error {
	if v, ok := cell.(int64); ok && (v == 0 || v == 1) {
		cell = v == 1
	}
	return b.add(cell)
}

// textOf returns the text of a string or of bytes.
func textOf(cell any) (string, bool) {
	switch v := cell.(type) {
	case []byte:
		return string(v), v != nil
	case string:
		return v, true
	}
	return "", false
}
