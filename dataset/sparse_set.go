package dataset

import (
	"fmt"
	"io"
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// SparseSet is a Set of sparse rows.
type SparseSet struct {
	// X holds the features, n×d.
	X *rkhs.Sparse
	// Y holds the n targets, numbers or labels of classes.
	Y []float64
	// Weights holds the weights of the rows; nil means that each counts as one.
	Weights []float64
}

// Rows returns the features with their weights, or X where there are none: what learners
// are fitted to.
func (s *SparseSet) Rows() mat.Matrix {
	if s == nil || s.X == nil {
		return new(mat.Dense)
	}
	if s.Weights == nil {
		return s.X
	}
	return rkhs.Weighted{Matrix: s.X, Weights: s.Weights}
}

// Targets returns the targets as a matrix of one column, which shares the memory of s.Y. It
// is empty if there are none.
func (s *SparseSet) Targets() *mat.Dense {
	if s == nil || len(s.Y) == 0 {
		return new(mat.Dense)
	}
	return mat.NewDense(len(s.Y), 1, s.Y)
}

// Select returns a copy of the given rows of s, in the order given. It panics if a row is out
// of range, as every row of a nil set is.
func (s *SparseSet) Select(rows []int) *SparseSet {
	c := &SparseSet{X: &rkhs.Sparse{Rows: len(rows), Offsets: []int{0}}}
	if s == nil || s.X == nil {
		if len(rows) > 0 {
			panic(fmt.Sprintf("dataset: row %d of a set without rows", rows[0]))
		}
		return c
	}
	x := c.X
	x.Cols = s.X.Cols
	for _, r := range rows {
		from, to := s.X.Offsets[r], s.X.Offsets[r+1]
		x.Columns, x.Values = append(x.Columns, s.X.Columns[from:to]...), append(x.Values, s.X.Values[from:to]...)
		x.Offsets = append(x.Offsets, len(x.Columns))
		if s.Y != nil {
			c.Y = append(c.Y, s.Y[r])
		}
		if s.Weights != nil {
			c.Weights = append(c.Weights, s.Weights[r])
		}
	}
	return c
}

// ReadSparse reads the text format of SVMlight and LIBSVM as ReadSVM does, but keeps rows
// sparse: there is no limit on columns but that of an index, 2³¹−1, and memory is that of what
// the file lists, 12 bytes for each feature. Options.MaxValues has no effect. Errors are those
// of ReadSVM. O(bytes).
func ReadSparse(r io.Reader, opts Options) (*SparseSet, error) {
	if err := opts.check(); err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	b, err := inflate(r)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	s := &svmReader{lines: lines{r: b}, opts: opts}
	set, err := s.readSparse(math.MaxInt)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", noRows(err))
	}
	return set, nil
}

// LoadSparse is ReadSparse of the file at path, whatever its name. It may be compressed.
func LoadSparse(path string, opts Options) (*SparseSet, error) {
	for s, err := range SparseBatches(path, math.MaxInt, opts) {
		return s, err
	}
	return nil, nil // there is always one batch
}

// SparseBatches reads the svmlight file at path as ReadSparse does, but gives its rows in
// batches of the given number, the last one perhaps smaller, as Batches does. Batches of fewer
// than all rows need Options.Cols.
func SparseBatches(path string, rows int, opts Options) iter.Seq2[*SparseSet, error] {
	return func(yield func(*SparseSet, error) bool) {
		if err := eachSparseBatch(path, rows, opts, yield); err != nil {
			yield(nil, fmt.Errorf("dataset: %s: %w", path, err))
		}
	}
}

func eachSparseBatch(path string, rows int, opts Options, yield func(*SparseSet, error) bool) error {
	switch {
	case rows <= 0:
		return fmt.Errorf("batches of %d rows: %w", rows, rkhs.ErrOption)
	case rows < math.MaxInt && opts.Cols == 0:
		return fmt.Errorf("option Cols = 0, want the number of columns of an svmlight file read in batches: %w", rkhs.ErrOption)
	}
	if err := opts.check(); err != nil {
		return err
	}
	f := new(file)
	defer f.close()
	b, err := f.contents(path)
	if err != nil {
		return err
	}
	return eachRead(rows, (&svmReader{lines: lines{r: b}, opts: opts}).readSparse, yield)
}

// set returns the rows as they are.
func (s *sparse) set(opts Options) (*SparseSet, error) {
	cols := s.cols
	if opts.Cols > 0 {
		cols = opts.Cols
	}
	if cols == 0 {
		return nil, fmt.Errorf("no row has a feature: %w", rkhs.ErrEmpty)
	}
	for k := range s.index {
		s.index[k]-- // columns count from 0
	}
	x := &rkhs.Sparse{Rows: len(s.y), Cols: cols, Offsets: append([]int{0}, s.end...), Columns: s.index, Values: s.value}
	return &SparseSet{X: x, Y: s.y}, nil
}
