package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/parquet"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// fileFormat is the format of a file.
type fileFormat uint8

const (
	textTable fileFormat = iota
	parquetTable
	svmlight
	idx
)

// numbered reports whether the columns have numbers instead of names.
func (f fileFormat) numbered() bool { return f == svmlight || f == idx }

// formatOf returns the format of a file. The standard input and pipes are text tables.
func formatOf(path string) (fileFormat, error) {
	switch {
	case path == "-" || isPipe(path):
		return textTable, nil
	case isParquet(path):
		return parquetTable, nil
	}
	f, err := dataset.FormatOf(path)
	switch f {
	case dataset.SVMFormat:
		return svmlight, err
	case dataset.IDXFormat:
		return idx, err
	}
	return textTable, err
}

// isPipe reports whether a path can be read only once, such as the <(command) of a shell.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// isParquet recognizes a Parquet file by its name or its first bytes.
func isParquet(path string) bool {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".parquet" || ext == ".pq" {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "PAR1"
}

// data are the rows of a table, or rows of numbers with targets.
type data struct {
	table   *dataset.Table
	x       mat.Matrix
	y       *mat.Dense
	pick    func(rows []int) data // selects rows of numbers
	surplus int                   // values dropped by limitColumns
}

func tableData(t *dataset.Table) data { return data{table: t} }

func sparseData(s *dataset.SparseSet) data {
	return data{x: s.Rows(), y: s.Targets(), pick: func(rows []int) data { return sparseData(s.Select(rows)) }}
}

func denseData(s *dataset.Set) data {
	return data{x: s.Rows(), y: s.Targets(), pick: func(rows []int) data { return denseData(s.Select(rows)) }}
}

// rows returns the number of rows.
func (d data) rows() int {
	if d.table != nil {
		n, _ := d.table.Dims()
		return n
	}
	n, _ := d.x.Dims()
	return n
}

// split divides the rows at random.
func (d data) split(fraction float64, seed uint64) (train, test data, err error) {
	if d.table != nil {
		train.table, test.table, err = d.table.Split(fraction, seed)
		return train, test, err
	}
	n := d.rows()
	if n < 2 {
		return d, d, fmt.Errorf("one row cannot be split: %w", rkhs.ErrEmpty)
	}
	order := rng.New(seed, "rkhs split", 0).Perm(n)
	tests := min(max(1, int(fraction*float64(n)+0.5)), n-1)
	return d.pick(order[tests:]), d.pick(order[:tests]), nil
}

// load reads a whole file.
func (a *arguments) load(path string) (data, error) {
	format, err := formatOf(path)
	if err != nil {
		return data{}, err
	}
	switch format {
	case svmlight:
		set, err := dataset.LoadSparse(path, dataset.Options{})
		return sparseData(set), err
	case idx:
		set, err := dataset.Load(path, dataset.Options{})
		return denseData(set), err
	case parquetTable:
		t, err := parquet.Load(path, a.read)
		return tableData(t), err
	}
	r, err := a.open(path)
	if err != nil {
		return data{}, err
	}
	defer r.Close()
	t, err := dataset.ReadTable(r, a.read)
	return tableData(t), inFile(path, err)
}

// batchRows is the number of rows that are predicted at a time.
const batchRows = 4096

// numberBatches reads rows of numbers in batches. Without targets, IDX files need no labels.
func numberBatches(path string, rows int, targets bool) iter.Seq2[data, error] {
	format, err := formatOf(path)
	if err != nil {
		return func(yield func(data, error) bool) { yield(data{}, err) }
	}
	if format == svmlight {
		return convert(dataset.SparseBatches(path, rows, dataset.Options{Cols: math.MaxInt32}), sparseData)
	}
	o := dataset.Options{}
	if !targets {
		o.Target = dataset.NoTarget
	}
	return convert(dataset.Batches(path, rows, o), denseData)
}

// batches reads a table or rows of numbers in batches.
func (a *arguments) batches(path string, rows int, targets bool) iter.Seq2[data, error] {
	switch format, err := formatOf(path); {
	case err != nil || format.numbered():
		return numberBatches(path, rows, targets)
	case format == parquetTable:
		return convert(parquet.Batches(path, rows, a.read), tableData)
	}
	return func(yield func(data, error) bool) {
		r, err := a.open(path)
		if err != nil {
			yield(data{}, err)
			return
		}
		defer r.Close()
		for t, err := range dataset.TableBatches(r, rows, a.read) {
			if !yield(tableData(t), inFile(path, err)) {
				return
			}
		}
	}
}

func (a *arguments) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(a.in), nil
	}
	return os.Open(path)
}

// inFile adds the path to an error that lacks it.
func inFile(path string, err error) error {
	if err == nil || strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// convert applies f to the elements of a sequence, which are nil with an error.
func convert[T any](seq iter.Seq2[T, error], f func(T) data) iter.Seq2[data, error] {
	return func(yield func(data, error) bool) {
		for v, err := range seq {
			if !yield(f(v), err) {
				return
			}
		}
	}
}

// until yields the elements of a sequence until ctx is done. It reads one element ahead, so that it
// can end while the sequence waits.
func until[T any](ctx context.Context, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	type element struct {
		v   T
		err error
	}
	return func(yield func(T, error) bool) {
		elements, stop := make(chan element), make(chan struct{})
		defer close(stop)
		go func() {
			defer close(elements)
			for v, err := range seq {
				select {
				case elements <- element{v, err}:
				case <-stop:
					return
				}
			}
		}()
		for {
			select {
			case <-ctx.Done():
				yield(*new(T), context.Cause(ctx))
				return
			case e, ok := <-elements:
				if !ok || !yield(e.v, e.err) {
					return
				}
			}
		}
	}
}
