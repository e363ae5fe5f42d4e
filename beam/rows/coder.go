package rows

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rkhs-go/rkhs"
)

func init() {
	register.Function1x1(Encode)
	register.Function1x2(Decode)
	beam.RegisterCoder(reflect.TypeOf(Batch{}), Encode, Decode)
}

// version is that of the bytes of a batch, the first of them. Both ends of a pipeline run the
// same program, so that there is one version at a time: it tells other bytes apart.
const version = 0xb1

// What a batch has, in the second byte.
const (
	hasOffsets = 1 << iota
	hasWeights
	hasNames
	hasLines
	narrow // all values are float32 numbers
	unknownBits
)

// Encode returns the bytes of a batch: its numbers, little-endian, of four bytes each where all
// values are numbers of float32, as pixels and counts are, or else of eight, and counts and
// indices as varints, of columns as differences. It is the coder of a Batch.
func Encode(b Batch) []byte {
	bits, size := byte(0), 8
	if b.Offsets != nil {
		bits |= hasOffsets
	}
	if b.Weights != nil {
		bits |= hasWeights
	}
	if b.Names != nil {
		bits |= hasNames
	}
	if b.Lines != nil {
		bits |= hasLines
	}
	if isNarrow(b.Values) {
		bits, size = bits|narrow, 4
	}
	buf := make([]byte, 0, 64+len(b.Source)+size*len(b.Values)+8*(len(b.Targets)+len(b.Weights))+2*(len(b.Offsets)+len(b.Columns))+16*len(b.Cells))
	buf = append(buf, version, bits)
	for _, v := range []int{b.Rows, b.Cols, b.Outputs, int(b.First)} {
		buf = binary.AppendUvarint(buf, uint64(v))
	}
	buf = appendText(buf, b.Source)
	if bits&hasLines != 0 {
		last := int64(0)
		for _, line := range b.Lines {
			buf = binary.AppendUvarint(buf, uint64(line-last))
			last = line
		}
	}
	if bits&hasOffsets != 0 {
		b = b.compact()
		buf = appendSparse(buf, b)
	}
	if bits&narrow != 0 {
		for _, v := range b.Values {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(float32(v)))
		}
	} else {
		buf = appendNumbers(buf, b.Values)
	}
	buf = appendNumbers(buf, b.Targets)
	buf = appendNumbers(buf, b.Weights)
	if bits&hasNames != 0 {
		buf = binary.AppendUvarint(buf, uint64(len(b.Names)))
		for _, texts := range [][]string{b.Names, b.Cells} {
			for _, text := range texts {
				buf = appendText(buf, text)
			}
		}
	}
	return buf
}

// isNarrow tells whether float32 holds all values.
func isNarrow(values []float64) bool {
	for _, v := range values {
		if float64(float32(v)) != v {
			return false
		}
	}
	return true
}

// compact returns b of which the offsets begin at 0 and no values are left over, as a slice of
// a batch has them.
func (b *Batch) compact() Batch {
	c := *b
	from, to := b.Offsets[0], b.Offsets[b.Rows]
	c.Columns, c.Values = b.Columns[from:to], b.Values[from:to]
	return c
}

// appendSparse appends, row by row, the number of columns and their differences.
func appendSparse(buf []byte, b Batch) []byte {
	first := b.Offsets[0]
	for i := range b.Rows {
		from, to := b.Offsets[i]-first, b.Offsets[i+1]-first
		buf = binary.AppendUvarint(buf, uint64(to-from))
		last := int32(-1)
		for _, j := range b.Columns[from:to] {
			buf = binary.AppendUvarint(buf, uint64(j-last))
			last = j
		}
	}
	return buf
}

func appendNumbers(buf []byte, values []float64) []byte {
	for _, v := range values {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
	}
	return buf
}

func appendText(buf []byte, text string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}

// Decode returns the batch that Encode wrote. Other bytes are an error that wraps
// rkhs.ErrFormat; none makes it panic, or allocate more than a small multiple of their number.
func Decode(data []byte) (Batch, error) {
	d := decoder{buf: data}
	b := d.batch()
	if d.err == nil && len(d.buf) > 0 {
		d.fail("%d bytes too many", len(d.buf))
	}
	if d.err != nil {
		return Batch{}, fmt.Errorf("rows: bytes of a batch: %w", d.err)
	}
	return b, nil
}

