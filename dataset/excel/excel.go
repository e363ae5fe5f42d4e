// Package excel reads sheets of .xlsx files into a [dataset.Table]. It is a separate package because it
// depends on github.com/xuri/excelize.
//
// Rows, names of columns and texts of missing cells are as for dataset.ReadTable. Cells of numbers,
// booleans and dates are read by their values, independent of their format.
package excel

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Load reads a sheet of the file at path, or its first sheet if the name is empty. Errors are as for
// dataset.ReadTable, rkhs.ErrOption for a missing sheet and rkhs.ErrFormat for a damaged file. Lines
// are rows of the sheet unless texts have line breaks. O(cells).
func Load(path, sheet string, opts dataset.TableOptions) (*dataset.Table, error) {
	cells, err := open(path, sheet)
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", path, err)
	}
	defer cells.Close()
	opts.Separator = ','
	t, err := dataset.ReadTable(cells, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Batches reads a sheet like Load in batches of the given number of rows, like dataset.TableBatches.
// The library keeps the sheet in memory.
func Batches(path, sheet string, rows int, opts dataset.TableOptions) iter.Seq2[*dataset.Table, error] {
	return func(yield func(*dataset.Table, error) bool) {
		cells, err := open(path, sheet)
		if err != nil {
			yield(nil, fmt.Errorf("dataset: %s: %w", path, err))
			return
		}
		defer cells.Close()
		opts.Separator = ','
		for t, err := range dataset.TableBatches(cells, rows, opts) {
			if err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// maxExpansion is the maximum size of the decompressed file relative to the size of the file.
const maxExpansion = 256

// open returns the cells of a sheet as quoted CSV.
func open(path, name string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	var s *sheet
	if err := guard(func() error {
		f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true, UnzipSizeLimit: maxExpansion*info.Size() + excelize.StreamChunkSize})
		if err == nil {
			s, err = newSheet(f, name)
		}
		return err
	}); err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		err := guard(func() error { return s.write(w) })
		w.CloseWithError(errors.Join(err, s.file.Close()))
	}()
	return r, nil
}

// guard calls do and adds rkhs.ErrFormat to its errors. The library may panic on a damaged file.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v: %w", p, rkhs.ErrFormat)
		}
	}()
	err = do()
	if err == nil || errors.Is(err, rkhs.ErrOption) || errors.Is(err, io.ErrClosedPipe) {
		return err
	}
	return fmt.Errorf("%w: %w", err, rkhs.ErrFormat)
}

// sheet is a sheet of a file.
type sheet struct {
	file      *excelize.File
	name      string
	width     int          // of the widest row
	dates     map[int]bool // styles of dates
	since1904 bool         // dates count from 1904
}

func newSheet(f *excelize.File, name string) (*sheet, error) {
	names := f.GetSheetList()
	if len(names) == 0 {
		return nil, fmt.Errorf("the file has no sheets: %w", rkhs.ErrFormat)
	}
	if name == "" {
		name = names[0]
	}
	if i, err := f.GetSheetIndex(name); err != nil || i < 0 {
		return nil, fmt.Errorf("there is no sheet %q, only %q: %w", name, names, rkhs.ErrOption)
	}
	s := &sheet{file: f, name: name, dates: map[int]bool{}}
	properties, err := f.GetWorkbookProps()
	if err != nil {
		return nil, err
	}
	s.since1904 = properties.Date1904 != nil && *properties.Date1904
	return s, s.each(func(_ int, cells []string) error {
		s.width = max(s.width, len(cells))
		return nil
	})
}

// each calls do with the number and the raw values of each row.
func (s *sheet) each(do func(row int, cells []string) error) error {
	rows, err := s.file.Rows(s.name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for row := 1; rows.Next(); row++ {
		cells, err := rows.Columns()
		if err == nil {
			err = do(row, cells)
		}
		if err != nil {
			return err
		}
	}
	return rows.Error()
}

// write writes each row as a line. Quotes keep # at the start of a header from being a comment.
func (s *sheet) write(to io.Writer) error {
	w := bufio.NewWriter(to)
	err := s.each(func(row int, cells []string) error {
		if len(strings.Join(cells, "")) == 0 {
			return w.WriteByte('\n')
		}
		for column := range s.width {
			text := ""
			if column < len(cells) {
				var err error
				if text, err = s.text(row, column+1, cells[column]); err != nil {
					return err
				}
			}
			separator := ","
			if column == s.width-1 {
				separator = "\n"
			}
			if _, err := fmt.Fprintf(w, `"%s"%s`, strings.ReplaceAll(text, `"`, `""`), separator); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// text returns the text of a cell with the given raw value.
func (s *sheet) text(row, column int, raw string) (string, error) {
	v, isNumber := parse(raw)
	if !isNumber {
		return raw, nil
	}
	cell, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return "", err
	}
	kind, err := s.file.GetCellType(s.name, cell)
	if err != nil {
		return "", err
	}
	switch kind {
	case excelize.CellTypeBool:
		return map[bool]string{true: "true", false: "false"}[v != 0], nil
	case excelize.CellTypeSharedString, excelize.CellTypeInlineString:
		return raw, nil
	}
	isDate, err := s.isDate(cell)
	if err != nil || !isDate || v < 1 || v > math.MaxInt32 {
		return raw, err // a time without a day is a fraction of a day
	}
	return s.date(v)
}
