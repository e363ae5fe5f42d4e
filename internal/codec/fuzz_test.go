package codec_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// within checks that do allocates at most a small multiple of n bytes, in addition to the chunk
// in which a stream is read.
func within(t *testing.T, n int, do func()) {
	t.Helper()
	if got := testutil.Allocated(do); got > uint64(16*n)+4<<20 {
		t.Errorf("%d bytes were allocated for an input of %d", got, n)
	}
}

// FuzzUnmarshal reads any bytes by both decoders. They must agree, and accept only the output
// of Marshal.
func FuzzUnmarshal(f *testing.F) {
	data := codec.Marshal(kind, 1, payload)
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add(append(bytes.Clone(data), 0))
	f.Add(codec.Marshal("", 0, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		within(t, len(data), func() {
			v, p, err := codec.Unmarshal(data, kind)
			w, q, n, readErr := readKind(bytes.NewReader(data), kind)
			if err == nil && !bytes.Equal(codec.Marshal(kind, v, p), data) {
				t.Error("a file was taken that Marshal does not write")
			}
			if err == nil && (readErr != nil || w != v || !bytes.Equal(p, q) || n != int64(len(data))) {
				t.Errorf("Unmarshal accepts bytes that Read rejects: %v", readErr)
			}
			if err != nil && readErr == nil && n == int64(len(data)) {
				t.Errorf("Read accepts bytes that Unmarshal rejects: %v", err)
			}
			for _, err := range []error{err, readErr} {
				if err != nil && !errors.Is(err, rkhs.ErrFormat) {
					t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
				}
			}
		})
	})
}

// FuzzDecoder reads any payload as any sequence of values.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{0, 1, 2, 2, 4, 5, 5, 6, 10, 7, 8, 9, 9}, encodeAll())
	f.Add([]byte{9}, []byte{255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, program, payload []byte) {
		within(t, len(payload)+len(program), func() {
			d := codec.NewDecoder(payload)
			for _, op := range program {
				read(d, op)
			}
			if err := d.Close(); err != nil && !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
			}
		})
	})
}

func read(d *codec.Decoder, op byte) {
	switch op % 11 {
	case 0:
		d.Uint64()
	case 1:
		d.Int()
	case 2:
		d.Bool()
	case 3:
		d.Float64()
	case 4:
		d.Finite()
	case 5:
		d.Float64s()
	case 6:
		d.Ints()
	case 7:
		d.Bytes()
	case 8:
		_ = d.String()
	case 9:
		d.Matrix()
	case 10:
		d.Labels()
	}
}
