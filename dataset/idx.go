package dataset

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// ReadIDX reads an IDX file, the format of the MNIST set: an array of any dimensions with elements
// of type uint8, int8, int16, int32, float32 or float64. It returns the dimensions and the
// elements; the last dimension varies fastest.
//
// Errors wrap rkhs.ErrFormat or rkhs.ErrNotFinite with row and column, where a row is one index of
// the first dimension; rkhs.ErrEmpty if a dimension is 0. O(elements). Memory is at most 8 times
// the elements read so far, or 8 MiB, for any declared size.
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

// idxReader reads the rows of an IDX file.
type idxReader struct {
	r       io.Reader
	dims    []int
	rows    int // the first dimension
	columns int // the product of the other dimensions
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
	return &Set{X: mat.NewDense(len(v)/x.columns, x.columns, v)}, nil
}

// values returns the elements of the next rows, at most n, or io.EOF. The file must end after the
// last row.
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

// elements returns the next count elements. Memory grows eightfold with the elements read, because
// the declared count may be wrong.
func (x *idxReader) elements(count int) ([]float64, error) {
	const initial = 1 << 20
	size := x.element.size
	v := make([]float64, 0, min(count, initial))
	for len(v) < count {
		if len(v) == cap(v) {
			v = append(make([]float64, 0, min(count, 8*cap(v))), v...)
		}
		from := len(v)
		v = v[:min(cap(v), from+len(x.buffer)/size)]
		chunk := x.buffer[:(len(v)-from)*size]
		if got, err := io.ReadFull(x.r, chunk); err != nil {
			return nil, x.at(from+got/size, damage(err))
		}
		for i := from; i < len(v); i++ {
			v[i] = x.element.value(chunk[(i-from)*size:])
			if v[i]-v[i] != 0 {
				return nil, x.at(i, fmt.Errorf("%v: %w", v[i], rkhs.ErrNotFinite))
			}
		}
	}
	return v, nil
}

// at adds the row and column of an element, counted from the first unread row, to an error.
func (x *idxReader) at(element int, err error) error {
	return fmt.Errorf("row %d of %d, column %d: %w", x.done+element/x.columns+1, x.rows, element%x.columns+1, err)
}

// element is an element type with its size in bytes.
type element struct {
	size  int
	value func([]byte) float64
}

// elements maps the type byte of the header. Numbers are big-endian.
var elements = map[byte]element{
	0x08: {1, func(b []byte) float64 { return float64(b[0]) }},
	0x09: {1, func(b []byte) float64 { return float64(int8(b[0])) }},
	0x0b: {2, func(b []byte) float64 { return float64(int16(binary.BigEndian.Uint16(b))) }},
	0x0c: {4, func(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) }},
	0x0d: {4, func(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }},
	0x0e: {8, func(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }},
}

// LoadIDXPair reads two IDX files, of images (or other rows) and of their labels. Gzip may compress
// them. The pixels of an image become a row, line by line.
//
// Errors are as for ReadIDX, and rkhs.ErrShape unless there is one label per image.
func LoadIDXPair(images, labels string) (*Set, error) {
	return first(batches(images+" and "+labels, math.MaxInt, func(f *files) (reader[*Set], error) {
		r, err := f.contents(images)
		if err != nil {
			return nil, err
		}
		return f.openPair(r, labels)
	}))
}

// openPair returns a reader of the images in r with the labels in the file at a path.
func (f *files) openPair(r io.Reader, labels string) (reader[*Set], error) {
	l, err := f.contents(labels)
	if err != nil {
		return nil, err
	}
	p := new(pairReader)
	if p.images, err = newIDXReader(r); err != nil {
		return nil, fmt.Errorf("images: %w", err)
	}
	if p.labels, err = newIDXReader(l); err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	if len(p.labels.dims) != 1 || p.images.rows != p.labels.rows {
		return nil, fmt.Errorf("labels of dimensions %v for images of dimensions %v: %w", p.labels.dims, p.images.dims, rkhs.ErrShape)
	}
	return p.read, nil
}

// pairReader reads images and their labels.
type pairReader struct {
	images, labels *idxReader
}

func (p *pairReader) read(n int) (*Set, error) {
	y, err := p.labels.values(n)
	if err == io.EOF {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	s, err := p.images.read(n)
	if err != nil {
		return nil, fmt.Errorf("images: %w", err)
	}
	s.Y = y
	return s, nil
}

// labelsPath returns the path of the labels of a file of images.
func labelsPath(images string) (string, error) {
	dir, name := filepath.Split(images)
	if !strings.Contains(name, "images") {
		return "", fmt.Errorf("the name has no \"images\" to replace by \"labels\": %w", rkhs.ErrFormat)
	}
	name = strings.Replace(name, "images", "labels", 1)
	return filepath.Join(dir, strings.Replace(name, "idx3", "idx1", 1)), nil
}