// decoder reads forward. After the first error it reads zeros.
type decoder struct {
	buf []byte
	err error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), rkhs.ErrFormat)
	}
	d.buf = nil
}

func (d *decoder) batch() (b Batch) {
	head := d.take(2, 1)
	if head == nil {
		return b
	}
	bits := head[1]
	if head[0] != version || bits >= unknownBits {
		d.fail("a head of %x", head)
		return b
	}
	b.Rows, b.Cols, b.Outputs, b.First = d.integer(), d.integer(), d.integer(), int64(d.integer())
	b.Source = d.text()
	if bits&hasLines != 0 {
		b.Lines = d.lines(b.Rows)
	}
	values := 0
	if bits&hasOffsets != 0 {
		d.sparse(&b)
		values = len(b.Columns)
	} else {
		values = d.times(b.Rows, b.Cols)
	}
	b.Values = d.values(values, bits&narrow != 0)
	b.Targets = d.values(d.times(b.Rows, b.Outputs), false)
	if bits&hasWeights != 0 {
		if b.Weights = d.values(b.Rows, false); b.Weights == nil {
			b.Weights = []float64{}
		}
	}
	if bits&hasNames != 0 {
		n := d.integer()
		b.Names = d.texts(n)
		b.Cells = d.texts(d.times(b.Rows, n))
	}
	if d.err == nil {
		if err := b.Check(); err != nil {
			d.fail("%v", err)
		}
	}
	return b
}

// sparse reads what appendSparse wrote.
func (d *decoder) sparse(b *Batch) {
	if b.Rows > len(d.buf) || b.Cols > math.MaxInt32 {
		d.fail("%d sparse rows of %d columns, %d bytes left", b.Rows, b.Cols, len(d.buf))
		return
	}
	b.Offsets = make([]int, 1, b.Rows+1)
	for range b.Rows {
		n, last := d.integer(), -1
		if n > len(d.buf) {
			d.fail("%d columns announced, %d bytes left", n, len(d.buf))
			return
		}
		for range n {
			step := d.integer()
			if step < 1 || step > b.Cols-1-last {
				d.fail("a column %d behind %d of %d", step, last, b.Cols)
				return
			}
			last += step
			b.Columns = append(b.Columns, int32(last))
		}
		b.Offsets = append(b.Offsets, len(b.Columns))
	}
}

// lines reads numbers that ascend from their differences.
func (d *decoder) lines(n int) []int64 {
	if n > len(d.buf) {
		d.fail("%d lines announced, %d bytes left", n, len(d.buf))
		return nil
	}
	lines, last := make([]int64, n), 0
	for i := range lines {
		step := d.integer()
		if step < 1 || step > math.MaxInt-last {
			d.fail("line %d+%d", last, step)
			return nil
		}
		last += step
		lines[i] = int64(last)
	}
	return lines
}

// integer reads a varint that is not negative as an int.
func (d *decoder) integer() int {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 || v > math.MaxInt {
		d.fail("no integer in %d bytes", len(d.buf))
		return 0
	}
	d.buf = d.buf[n:]
	return int(v)
}

// times returns a·b, and fails if there cannot be so many elements in what is left.
func (d *decoder) times(a, b int) int {
	if b > 0 && a > len(d.buf)/b {
		d.fail("%d×%d elements announced, %d bytes left", a, b, len(d.buf))
		return 0
	}
	return a * b
}

// take returns the bytes of n elements, or nil.
func (d *decoder) take(n, size int) []byte {
	if n > len(d.buf)/size {
		d.fail("%d elements of %d bytes announced, %d bytes left", n, size, len(d.buf))
		return nil
	}
	b := d.buf[:n*size]
	d.buf = d.buf[n*size:]
	return b
}

// values reads n finite numbers; none are nil.
func (d *decoder) values(n int, narrow bool) []float64 {
	size := 8
	if narrow {
		size = 4
	}
	b := d.take(n, size)
	if len(b) == 0 {
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		if narrow {
			v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		} else {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		if v[i]-v[i] != 0 {
			d.fail("a number %v", v[i])
			return nil
		}
	}
	return v
}

func (d *decoder) text() string { return string(d.take(d.integer(), 1)) }

func (d *decoder) texts(n int) []string {
	if n > len(d.buf) {
		d.fail("%d texts announced, %d bytes left", n, len(d.buf))
		return nil
	}
	t := make([]string, n)
	for i := range t {
		t[i] = d.text()
	}
	return t
}
