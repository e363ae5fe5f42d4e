package rows

import (
	"fmt"
	"path"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Format is how rows stand in files.
type Format string

// The formats of Options.
const (
	CSV     Format = "csv"     // of numbers (dataset.ReadCSV) or cells (dataset.ReadTable)
	SVM     Format = "svm"     // svmlight (dataset.ReadSparse)
	Parquet Format = "parquet" // dataset/parquet
)

// Options say how files are read. The zero value serves CSV of numbers with the target in the
// last column.
type Options struct {
	// Format is that of all files. Default: the names tell it, as far as the pattern ends in
	// .csv, .tsv, .svm, .svmlight, .libsvm, .parquet or .pq, perhaps with .gz behind; any
	// other is an error.
	Format Format
	// Numbers say where target and weights stand in CSV and Parquet, and how many columns
	// svmlight has, which must be given (Cols).
	Numbers dataset.Options
	// Table reads the cells of CSV and Parquet as texts, for a recipe, in place of numbers.
	Table bool
	// Cells say how cells are read if Table is set. Skip and Kinds are refused: rows that
	// cannot be read are an output, and kinds are the recipe's.
	Cells dataset.TableOptions
	// Rows is the number of rows of a batch, but for the last of a file. Default 1024.
	Rows int
}

const defaultRows = 1024

// source is Options as a DoFn holds them, which is made JSON.
type source struct {
	Format       Format
	Numbers      dataset.Options
	Table        bool
	Separator    byte
	Header       bool
	NoHeader     bool
	DecimalComma bool
	Missing      []string
	Dates        []string
	Rows         int
}

// source checks options for files of a pattern.
func (o Options) source(pattern string) (source, error) {
	s := source{Format: o.Format, Numbers: o.Numbers, Table: o.Table, Rows: o.Rows,
		Separator: o.Cells.Separator, Header: o.Cells.Header, NoHeader: o.Cells.NoHeader, DecimalComma: o.Cells.DecimalComma, Missing: o.Cells.Missing, Dates: o.Cells.Dates}
	if s.Format == "" {
		s.Format = formatOf(pattern)
	}
	if s.Rows == 0 {
		s.Rows = defaultRows
	}
	switch {
	case s.Format != CSV && s.Format != SVM && s.Format != Parquet:
		return s, fmt.Errorf("rows: option Format = %q for %s, want csv, svm or parquet: %w", s.Format, pattern, rkhs.ErrOption)
	case s.Rows < 0:
		return s, fmt.Errorf("rows: option Rows = %d: %w", s.Rows, rkhs.ErrOption)
	case o.Cells.Skip != nil || o.Cells.Kinds != nil:
		return s, fmt.Errorf("rows: option Cells has Skip or Kinds: %w", rkhs.ErrOption)
	case s.Format == SVM && (s.Table || s.Numbers.Cols <= 0):
		return s, fmt.Errorf("rows: options Numbers.Cols = %d and Table = %v of svmlight, want its number of columns and no table: %w", s.Numbers.Cols, s.Table, rkhs.ErrOption)
	}
	if s.Table { // which reads nothing, but checks
		if _, err := dataset.NewTable(nil, nil, s.cells(nil)); err != nil {
			return s, fmt.Errorf("rows: %w", err)
		}
	}
	return s, nil
}

// cells are the options of a table.
func (s *source) cells(skip func(error)) dataset.TableOptions {
	return dataset.TableOptions{Separator: s.Separator, Header: s.Header, NoHeader: s.NoHeader, DecimalComma: s.DecimalComma, Missing: s.Missing, Dates: s.Dates, Skip: skip}
}

// formatOf returns the format that the end of a name tells, or none.
func formatOf(name string) Format {
	switch path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")) {
	case ".csv", ".tsv":
		return CSV
	case ".svm", ".svmlight", ".libsvm":
		return SVM
	case ".parquet", ".pq":
		return Parquet
	}
	return ""
}
