package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/arrow"
	"github.com/rkhs-go/rkhs/dataset/excel"
	"github.com/rkhs-go/rkhs/dataset/parquet"
	"github.com/rkhs-go/rkhs/internal/rng"
)

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
		set, err := dataset.LoadSparse(onlyFile(path), dataset.Options{FirstIndex: a.firstIndex})
		return sparseData(set), err
	case idx:
		set, err := dataset.Load(onlyFile(path), dataset.Options{})
		return denseData(set), err
	}
	return a.loadTable(path, format)
}

// loadTable reads a whole table, or several with the same columns.
func (a *arguments) loadTable(path string, format fileFormat) (data, error) {
	if paths, err := expand(path); err == nil && len(paths) == 1 && (format == textTable || format == objectTable) {
		r, err := a.open(paths[0])
		if err != nil {
			return data{}, err
		}
		defer r.Close()
		t, err := dataset.ReadTable(r, a.read)
		return tableData(t), inFile(paths[0], err)
	}
	t, err := dataset.CollectTables(a.tables(path, math.MaxInt), a.read.Kinds)
	return tableData(t), inFile(path, err)
}

// batchRows is the number of rows that are predicted at a time.
const batchRows = 4096

// numberBatches reads rows of numbers in batches. Without targets, IDX files need no labels.
func (a *arguments) numberBatches(path string, rows int, targets bool) iter.Seq2[data, error] {
	format, err := formatOf(path)
	if err != nil {
		return func(yield func(data, error) bool) { yield(data{}, err) }
	}
	if format == svmlight {
		return convert(dataset.SparseBatches(onlyFile(path), rows, dataset.Options{Cols: math.MaxInt32, FirstIndex: a.firstIndex}), sparseData)
	}
	o := dataset.Options{}
	if !targets {
		o.Target = dataset.NoTarget
	}
	return convert(dataset.Batches(onlyFile(path), rows, o), denseData)
}

// batches reads tables or rows of numbers in batches.
func (a *arguments) batches(path string, rows int, targets bool) iter.Seq2[data, error] {
	if format, err := formatOf(path); err != nil || format.numbered() {
		return a.numberBatches(path, rows, targets)
	}
	return convert(a.tables(path, rows), tableData)
}

// tables reads the tables of a path in batches.
func (a *arguments) tables(path string, rows int) iter.Seq2[*dataset.Table, error] {
	if isQuery(path) {
		return queryBatches(path, rows, a.read)
	}
	return func(yield func(*dataset.Table, error) bool) {
		paths, err := expand(path)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, path := range paths {
			for t, err := range a.tablesOf(path, rows) {
				if !yield(t, inFile(path, err)) || err != nil {
					return
				}
			}
		}
	}
}

// tablesOf reads a file in batches.
func (a *arguments) tablesOf(path string, rows int) iter.Seq2[*dataset.Table, error] {
	if path != "-" && !isPipe(path) {
		switch format, err := formatOfFile(path); {
		case err != nil:
			return func(yield func(*dataset.Table, error) bool) { yield(nil, err) }
		case format == parquetTable:
			return parquet.Batches(path, rows, a.read)
		case format == arrowTable:
			return arrow.Batches(path, rows, a.read)
		case format == excelTable:
			return excel.Batches(path, "", rows, a.read)
		}
	}
	return func(yield func(*dataset.Table, error) bool) {
		r, err := a.open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		dataset.TableBatches(r, rows, a.read)(yield)
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
