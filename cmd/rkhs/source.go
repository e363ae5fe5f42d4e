package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/parquet"
	_ "github.com/rkhs-go/rkhs/doublysgd/novelty" // whose models a program may have saved
	_ "github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/recipe"
)

// data is what stands in a file: a table, or rows of numbers with their targets.
type data struct {
	table *dataset.Table
	x     mat.Matrix
	y     *mat.Dense
	pick  func(rows []int) data // of rows of numbers
}

// load reads a file whole.
func (a *arguments) load(path string, s streams) (data, error) {
	format, err := formatOf(path)
	if err != nil {
		return data{}, err
	}
	switch format {
	case dataset.SVMFormat:
		set, err := dataset.LoadSparse(path, dataset.Options{})
		if err != nil {
			return data{}, err
		}
		return sparseData(set), nil
	case dataset.IDXFormat:
		set, err := dataset.Load(path, dataset.Options{})
		if err != nil {
			return data{}, err
		}
		return denseData(set), nil
	}
	if isParquet(path) {
		t, err := parquet.Load(path, a.read)
		return data{table: t}, err
	}
	r, err := open(path, s)
	if err != nil {
		return data{}, err
	}
	defer r.Close()
	t, err := dataset.ReadTable(r, a.read)
	if err != nil {
		return data{}, in(path, err)
	}
	return data{table: t}, nil
}

// formatOf returns the format of a file: CSVFormat for every table, also of the standard input
// and of a Parquet file.
func formatOf(path string) (dataset.Format, error) {
	if path == "-" || isPipe(path) || isParquet(path) {
		return dataset.CSVFormat, nil
	}
	return dataset.FormatOf(path)
}

// isPipe reports whether what is read from a path is gone from it, as of what a shell puts in
// the place of <(command).
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// isParquet reports whether a file is one of Parquet, by its name or its first bytes.
func isParquet(path string) bool {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".parquet" || ext == ".pq" {
		return true
	}
	if isPipe(path) {
		return false
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

// tables reads a table in batches; skip is dataset.TableOptions.Skip.
func (a *arguments) tables(path string, rows int, skip func(error), s streams) iter.Seq2[*dataset.Table, error] {
	o := a.read
	o.Skip = skip
	if isParquet(path) {
		return parquet.Batches(path, rows, o)
	}
	return func(yield func(*dataset.Table, error) bool) {
		r, err := open(path, s)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		for t, err := range dataset.TableBatches(r, rows, o) {
			if !yield(t, in(path, err)) {
				return
			}
		}
	}
}

// in names the file that a fault of its rows is in.
func in(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

func open(path string, s streams) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(s.in), nil
	}
	return os.Open(path)
}

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

// split divides rows at random.
func (d data) split(fraction float64, seed uint64) (train, test data, err error) {
	if d.table != nil {
		train.table, test.table, err = d.table.Split(fraction, seed)
		return train, test, err
	}
	n := d.rows()
	if n < 2 {
		return d, d, fmt.Errorf("one row cannot be divided: %w", rkhs.ErrEmpty)
	}
	order := rng.New(seed, "rkhs split", 0).Perm(n)
	held := min(max(1, int(fraction*float64(n)+0.5)), n-1)
	return d.pick(order[held:]), d.pick(order[:held]), nil
}

// model is what a file of rkhs train holds: a recipe.Model, or a model of rows of numbers.
type model struct {
	recipe *recipe.Model // nil of rows of numbers
	of     rkhs.Model
}

func loadModel(path string) (m model, err error) {
	if path == "" {
		return m, misuse("-model names the file of the model")
	}
	v, err := rkhs.Load[any](path)
	if err != nil {
		return m, err
	}
	if l, ok := v.(*recipe.Learner); ok {
		if v, err = l.Model(context.Background()); err != nil {
			return m, fmt.Errorf("%s: %w", path, err)
		}
	}
	if r, ok := v.(*recipe.Model); ok {
		return model{r, r.Model()}, nil
	}
	of, ok := v.(rkhs.Model)
	if !ok {
		return m, fmt.Errorf("%s holds a %T, which does not predict", path, v)
	}
	return model{of: of}, nil
}

// like makes tables be read as those were that a recipe was learned from, beside what flags
// say.
func (a *arguments) like(r *recipe.Recipe) {
	o := r.Reading()
	a.read.DecimalComma = a.read.DecimalComma || o.DecimalComma
	a.read.Missing = append(a.read.Missing, o.Missing...)
	a.read.Dates = append(a.read.Dates, o.Dates...)
}

// takes refuses what cannot be rows of the model, and flags of tables where none is read.
func (m model) takes(path string, a *arguments) error {
	switch {
	case m.recipe != nil:
		return a.suits(path)
	case path == "-" || isPipe(path):
		return misuse("%s is read as a table, and the model takes %d numbered columns: name an svmlight or IDX file", path, m.columns())
	}
	return a.refuse((*arguments).table, "it is for tables, and the model takes %d numbered columns", m.columns())
}

// columns returns the number of columns of rows of numbers that the model takes.
func (m model) columns() int {
	d, _ := m.of.Dims()
	return d
}

// score compares predictions with targets.
func (m model) score(a *arguments, d data) (*recipe.Score, error) {
	switch {
	case m.recipe != nil && d.table != nil:
		return m.recipe.Score(d.table)
	case m.recipe != nil:
		as, err := numberingOf(m.recipe.Recipe())
		if err != nil {
			return nil, err
		}
		d.x = a.known(d.x, as.columns)
		t, err := as.table(d, m.recipe.Recipe().Reading())
		if err != nil {
			return nil, err
		}
		return m.recipe.Score(t)
	case d.table != nil:
		return nil, fmt.Errorf("the model takes %d numbered columns, as svmlight and IDX files have them, and the file is a table: %w", m.columns(), rkhs.ErrShape)
	}
	return recipe.ScoreOf(m.of, a.known(d.x, m.columns()), d.y)
}
