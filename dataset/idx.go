package dataset

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/rkhs-go/rkhs"
)

// ReadIDX reads an IDX file: an array of any number of dimensions and of one of
// the element types uint8, int8, int16, int32, float32 and float64, as the page
// of the MNIST set defines them. It returns the dimensions and the elements, the
// last dimension varying fastest; bytes become 0 … 255.
//
// Errors wrap rkhs.ErrFormat (a header that is none, a file that ends early or
// late) or rkhs.ErrNotFinite and name row and column, where a row is all that
// one index of the first dimension holds; rkhs.ErrEmpty if a dimension is 0.
// O(elements). Space is taken for at most 8 times the elements that have been
// read, or for 8 MiB, whatever the header declares.
func ReadIDX(r io.Reader) (dims []int, values []float64, err error) {
	x, err := newIDXReader(r)
	if err == nil {
		values, err = x.values(x.rows)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("dataset: %w", err)
	}
	return x.dims, values, nil
}

// idxReader reads the rows of an IDX file forward.
type idxReader struct {
	r       io.Reader
	dims    []int
	rows    int // as declared: the first dimension
	columns int // the product of the others
	done    int // rows read
	element element
	buffer  []byte
}

func newIDXReader(source io.Reader) (*idxReader, error) {
	r, err := inflate(source)
	if err != nil {
		return nil, err
	}
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if err == io.EOF {
			return nil, noRows(err)
		}
		return nil, fmt.Errorf("IDX header: %w", damage(err))
	}
	e, ok := elements[head[2]]
	if head[0] != 0 || head[1] != 0 || !ok || head[3] == 0 {
		return nil, fmt.Errorf("% x does not begin an IDX file: %w", head, rkhs.ErrFormat)
	}
	x := &idxReader{r: r, dims: make([]int, head[3]), element: e, buffer: make([]byte, bufferSize)}
	return x, x.readDims()
}

func (x *idxReader) readDims() error {
	sizes := make([]byte, 4*len(x.dims))
	if _, err := io.ReadFull(x.r, sizes); err != nil {
		return fmt.Errorf("IDX dimensions: %w", damage(err))
	}
	total := uint64(1)
	for i := range x.dims {
		d := binary.BigEndian.Uint32(sizes[4*i:])
		if d == 0 {
			return fmt.Errorf("IDX dimension %d is 0: %w", i+1, rkhs.ErrEmpty)
		}
		if total > math.MaxInt/8/uint64(d) {
			return fmt.Errorf("IDX dimensions up to %d multiply to more than memory can address: %w", i+1, rkhs.ErrFormat)
		}
		total *= uint64(d)
		x.dims[i] = int(d)
	}
	x.rows = x.dims[0]
	x.columns = int(total) / x.rows
	return nil
}

func (x *idxReader) read(n int) (*Set, error) {
	v, err := x.values(n)
	if err != nil {
		return nil, err
	}
	return newSet(len(v)/x.columns, v, nil), nil
}

// values returns the elements of the next rows, at most n, or io.EOF. With the
// last row it checks that the file ends there.
func (x *idxReader) values(n int) ([]float64, error) {
	n = min(n, x.rows-x.done)
	if n == 0 {
		return nil, io.EOF
	}
	v, err := x.elements(n * x.columns)
	if err != nil {
		return nil, err
	}
	if x.done += n; x.done < x.rows {
		return v, nil
	}
	switch _, err := io.ReadFull(x.r, x.buffer[:1]); {
	case err == nil:
		return nil, fmt.Errorf("the file goes on after row %d, its last: %w", x.rows, rkhs.ErrFormat)
	case err != io.EOF:
		return nil, fmt.Errorf("after row %d: %w", x.rows, damage(err))
	}
	return v, nil
}

// elements returns the next count elements. Space grows eightfold with what
// has been read, as the declared count may be a lie.
func (x *idxReader) elements(count int) ([]float64, error) {
	const first = 1 << 20
	v := make([]float64, 0, min(count, first))
	for len(v) < count {
		if len(v) == cap(v) {
			v = append(make([]float64, 0, min(count, 8*cap(v))), v...)
		}
		from := len(v)
		v = v[:min(cap(v), from+len(x.buffer)/x.element.size)]
		chunk := x.buffer[:(len(v)-from)*x.element.size]
		if got, err := io.ReadFull(x.r, chunk); err != nil {
			return nil, x.at(from+got/x.element.size, damage(err))
		}
		x.element.convert(v[from:], chunk)
		for i, e := range v[from:] {
			if e-e != 0 {
				return nil, x.at(from+i, fmt.Errorf("%v: %w", e, rkhs.ErrNotFinite))
			}
		}
	}
	return v, nil
}

// at names the place of an element, counted from the first unread row.
func (x *idxReader) at(element int, err error) error {
	return fmt.Errorf("row %d of %d, column %d: %w", x.done+element/x.columns+1, x.rows, element%x.columns+1, err)
}

// element is the type of the elements of an IDX file.
type element struct {
	size    int // bytes
	convert func(dst []float64, src []byte)
}

// elements are keyed by the type byte of the header. Numbers are big-endian.
var elements = map[byte]element{
	0x08: {1, func(dst []float64, src []byte) {
		for i, b := range src {
			dst[i] = float64(b)
		}
	}},
	0x09: {1, func(dst []float64, src []byte) {
		for i, b := range src {
			dst[i] = float64(int8(b))
		}
	}},
	0x0b: {2, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = float64(int16(binary.BigEndian.Uint16(src[2*i:])))
		}
	}},
	0x0c: {4, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = float64(int32(binary.BigEndian.Uint32(src[4*i:])))
		}
	}},
	0x0d: {4, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = float64(math.Float32frombits(binary.BigEndian.Uint32(src[4*i:])))
		}
	}},
	0x0e: {8, func(dst []float64, src []byte) {
		for i := range dst {
			dst[i] = math.Float64frombits(binary.BigEndian.Uint64(src[8*i:]))
		}
	}},
}
