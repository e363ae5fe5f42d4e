package codec_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/codec"
)

type colour uint8

const lastColour colour = 2

// record has a field of every type that Fields accepts.
type record struct {
	count  int
	bytes  int64
	seed   uint64
	on     bool
	value  float64
	list   []float64
	labels []int
	matrix blas64.General
	colour colour
}

func (r *record) fields() []any {
	return []any{&r.count, &r.bytes, &r.seed, &r.on, &r.value, &r.list, &r.labels, &r.matrix, codec.OneOf(&r.colour, lastColour)}
}

// One list of fields writes and reads a struct, including infinite numbers.
func TestFields(t *testing.T) {
	r := record{-3, 1 << 40, 1 << 63, true, math.Inf(1), []float64{1.5}, []int{7, -1}, blas64.General{Rows: 1, Cols: 2, Stride: 2, Data: []float64{1, 2}}, 2}
	var e codec.Encoder
	e.Fields(r.fields()...)
	var got record
	d := codec.NewDecoder(e.Payload())
	d.Fields(got.fields()...)
	if err := d.Close(); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("read %+v, %v, wrote %+v", got, err, r)
	}
	r.colour = lastColour + 1
	var bad codec.Encoder
	bad.Fields(r.fields()...)
	d = codec.NewDecoder(bad.Payload())
	if d.Fields(got.fields()...); !errors.Is(d.Close(), codec.ErrFormat) {
		t.Errorf("a value beyond the last: %v", d.Err())
	}
}

// An unfitted value has no file.
func TestFileOfUnfitted(t *testing.T) {
	f := codec.Format[record]{
		Kind: "toy record",
		Decode: func(d *codec.Decoder) (r record) {
			d.Fields(r.fields()...)
			return r
		},
		Encode: func(r *record, e *codec.Encoder) error { e.Fields(r.fields()...); return nil },
		Fitted: func(r *record) bool { return r != nil && r.count > 0 },
	}
	for _, r := range []*record{nil, {}} {
		if _, err := f.File(r); !errors.Is(err, codec.ErrUnfitted) {
			t.Errorf("%v: error %v, want %v", r, err, codec.ErrUnfitted)
		}
	}
	data, err := f.File(&record{count: 2})
	var got record
	if err := errors.Join(err, f.Unmarshal(&got, data)); err != nil || got.count != 2 {
		t.Errorf("read %+v, %v", got, err)
	}
}
