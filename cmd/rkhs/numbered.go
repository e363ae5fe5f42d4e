package main

import (
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
)

// sets reads rows of numbers in batches, with their targets if these are wanted.
func sets(path string, format dataset.Format, rows int, targets bool) iter.Seq2[data, error] {
	return func(yield func(data, error) bool) {
		if format == dataset.SVMFormat {
			each(dataset.SparseBatches(path, rows, dataset.Options{Cols: math.MaxInt32}), func(s *dataset.SparseSet) (data, error) { return sparseData(s), nil }, yield)
			return
		}
		o := dataset.Options{}
		if !targets {
			o.Target = dataset.NoTarget
		}
		each(dataset.Batches(path, rows, o), func(s *dataset.Set) (data, error) { return denseData(s), nil }, yield)
	}
}

// numbering says how numbered columns are named in a table: "column 1" and so on, so many. The
// target, where it is wanted, has a name as well.
type numbering struct {
	columns int
	target  string
}

// mostNumbered is the number of numbered columns up to which a table is made of them, in which they
// are dense.
const mostNumbered = 1 << 14

// numbered reads a file of numbered columns as a table in batches.
func (a *arguments) numbered(path string, format dataset.Format, rows int, as numbering) iter.Seq2[*dataset.Table, error] {
	return func(yield func(*dataset.Table, error) bool) {
		of := func(d data) (*dataset.Table, error) {
			d.x = a.known(d.x, as.columns)
			t, err := as.table(d, a.read)
			return t, in(path, err)
		}
		each(sets(path, format, rows, as.target != ""), of, yield)
	}
}

// table makes a table of rows of numbers.
func (as numbering) table(d data, o dataset.TableOptions) (*dataset.Table, error) {
	n, columns := d.x.Dims()
	if columns != as.columns {
		return nil, fmt.Errorf("%d columns, want %d: %w", columns, as.columns, rkhs.ErrShape)
	}
	var names []string
	for j := range columns {
		names = append(names, columnName(j+1))
	}
	if as.target != "" {
		names = append(names, as.target)
	}
	cells := make([][]string, n)
	for i := range cells {
		for j := range columns {
			cells[i] = append(cells[i], strconv.FormatFloat(d.x.At(i, j), 'g', -1, 64))
		}
		if as.target != "" {
			cells[i] = append(cells[i], strconv.FormatFloat(d.y.At(i, 0), 'g', -1, 64))
		}
	}
	return dataset.NewTable(names, cells, dataset.TableOptions{Missing: o.Missing})
}

func columnName(number int) string { return fmt.Sprintf("column %d", number) }

// numberingOf returns that of the rows that a recipe was learned from.
func numberingOf(r *recipe.Recipe) (numbering, error) {
	as := numbering{target: r.Target()}
	for _, s := range r.Steps() {
		if as.columns++; s.Column != columnName(as.columns) {
			return as, fmt.Errorf("the columns are numbered, and the model takes rows of a table with names: %w", rkhs.ErrShape)
		}
	}
	return as, nil
}

// numberingIn returns that of a file.
func numberingIn(path string, format dataset.Format) (numbering, error) {
	as := numbering{target: "target"}
	for d, err := range sets(path, format, batchRows, false) {
		if err != nil {
			return as, err
		}
		s, sparse := d.x.(*rkhs.Sparse)
		if !sparse {
			_, as.columns = d.x.Dims()
			break
		}
		for _, j := range s.Columns {
			as.columns = max(as.columns, int(j)+1)
		}
	}
	if as.columns > mostNumbered {
		return as, fmt.Errorf("%s has %d columns, want %d at most to learn from rows that come one by one: rkhs train takes any number: %w", path, as.columns, mostNumbered, rkhs.ErrShape)
	}
	return as, nil
}

// known gives sparse rows as many columns as a model has. Columns that they lack are zero; values
// in columns that no row to learn from had are left out, as columns of a table are that the model
// does not know, and counted.
func (a *arguments) known(x mat.Matrix, columns int) mat.Matrix {
	switch s := x.(type) {
	case rkhs.Weighted:
		return rkhs.Weighted{Matrix: a.known(s.Matrix, columns), Weights: s.Weights}
	case *rkhs.Sparse:
		within := ofColumns(s, columns)
		a.beyond += len(s.Values) - len(within.Values)
		a.columnsKnown = columns
		return within
	}
	return x
}

// ofColumns returns rows of so many columns, without the values in further ones.
func ofColumns(s *rkhs.Sparse, columns int) *rkhs.Sparse {
	if s.Cols <= columns {
		wide := *s
		wide.Cols = columns
		return &wide
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
	return t
}

// tellBeyond says what known left out.
func (a *arguments) tellBeyond(to io.Writer) {
	if a.beyond > 0 {
		fmt.Fprintf(to, "%d values are in columns beyond the %d of the rows to train on: they are left out\n", a.beyond, a.columnsKnown)
	}
}
