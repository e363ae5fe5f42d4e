package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// maxIndex is the largest index of a feature in an svmlight file.
const maxIndex = 1<<31 - 1

var errNoCols = fmt.Errorf("option Cols = 0, want the number of columns of an svmlight file read in batches: %w", rkhs.ErrOption)

// ReadSVM reads the text format of SVMlight and LIBSVM, with one row per line:
//
//	target [qid:number] index:value index:value …  # comment
//
// Indices ascend from 1 and are at most 2³¹−1. Features that a line does not list are 0. The result
// is dense; ReadSparse keeps it sparse. Options.Cols sets the number of columns and
// Options.MaxValues limits the size.
//
// Errors wrap rkhs.ErrFormat or rkhs.ErrNotFinite with line and field, where the target is field 1;
// rkhs.ErrShape for an index above Options.Cols; rkhs.ErrEmpty for a file without rows or features;
// rkhs.ErrMemory above Options.MaxValues. O(bytes + rows·columns).
func ReadSVM(r io.Reader, opts Options) (*Set, error) {
	return readText(r, opts, func(b *bufio.Reader) reader[*Set] { return svmRows(b, opts) })
}

// ReadSparse is ReadSVM with a sparse result. It uses 12 bytes for each listed feature and ignores
// Options.MaxValues. O(bytes).
func ReadSparse(r io.Reader, opts Options) (*SparseSet, error) {
	return readText(r, opts, func(b *bufio.Reader) reader[*SparseSet] { return sparseRows(b, opts) })
}

// LoadSparse is ReadSparse of the file at path, with any name.
func LoadSparse(path string, opts Options) (*SparseSet, error) {
	return first(SparseBatches(path, math.MaxInt, opts))
}

// SparseBatches reads the svmlight file at path in batches of sparse rows; see Batches.
func SparseBatches(path string, rows int, opts Options) iter.Seq2[*SparseSet, error] {
	return batches(path, rows, func(f *files) (reader[*SparseSet], error) {
		if rows < math.MaxInt && opts.Cols == 0 {
			return nil, errNoCols
		}
		if err := opts.check(); err != nil {
			return nil, err
		}
		b, err := f.contents(path)
		if err != nil {
			return nil, err
		}
		return sparseRows(b, opts), nil
	})
}

// svmRows returns a reader of svmlight rows that makes them dense.
func svmRows(b *bufio.Reader, opts Options) reader[*Set] {
	read := sparseRows(b, opts)
	return func(n int) (*Set, error) {
		s, err := read(n)
		if err != nil {
			return nil, err
		}
		return s.dense(cmp.Or(opts.MaxValues, defaultMaxValues))
	}
}

// dense returns the rows with their zeros, at most the given number of values.
func (s *SparseSet) dense(most int) (*Set, error) {
	rows, cols := s.X.Rows, s.X.Cols
	if cols > most/rows {
		return nil, fmt.Errorf("%d rows of %d columns would take %.1f GiB, more than MaxValues = %d numbers: %w",
			rows, cols, float64(rows)*float64(cols)/(1<<27), most, rkhs.ErrMemory)
	}
	x := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for k := s.X.Offsets[i]; k < s.X.Offsets[i+1]; k++ {
			x.Set(i, int(s.X.Columns[k]), s.X.Values[k])
		}
	}
	return &Set{X: x, Y: s.Y}, nil
}

func sparseRows(b *bufio.Reader, opts Options) reader[*SparseSet] {
	return (&svmReader{lines: lines{r: b}, cols: opts.Cols}).read
}

type svmReader struct {
	lines lines
	cols  int // 0: the largest index of a row
}

func (s *svmReader) read(n int) (*SparseSet, error) {
	rows := svmlight{x: rkhs.Sparse{Offsets: []int{0}}}
	for len(rows.y) < n {
		line, err := s.lines.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = s.appendRow(&rows, line)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(rows.y) == 0 {
		return nil, io.EOF
	}
	x := rows.join()
	x.Cols = cmp.Or(s.cols, x.Cols)
	if x.Cols == 0 {
		return nil, fmt.Errorf("no row has a feature: %w", rkhs.ErrEmpty)
	}
	return &SparseSet{X: x, Y: rows.y}, nil
}

func (s *svmReader) appendRow(rows *svmlight, line []byte) error {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	last := 0
	for position, more := 1, true; more; position++ {
		var field []byte
		var err error
		field, line, more, err = cut(line, ' ')
		switch {
		case err != nil:
		case position == 1:
			var v float64
			v, err = number(field)
			rows.y = append(rows.y, v)
		case position == 2 && bytes.HasPrefix(field, []byte("qid:")):
			err = checkQuery(field)
		default:
			last, err = rows.appendFeature(field, last)
		}
		if err == nil && s.cols > 0 && last > s.cols {
			err = fmt.Errorf("index %d, want at most Cols = %d: %w", last, s.cols, rkhs.ErrShape)
		}
		if err != nil {
			return fmt.Errorf("line %d, field %d: %w", s.lines.number, position, err)
		}
	}
	rows.endRow()
	return nil
}

// checkQuery checks the number of a query, which only ranking uses.
func checkQuery(field []byte) error {
	if _, err := strconv.ParseUint(string(field[len("qid:"):]), 10, 64); err != nil {
		return fmt.Errorf("%q is not qid:number: %w", clip(field), rkhs.ErrFormat)
	}
	return nil
}

// svmlight collects rows. Their elements are in chunks: slices that grow would leave several
// times their size as garbage.
type svmlight struct {
	y      []float64
	x      rkhs.Sparse // the last chunk of elements, and the offsets of all rows
	before []rkhs.Sparse
	count  int // elements of the chunks before
}

// chunkSize is the number of elements after which a new chunk begins.
const chunkSize = 1 << 15

// appendFeature appends a field index:value and returns its index, which must be greater than last.
func (s *svmlight) appendFeature(field []byte, last int) (int, error) {
	name, value, ok := bytes.Cut(field, []byte{':'})
	index, err := strconv.ParseUint(string(name), 10, 64)
	switch {
	case !ok || err != nil:
		return 0, fmt.Errorf("%q is not index:value with an index of at most %d: %w", clip(field), maxIndex, rkhs.ErrFormat)
	case index == 0 || index > maxIndex:
		return 0, fmt.Errorf("index %d, want 1 … %d: %w", index, maxIndex, rkhs.ErrFormat)
	case int(index) <= last:
		return 0, fmt.Errorf("index %d after %d, want ascending indices: %w", index, last, rkhs.ErrFormat)
	}
	v, err := number(value)
	s.x.Columns, s.x.Values = append(s.x.Columns, int32(index-1)), append(s.x.Values, v)
	s.x.Cols = max(s.x.Cols, int(index))
	return int(index), err
}

func (s *svmlight) endRow() {
	n := len(s.x.Columns)
	s.x.Offsets = append(s.x.Offsets, s.count+n)
	if n >= chunkSize {
		s.before = append(s.before, s.x)
		s.count += n
		s.x.Columns, s.x.Values = make([]int32, 0, chunkSize+chunkSize/8), make([]float64, 0, chunkSize+chunkSize/8)
	}
}

// join returns all rows.
func (s *svmlight) join() *rkhs.Sparse {
	x := s.x
	x.Rows = len(s.y)
	if len(s.before) > 0 {
		n := s.count + len(s.x.Columns)
		x.Columns, x.Values = make([]int32, 0, n), make([]float64, 0, n)
		for _, chunk := range append(s.before, s.x) {
			x.Columns, x.Values = append(x.Columns, chunk.Columns...), append(x.Values, chunk.Values...)
		}
	}
	return &x
}
