package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sort"
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
// Indices are at most 2³¹−1 and may have any order. They begin at 1, or at 0 if the file has an index
// 0; see Options.FirstIndex. Features that a line does not list are 0. The result is dense;
// ReadSparse keeps it sparse. Options.Cols sets the number of columns and Options.MaxValues limits
// the size.
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

// svmRows returns a reader that converts svmlight rows to dense rows.
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
	return (&svmReader{lines: lines{r: b}, cols: opts.Cols, first: opts.FirstIndex}).read
}

type svmReader struct {
	lines lines
	cols  int // 0: the largest index of a row
	first FirstIndex
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
	x, err := s.join(&rows)
	if err != nil {
		return nil, err
	}
	return &SparseSet{X: x, Y: rows.y}, nil
}

// join returns all rows, with columns from 0. The first batch decides which index is the first.
func (s *svmReader) join(rows *svmlight) (*rkhs.Sparse, error) {
	if s.first == DetectIndex {
		s.first = FromOne
		if rows.zero {
			s.first = FromZero
		}
	}
	x := rows.join()
	if s.first == FromOne {
		for k := range x.Columns {
			x.Columns[k]--
		}
		x.Cols--
	}
	if s.cols > 0 && x.Cols > s.cols {
		return nil, fmt.Errorf("index %d, want at most %d, because indices begin at 0 and Cols = %d: %w", x.Cols-1, s.cols-1, s.cols, rkhs.ErrShape)
	}
	if x.Cols = cmp.Or(s.cols, x.Cols); x.Cols <= 0 {
		return nil, fmt.Errorf("no row has a feature: %w", rkhs.ErrEmpty)
	}
	return x, nil
}

func (s *svmReader) appendRow(rows *svmlight, line []byte) error {
	line, _, _ = bytes.Cut(line, []byte{'#'})
	for position, more := 1, true; more; position++ {
		var field []byte
		var err error
		field, line, more, err = cut(line, ' ')
		switch {
		case err != nil:
		case position == 1:
			var v float64
			v, err = label(field)
			rows.y = append(rows.y, v)
		case position == 2 && bytes.HasPrefix(field, []byte("qid:")):
			err = checkQuery(field)
		default:
			err = s.appendFeature(rows, field)
		}
		if err != nil {
			return fmt.Errorf("line %d, field %d: %w", s.lines.number, position, err)
		}
	}
	if err := rows.endRow(); err != nil {
		return fmt.Errorf("line %d: %w", s.lines.number, err)
	}
	return nil
}

// label returns the target of a row.
func label(field []byte) (float64, error) {
	v, err := number(field)
	switch {
	case err != nil && bytes.IndexByte(field, ',') > 0:
		return 0, fmt.Errorf("%q lists several labels, want one target per row, such as one file per label: %w", clip(field), rkhs.ErrFormat)
	case err != nil && bytes.IndexByte(field, ':') > 0:
		return 0, fmt.Errorf("%q is a feature, want the target of the row first: %w", clip(field), rkhs.ErrFormat)
	}
	return v, err
}

// appendFeature appends a field index:value.
func (s *svmReader) appendFeature(rows *svmlight, field []byte) error {
	name, value, ok := bytes.Cut(field, []byte{':'})
	index, err := strconv.ParseUint(string(name), 10, 64)
	switch {
	case !ok || err != nil:
		return fmt.Errorf("%q is not index:value with an index of at most %d: %w", clip(field), maxIndex, rkhs.ErrFormat)
	case index > maxIndex:
		return fmt.Errorf("index %d, want at most %d: %w", index, maxIndex, rkhs.ErrFormat)
	case index == 0 && s.first == FromOne:
		return fmt.Errorf("index 0 after rows with indices from 1 (Options.FirstIndex = FromZero reads indices from 0): %w", rkhs.ErrFormat)
	case s.cols > 0 && index > uint64(s.cols):
		return fmt.Errorf("index %d, want at most Cols = %d: %w", index, s.cols, rkhs.ErrShape)
	}
	v, err := number(value)
	rows.append(int32(index), v)
	return err
}

// checkQuery checks the number of a query, which only ranking uses.
func checkQuery(field []byte) error {
	if _, err := strconv.ParseUint(string(field[len("qid:"):]), 10, 64); err != nil {
		return fmt.Errorf("%q is not qid:number: %w", clip(field), rkhs.ErrFormat)
	}
	return nil
}

// svmlight collects rows, with the indices of the file. Their elements are in chunks: slices that
// grow would leave several times their size as garbage.
type svmlight struct {
	y      []float64
	x      rkhs.Sparse // the last chunk of elements, and the offsets of all rows
	before []rkhs.Sparse
	count  int  // elements of the chunks before
	zero   bool // there is an index 0
}

// chunkSize is the number of elements after which a new chunk begins.
const chunkSize = 1 << 15

func (s *svmlight) append(index int32, v float64) {
	s.x.Columns, s.x.Values = append(s.x.Columns, index), append(s.x.Values, v)
	s.x.Cols = max(s.x.Cols, int(index)+1)
	s.zero = s.zero || index == 0
}

// endRow sorts the elements of a row.
func (s *svmlight) endRow() error {
	from := s.x.Offsets[len(s.x.Offsets)-1] - s.count
	columns, values := s.x.Columns[from:], s.x.Values[from:]
	if !slices.IsSorted(columns) {
		sort.Sort(byColumn{columns, values})
	}
	for k := 1; k < len(columns); k++ {
		if columns[k] == columns[k-1] {
			return fmt.Errorf("index %d occurs twice: %w", columns[k], rkhs.ErrFormat)
		}
	}
	n := len(s.x.Columns)
	s.x.Offsets = append(s.x.Offsets, s.count+n)
	if n >= chunkSize {
		s.before = append(s.before, s.x)
		s.count += n
		s.x.Columns, s.x.Values = make([]int32, 0, chunkSize+chunkSize/8), make([]float64, 0, chunkSize+chunkSize/8)
	}
	return nil
}

// byColumn sorts the elements of a row by column.
type byColumn struct {
	columns []int32
	values  []float64
}

func (e byColumn) Len() int           { return len(e.columns) }
func (e byColumn) Less(i, j int) bool { return e.columns[i] < e.columns[j] }
func (e byColumn) Swap(i, j int) {
	e.columns[i], e.columns[j] = e.columns[j], e.columns[i]
	e.values[i], e.values[j] = e.values[j], e.values[i]
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
