package rows

import (
	"fmt"
	"path"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Format is a file format.
type Format string

// The formats of Options.
const (
	CSV     Format = "csv"     // of numbers (dataset.ReadCSV) or cells (dataset.ReadTable)
	SVM     Format = "svm"     // svmlight (dataset.ReadSparse)
	Parquet Format = "parquet" // dataset/parquet
)

// Options configures Read. The zero value reads CSV of numbers with the target in the last column.
type Options struct {
	// Format is the format of all files. Default: the end of the pattern decides: .csv, .tsv, .svm,
	// .svmlight, .libsvm, .parquet or .pq, optionally followed by .gz.
	Format Format
	// Numbers selects the columns of target and weights of CSV and Parquet. Svmlight needs Cols, its
	// number of columns.
	Numbers dataset.Options
	// Table reads CSV and Parquet as cells of text, for a recipe, instead of numbers.
	Table bool
	// Cells configures how cells are read if Table is set. Skip and Kinds must be nil: rejected rows
	// are an output, and the recipe has the kinds.
	Cells dataset.TableOptions
	// Rows is the number of rows of a batch, except the last of a file. Default: 1024.
	Rows int
}

const defaultRows = 1024

// checked returns the options for files of a pattern, with defaults filled in.
func (o Options) checked(pattern string) (Options, error) {
	if o.Format == "" {
		o.Format = formatOf(pattern)
	}
	if o.Rows == 0 {
		o.Rows = defaultRows
	}
	switch {
	case o.Format != CSV && o.Format != SVM && o.Format != Parquet:
		return o, fmt.Errorf("rows: option Format = %q for %s, want csv, svm or parquet: %w", o.Format, pattern, rkhs.ErrOption)
	case o.Rows < 0:
		return o, fmt.Errorf("rows: option Rows = %d: %w", o.Rows, rkhs.ErrOption)
	case o.Cells.Skip != nil || o.Cells.Kinds != nil:
		return o, fmt.Errorf("rows: option Cells has Skip or Kinds: %w", rkhs.ErrOption)
	case o.Format == SVM && (o.Table || o.Numbers.Cols <= 0):
		return o, fmt.Errorf("rows: options Numbers.Cols = %d and Table = %v of svmlight, want its number of columns and no table: %w",
			o.Numbers.Cols, o.Table, rkhs.ErrOption)
	}
	if o.Table { // an empty table only checks the options
		if _, err := dataset.NewTable(nil, nil, o.Cells); err != nil {
			return o, fmt.Errorf("rows: %w", err)
		}
	}
	return o, nil
}

// formatOf returns the format of a file name, or "".
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
