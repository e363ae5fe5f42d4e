package main

import (
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// numbering describes a table made from numbered columns: column_1 and so on, and the target.
type numbering struct {
	columns int
	target  string
}

// mostNumbered is the largest number of columns of such a table, which is dense.
const mostNumbered = 1 << 14

func columnName(number int) string { return fmt.Sprintf("column_%d", number) }

// numberingOf returns the numbering of the training rows of a recipe.
func numberingOf(r *recipe.Recipe) (numbering, error) {
	n := numbering{target: r.Target()}
	for _, s := range r.Steps() {
		if n.columns++; s.Column != columnName(n.columns) {
			return n, fmt.Errorf("the file has numbered columns, and the model needs a table with names: %w", rkhs.ErrShape)
		}
	}
	return n, nil
}

// numberingIn returns the numbering of a file.
func (a *arguments) numberingIn(path string) (numbering, error) {
	n := numbering{target: "target"}
	for d, err := range a.numberBatches(path, batchRows, false) {
		if err != nil {
			return n, err
		}
		s, sparse := d.x.(*rkhs.Sparse)
		if !sparse {
			_, n.columns = d.x.Dims()
			break
		}
		for _, j := range s.Columns {
			n.columns = max(n.columns, int(j)+1)
		}
	}
	if n.columns > mostNumbered {
		return n, fmt.Errorf("%s has %d columns, want at most %d for a stream (rkhs train has no limit): %w",
			path, n.columns, mostNumbered, rkhs.ErrShape)
	}
	return n, nil
}

// table converts rows of numbers to rows of a table.
func (n numbering) table(d data) (data, error) {
	x, surplus := limitColumns(d.x, n.columns)
	_, columns := x.Dims()
	if columns != n.columns {
		return data{}, fmt.Errorf("%s, want %d: %w", summary.Count(columns, "column"), n.columns, rkhs.ErrShape)
	}
	var of []*dataset.Column
	for j := range columns {
		of = append(of, dataset.NumberColumn(columnName(j+1), mat.Col(nil, j, x), nil))
	}
	if targets, _ := d.y.Dims(); targets > 0 {
		of = append(of, dataset.NumberColumn(n.target, mat.Col(nil, 0, d.y), nil))
	}
	t, err := dataset.TableOf(of...)
	return data{table: t, surplus: surplus}, err
}

// decimal returns the shortest number that reads back as v.
func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func reportSurplus(w io.Writer, values int) {
	if values > 0 {
		fmt.Fprintf(w, "ignored %s in columns that no training row has\n", summary.Count(values, "value"))
	}
}

// limitColumns gives sparse rows the number of columns of a model. It drops the values in other
// columns, because no training row had them, and returns their number.
func limitColumns(x mat.Matrix, columns int) (rows mat.Matrix, surplus int) {
	switch s := x.(type) {
	case rkhs.Weighted:
		rows, surplus := limitColumns(s.Matrix, columns)
		return rkhs.Weighted{Matrix: rows, Weights: s.Weights}, surplus
	case *rkhs.Sparse:
		if s.Cols <= columns {
			wide := *s
			wide.Cols = columns
			return &wide, 0
		}
		t := &rkhs.Sparse{Rows: s.Rows, Cols: columns, Offsets: make([]int, 1, s.Rows+1)}
		for i := range s.Rows {
			for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
				if int(s.Columns[k]) < columns {
					t.Columns, t.Values = append(t.Columns, s.Columns[k]), append(t.Values, s.Values[k])
				}
			}
			t.Offsets = append(t.Offsets, len(t.Values))
		}
		return t, len(s.Values) - len(t.Values)
	}
	return x, 0
}
