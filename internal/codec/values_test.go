package codec_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

func strided() blas64.General {
	return blas64.General{Rows: 2, Cols: 3, Stride: 5, Data: []float64{1, 2, 3, 99, 99, 4, 5, -6}}
}

// encodeAll writes one of each kind of value.
func encodeAll() []byte {
	var e codec.Encoder
	e.Uint64(math.MaxUint64)
	e.Int(math.MinInt)
	e.Bool(true)
	e.Bool(false)
	e.Float64(math.Copysign(0, -1))
	e.Float64s([]float64{1.5, math.SmallestNonzeroFloat64, -math.MaxFloat64})
	e.Float64s(nil)
	e.Ints([]int{3, -4, math.MaxInt})
	e.Ints([]int{-4, 3, math.MaxInt})
	e.Bytes([]byte("raw"))
	e.String("Müller")
	e.Matrix(strided())
	e.Matrix(blas64.General{Rows: 0, Cols: 4, Stride: 4})
	return e.Payload()
}

// decodeAll reads the values of encodeAll.
func decodeAll(d *codec.Decoder) []any {
	return []any{d.Uint64(), d.Int(), d.Bool(), d.Bool(), math.Signbit(d.Finite()), d.Float64s(), d.Float64s(),
		d.Ints(), d.Labels(), string(d.Bytes()), d.String(), d.Matrix(), d.Matrix()}
}

func TestValuesRoundTrip(t *testing.T) {
	d := codec.NewDecoder(encodeAll())
	want := []any{uint64(math.MaxUint64), math.MinInt, true, false, true,
		[]float64{1.5, math.SmallestNonzeroFloat64, -math.MaxFloat64}, []float64{},
		[]int{3, -4, math.MaxInt}, []int{-4, 3, math.MaxInt}, "raw", "Müller",
		blas64.General{Rows: 2, Cols: 3, Stride: 3, Data: []float64{1, 2, 3, 4, 5, -6}},
		blas64.General{Rows: 0, Cols: 4, Stride: 4, Data: []float64{}}}
	if got := decodeAll(d); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestFloat64KeepsBits uses any number, including NaN with a payload.
func TestFloat64KeepsBits(t *testing.T) {
	for _, bits := range []uint64{0, 1 << 63, 0x7ff8dead_beef0001, 0x7ff0000000000000, 0x3ff0000000000001} {
		var e codec.Encoder
		e.Float64(math.Float64frombits(bits))
		if got := math.Float64bits(codec.NewDecoder(e.Payload()).Float64()); got != bits {
			t.Errorf("got %016x, want %016x", got, bits)
		}
	}
}

func TestDecoderRefusesEveryTruncation(t *testing.T) {
	all := encodeAll()
	for n := range all {
		d := codec.NewDecoder(all[:n])
		decodeAll(d)
		if !errors.Is(d.Err(), rkhs.ErrFormat) || !errors.Is(d.Close(), rkhs.ErrFormat) {
			t.Fatalf("%d bytes of %d: error %v", n, len(all), d.Err())
		}
	}
}

func TestDecoderRefuses(t *testing.T) {
	payload := func(write func(*codec.Encoder)) *codec.Decoder {
		var e codec.Encoder
		write(&e)
		return codec.NewDecoder(e.Payload())
	}
	numbers := func(v ...int) *codec.Decoder {
		return payload(func(e *codec.Encoder) {
			for _, x := range v {
				e.Int(x)
			}
		})
	}
	for _, c := range []struct {
		name    string
		d       *codec.Decoder
		read    func(*codec.Decoder)
		message string
	}{
		{"boolean", codec.NewDecoder([]byte{2}), func(d *codec.Decoder) { d.Bool() }, "boolean 2"},
		{"NaN", payload(func(e *codec.Encoder) { e.Float64(math.NaN()) }), func(d *codec.Decoder) { d.Finite() }, "NaN"},
		{"infinity in a list", payload(func(e *codec.Encoder) { e.Float64s([]float64{1, math.Inf(-1)}) }), func(d *codec.Decoder) { d.Float64s() }, "-Inf"},
		{"negative length", numbers(-1, 0), func(d *codec.Decoder) { d.Float64s() }, "-1 elements"},
		{"long list", numbers(2, 0), func(d *codec.Decoder) { d.Ints() }, "2 elements of 8 bytes announced, 8 bytes left"},
		{"single label", numbers(1, 7), func(d *codec.Decoder) { d.Labels() }, "1 labels"},
		{"equal labels", numbers(3, -1, 4, 4), func(d *codec.Decoder) { d.Labels() }, "labels 4 and 4"},
		{"falling labels", numbers(2, 3, -3), func(d *codec.Decoder) { d.Labels() }, "labels 3 and -3"},
		{"long list of labels", numbers(2, 0), func(d *codec.Decoder) { d.Labels() }, "2 elements of 8 bytes announced, 8 bytes left"},
		{"longest list", numbers(math.MaxInt, 0), func(d *codec.Decoder) { d.Float64s() }, "elements"},
		{"long text", numbers(9, 0), func(d *codec.Decoder) { _ = d.String() }, "9 elements"},
		{"negative rows", numbers(-1, 2, 0, 0), func(d *codec.Decoder) { d.Matrix() }, "-1×2"},
		{"negative columns", numbers(1, -2, 0, 0), func(d *codec.Decoder) { d.Matrix() }, "1×-2"},
		{"large matrix", numbers(2, 2, 0, 0, 0), func(d *codec.Decoder) { d.Matrix() }, "2×2 matrix announced, 3 numbers left"},
		// The product of the dimensions is 0 in 64 bits.
		{"overflowing matrix", numbers(1<<32, 1<<32, 0), func(d *codec.Decoder) { d.Matrix() }, "matrix"},
		{"NaN in a matrix", payload(func(e *codec.Encoder) {
			e.Matrix(blas64.General{Rows: 1, Cols: 1, Stride: 1, Data: []float64{math.NaN()}})
		}), func(d *codec.Decoder) { d.Matrix() }, "NaN"},
		{"rest", numbers(1, 2), func(d *codec.Decoder) { d.Int() }, "8 bytes too many"},
		{"own", numbers(), func(d *codec.Decoder) { d.Fail("mu = %v", -1); d.Fail("second") }, "mu = -1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.read(c.d)
			err := c.d.Close()
			if !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("error %v, want one that wraps %v and says %q", err, rkhs.ErrFormat, c.message)
			}
		})
	}
}

// TestDecoderStaysFailed reads on after an error.
func TestDecoderStaysFailed(t *testing.T) {
	d := codec.NewDecoder(encodeAll())
	d.Fail("first")
	want := []any{uint64(0), 0, false, false, false, []float64{}, []float64{}, []int{}, []int{}, "", "",
		blas64.General{Stride: 1, Data: []float64{}}, blas64.General{Stride: 1, Data: []float64{}}}
	if got := decodeAll(d); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if d.Err() == nil || !strings.Contains(d.Err().Error(), "first") {
		t.Errorf("error %v", d.Err())
	}
}
