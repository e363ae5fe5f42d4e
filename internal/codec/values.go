package codec

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Encoder appends little-endian values to a payload. The zero value is ready to use.
type Encoder struct{ buf []byte }

// Payload returns the bytes written so far.
func (e *Encoder) Payload() []byte { return e.buf }

// Uint64 writes v in eight bytes.
func (e *Encoder) Uint64(v uint64) { e.buf = binary.LittleEndian.AppendUint64(e.buf, v) }

// Int writes v in eight bytes.
func (e *Encoder) Int(v int) { e.Uint64(uint64(int64(v))) }

// Byte writes v.
func (e *Encoder) Byte(v byte) { e.buf = append(e.buf, v) }

// Bool writes v in one byte.
func (e *Encoder) Bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.Byte(b)
}

// Float64 writes the bits of v.
func (e *Encoder) Float64(v float64) { e.Uint64(math.Float64bits(v)) }

// Float64s writes the length of v and its elements.
func (e *Encoder) Float64s(v []float64) { list(e, v, e.Float64) }

// Ints writes the length of v and its elements.
func (e *Encoder) Ints(v []int) { list(e, v, e.Int) }

// Bytes writes the length of v and v.
func (e *Encoder) Bytes(v []byte) {
	e.Int(len(v))
	e.buf = append(e.buf, v...)
}

// String writes the length of s in bytes and s.
func (e *Encoder) String(s string) {
	e.Int(len(s))
	e.buf = append(e.buf, s...)
}

// Matrix writes the dimensions of m and its elements by rows.
func (e *Encoder) Matrix(m blas64.General) {
	e.Int(m.Rows)
	e.Int(m.Cols)
	for i := range m.Rows {
		for _, x := range m.Data[i*m.Stride : i*m.Stride+m.Cols] {
			e.Float64(x)
		}
	}
}

// Decoder reads the payload of an Encoder. After the first error, which Err and Close return, all reads
// return zero values. It checks sizes against the remaining bytes before it allocates.
type Decoder struct {
	buf []byte
	err error
}

// NewDecoder returns a Decoder of payload, which it does not copy.
func NewDecoder(payload []byte) *Decoder { return &Decoder{buf: payload} }

// Err returns the first error.
func (d *Decoder) Err() error { return d.err }

// Close returns the first error, or an error if bytes remain.
func (d *Decoder) Close() error {
	if d.err == nil && len(d.buf) > 0 {
		d.Fail("%d bytes too many", len(d.buf))
	}
	return d.err
}

// Fail records an error of the contents, rkhs.ErrFormat, unless there is one.
func (d *Decoder) Fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
}

// next returns the next n bytes.
func (d *Decoder) next(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n > len(d.buf) {
		d.Fail("truncated: %d bytes wanted, %d left", n, len(d.buf))
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

// Uint64 reads eight bytes.
func (d *Decoder) Uint64() uint64 {
	b := d.next(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Int reads an integer that fits int.
func (d *Decoder) Int() int {
	v := int64(d.Uint64())
	if int64(int(v)) != v {
		d.Fail("integer %d does not fit", v)
		return 0
	}
	return int(v)
}

// Enum reads a value of an enumeration with the given last value.
func Enum[T ~uint8](d *Decoder, last T) T {
	v := d.Int()
	if v < 0 || v > int(last) {
		d.Fail("%d is not one of the values 0 to %d", v, last)
		return 0
	}
	return T(v)
}

// Byte reads one byte.
func (d *Decoder) Byte() byte {
	b := d.next(1)
	if b == nil {
		return 0
	}
	return b[0]
}

// Bool reads one byte, 0 or 1.
func (d *Decoder) Bool() bool {
	b := d.Byte()
	if b > 1 {
		d.Fail("boolean %d", b)
	}
	return b == 1
}

// Float64 reads any number.
func (d *Decoder) Float64() float64 { return math.Float64frombits(d.Uint64()) }

// Finite reads a number and fails if it is not finite.
func (d *Decoder) Finite() float64 {
	v := d.Float64()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		d.Fail("number %v is not finite", v)
	}
	return v
}

// Count reads a number of elements of the given size in bytes. It fails unless enough bytes remain.
func (d *Decoder) Count(size int) int {
	n := d.Int()
	if n < 0 || n > len(d.buf)/size {
		d.Fail("%d elements of %d bytes announced, %d bytes left", n, size, len(d.buf))
		return 0
	}
	return n
}

// Float64s reads a list of finite numbers.
func (d *Decoder) Float64s() []float64 {
	v := make([]float64, d.Count(8))
	for i := range v {
		v[i] = d.Finite()
	}
	return v
}

// Ints reads a list of integers.
func (d *Decoder) Ints() []int {
	v := make([]int, d.Count(8))
	for i := range v {
		v[i] = d.Int()
	}
	return v
}

// Labels reads the labels of a classifier: at least two ascending integers.
func (d *Decoder) Labels() []int {
	v := d.Ints()
	if len(v) < 2 {
		d.Fail("%d labels", len(v))
	}
	for i := 1; i < len(v); i++ {
		if v[i] <= v[i-1] {
			d.Fail("labels %d and %d are not ascending", v[i-1], v[i])
		}
	}
	return v
}

// Weights reads the positive, finite weights of rows, or nil.
func (d *Decoder) Weights(rows int) []float64 {
	w := d.Float64s()
	if len(w) == 0 {
		return nil
	}
	if len(w) != rows {
		d.Fail("%d weights of %d rows", len(w), rows)
	}
	for _, v := range w {
		if !(v > 0 && v-v == 0) {
			d.Fail("a weight of %v", v)
		}
	}
	return w
}

// Bytes reads a list of bytes, which shares the payload.
func (d *Decoder) Bytes() []byte { return d.next(d.Count(1)) }

// String reads a string.
func (d *Decoder) String() string { return string(d.Bytes()) }

// Matrix reads a matrix of finite numbers.
func (d *Decoder) Matrix() blas64.General {
	r, c := d.Int(), d.Int()
	left := len(d.buf) / 8
	if r < 0 || c < 0 || (c > 0 && r > left/c) {
		d.Fail("%d×%d matrix announced, %d numbers left", r, c, left)
		return blas64.General{Stride: 1}
	}
	m := blas64.General{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
	for i := range m.Data {
		m.Data[i] = d.Finite()
	}
	return m
}
