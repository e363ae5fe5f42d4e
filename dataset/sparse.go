package dataset

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/rkhs-go/rkhs"
)

// sparse holds rows of an svmlight file: of row i the target y[i], and, once they are joined, the
// indices, counted from 1, and values from end[i−1] to end[i].
type sparse struct {
	y      []float64
	end    []int
	index  []int32
	value  []float64
	cols   int      // the largest index
	before []listed // of the rows before those in index and value
	count  int      // of these
}

// listed are the elements of some rows.
type listed struct {
	index []int32
	value []float64
}

// mostListed is how many are appended to before others begin in memory of their own: what grows by
// copies leaves several times itself to be collected.
const mostListed = 1 << 15

// endRow ends a row.
func (s *sparse) endRow() {
	s.end = append(s.end, s.count+len(s.index))
	if len(s.index) < mostListed {
		return
	}
	s.before = append(s.before, listed{s.index, s.value})
	s.count += len(s.index)
	s.index, s.value = make([]int32, 0, mostListed+mostListed/8), make([]float64, 0, mostListed+mostListed/8)
}

// join puts the elements of all rows together.
func (s *sparse) join() {
	if len(s.before) == 0 {
		return
	}
	n := s.count + len(s.index)
	index, value := make([]int32, 0, n), make([]float64, 0, n)
	for _, e := range append(s.before, listed{s.index, s.value}) {
		index, value = append(index, e.index...), append(value, e.value...)
	}
	s.index, s.value, s.before, s.count = index, value, nil, 0
}

func (s *sparse) appendTarget(field []byte) error {
	v, err := number(field)
	s.y = append(s.y, v)
	return err
}

// appendFeature appends a field index:value and returns its index, which must be
// greater than last.
func (s *sparse) appendFeature(field []byte, last int) (int, error) {
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
	s.index, s.value = append(s.index, int32(index)), append(s.value, v)
	s.cols = max(s.cols, int(index))
	return int(index), err
}

// dense returns the rows with their zeros.
func (s *sparse) dense(opts Options) (*Set, error) {
	rows, cols := len(s.y), s.cols
	if opts.Cols > 0 {
		cols = opts.Cols
	}
	if cols == 0 {
		return nil, fmt.Errorf("no row has a feature: %w", rkhs.ErrEmpty)
	}
	if cols > opts.maxValues()/rows {
		return nil, fmt.Errorf("%d rows of %d columns would take %.1f GiB, more than MaxValues = %d numbers: %w",
			rows, cols, float64(rows)*float64(cols)/(1<<27), opts.maxValues(), rkhs.ErrMemory)
	}
	x := make([]float64, rows*cols)
	from := 0
	for i, end := range s.end {
		for k := from; k < end; k++ {
			x[i*cols+int(s.index[k])-1] = s.value[k]
		}
		from = end
	}
	return newSet(rows, x, s.y), nil
}
