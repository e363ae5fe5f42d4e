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

// The first byte of an encoded batch. All processes of a pipeline run the same program, so there is
// only one version of the format; the byte detects data of other kinds.
const (
	wideValues   = 0xb1 // Values are float64
	narrowValues = 0xb2 // Values are float32, which holds all of them
)

// Encode returns the bytes of a batch. It is the coder of a Batch. Numbers are little-endian.
// Values are four bytes each if float32 holds all of them, such as pixels and counts.
func Encode(b Batch) []byte {
	var counts []int32 // listed elements of each row
	if b.Offsets != nil {
		from, to := b.Offsets[0], b.Offsets[b.Rows]
		b.Columns, b.Values = b.Columns[from:to], b.Values[from:to]
		counts = make([]int32, b.Rows)
		for i := range counts {
			counts[i] = int32(b.Offsets[i+1] - b.Offsets[i])
		}
	}
	narrow := narrowed(b.Values)
	buf := make([]byte, 0, 128+len(b.Source)+8*(len(b.Values)+len(b.Targets)+len(b.Weights)+len(b.Lines))+
		4*(len(counts)+len(b.Columns))+16*len(b.Cells))
	if narrow != nil {
		buf = append(buf, narrowValues)
	} else {
		buf = append(buf, wideValues)
	}
	for _, n := range []int{b.Rows, b.Cols, b.Outputs, int(b.First)} {
		buf = binary.AppendUvarint(buf, uint64(n))
	}
	buf = appendText(buf, b.Source)
	buf = appendList(buf, b.Lines)
	buf = appendList(buf, counts)
	buf = appendList(buf, b.Columns)
	if narrow != nil {
		buf = appendList(buf, narrow)
	} else {
		buf = appendList(buf, b.Values)
	}
	buf = appendList(buf, b.Targets)
	buf = appendList(buf, b.Weights)
	buf = appendTexts(buf, b.Names)
	return appendTexts(buf, b.Cells)
}

// narrowed returns the values in single precision, or nil if that changes one of them.
func narrowed(values []float64) []float32 {
	if values == nil {
		return nil
	}
	list := make([]float32, len(values))
	for i, v := range values {
		list[i] = float32(v)
		if float64(list[i]) != v {
			return nil
		}
	}
	return list
}

// appendList appends the length of a list plus one, or 0 for nil, and the numbers.
func appendList[T any](buf []byte, list []T) []byte {
	if list == nil {
		return append(buf, 0)
	}
	buf = binary.AppendUvarint(buf, uint64(len(list))+1)
	buf, _ = binary.Append(buf, binary.LittleEndian, list) // lists of numbers do not fail
	return buf
}

func appendText(buf []byte, text string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...)
}

func appendTexts(buf []byte, texts []string) []byte {
	if texts == nil {
		return append(buf, 0)
	}
	buf = binary.AppendUvarint(buf, uint64(len(texts))+1)
	for _, text := range texts {
		buf = appendText(buf, text)
	}
	return buf
}

// Decode returns the batch of bytes that Encode returned. Errors wrap rkhs.ErrFormat. For any input
// it does not panic, and allocates at most a small multiple of the length.
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
	head := d.bytes(1)
	if head == nil || head[0] != wideValues && head[0] != narrowValues {
		d.fail("a head of %x", head)
		return b
	}
	b.Rows, b.Cols, b.Outputs, b.First = d.integer(), d.integer(), d.integer(), int64(d.integer())
	b.Source = d.text()
	b.Lines = list[int64](d)
	counts := list[int32](d)
	b.Columns = list[int32](d)
	if head[0] == narrowValues {
		narrow := list[float32](d)
		b.Values = make([]float64, len(narrow))
		for i, v := range narrow {
			b.Values[i] = float64(v)
		}
	} else {
		b.Values = list[float64](d)
	}
	b.Targets, b.Weights = list[float64](d), list[float64](d)
	b.Names, b.Cells = d.texts(), d.texts()
	if counts != nil {
		b.Offsets = []int{0}
		for i, n := range counts {
			b.Offsets = append(b.Offsets, b.Offsets[i]+int(n))
		}
		if end := b.Offsets[len(counts)]; end != len(b.Columns) {
			d.fail("%d columns listed, want %d", len(b.Columns), end)
		}
	}
	d.check(&b)
	return b
}

// check rejects a batch of wrong lengths and numbers that are not finite.
func (d *decoder) check(b *Batch) {
	if d.err != nil {
		return
	}
	if err := b.Check(); err != nil {
		d.fail("%v", err)
	}
	for _, values := range [][]float64{b.Values, b.Targets, b.Weights} {
		for _, v := range values {
			if v-v != 0 {
				d.fail("a number %v", v)
				return
			}
		}
	}
}

// integer reads a nonnegative varint.
func (d *decoder) integer() int {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 || v > math.MaxInt {
		d.fail("no integer in %d bytes", len(d.buf))
		return 0
	}
	d.buf = d.buf[n:]
	return int(v)
}

// bytes reads n bytes, or returns nil.
func (d *decoder) bytes(n int) []byte {
	if n > len(d.buf) {
		d.fail("%d bytes announced, %d left", n, len(d.buf))
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

// list reads the numbers that appendList wrote.
func list[T any](d *decoder) []T {
	n, size := d.integer()-1, binary.Size(*new(T))
	if n < 0 {
		return nil
	}
	if n > len(d.buf)/size {
		d.fail("%d numbers of %d bytes announced, %d bytes left", n, size, len(d.buf))
		return nil
	}
	numbers := make([]T, n)
	_, _ = binary.Decode(d.bytes(n*size), binary.LittleEndian, numbers) // the length is right
	return numbers
}

func (d *decoder) text() string { return string(d.bytes(d.integer())) }

func (d *decoder) texts() []string {
	n := d.integer() - 1
	if n < 0 {
		return nil
	}
	if n > len(d.buf) {
		d.fail("%d texts announced, %d bytes left", n, len(d.buf))
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		texts[i] = d.text()
	}
	return texts
}
