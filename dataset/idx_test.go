package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// idx returns an IDX file of elements of a type.
func idx(kind byte, dims []uint32, elements any) []byte {
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(dims))})
	binary.Write(&b, binary.BigEndian, dims)
	binary.Write(&b, binary.BigEndian, elements)
	return b.Bytes()
}

func TestReadIDXElements(t *testing.T) {
	for _, c := range []struct {
		kind     byte
		elements any
		want     []float64
	}{
		{0x08, []uint8{0, 1, 127, 128, 254, 255}, []float64{0, 1, 127, 128, 254, 255}},
		{0x09, []int8{0, 1, -1, 127, -128, 5}, []float64{0, 1, -1, 127, -128, 5}},
		{0x0b, []int16{0, 1, -1, 32767, -32768, 258}, []float64{0, 1, -1, 32767, -32768, 258}},
		{0x0c, []int32{0, 1, -1, math.MaxInt32, math.MinInt32, 258}, []float64{0, 1, -1, math.MaxInt32, math.MinInt32, 258}},
		{0x0d, []float32{0, 1, -.5, math.MaxFloat32, 0x1p-149, 3}, []float64{0, 1, -.5, math.MaxFloat32, 0x1p-149, 3}},
		{0x0e, []float64{0, 1, -.5, math.MaxFloat64, 0x1p-1074, .1}, []float64{0, 1, -.5, math.MaxFloat64, 0x1p-1074, .1}},
	} {
		for _, dims := range [][]uint32{{6}, {3, 2}, {2, 1, 3}} {
			data := idx(c.kind, dims, c.elements)
			for _, r := range []io.Reader{bytes.NewReader(data), bytes.NewReader(compress(data)), iotest.OneByteReader(bytes.NewReader(data))} {
				got, v, err := ReadIDX(r)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(got, dims, func(a int, b uint32) bool { return a == int(b) }) {
					t.Errorf("type %#x: dimensions %v, want %v", c.kind, got, dims)
				}
				if !sameBits(v, c.want) {
					t.Errorf("type %#x: read %v, want %v", c.kind, v, c.want)
				}
			}
		}
	}
}

func TestReadIDXErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		data     []byte
		sentinel error
		place    string
	}{
		{nil, rkhs.ErrEmpty, "no rows"},
		{[]byte{0, 0, 8}, rkhs.ErrFormat, "header"},
		{[]byte{1, 0, 8, 1, 0, 0, 0, 0}, rkhs.ErrFormat, "01 00 08 01"},
		{[]byte{0, 0, 0x0a, 1, 0, 0, 0, 0}, rkhs.ErrFormat, "00 00 0a 01"},
		{[]byte{0, 0, 8, 0}, rkhs.ErrFormat, "00 00 08 00"},
		{[]byte{0, 0, 8, 2, 0, 0, 0, 1, 0}, rkhs.ErrFormat, "dimensions"},
		{idx(8, []uint32{2, 0}, []byte{}), rkhs.ErrEmpty, "dimension 2 is 0"},
		{idx(8, []uint32{2, 3}, []byte{1, 2, 3, 4, 5}), rkhs.ErrFormat, "row 2 of 2, column 3: the file is cut off"},
		{idx(8, []uint32{2, 3}, []byte{}), rkhs.ErrFormat, "row 1 of 2, column 1: the file is cut off"},
		{idx(8, []uint32{2}, []byte{1, 2, 3}), rkhs.ErrFormat, "goes on after row 2"},
		{idx(0x0e, []uint32{2, 2}, []float64{1, 2, 3, nan}), rkhs.ErrNotFinite, "row 2 of 2, column 2: NaN"},
		{idx(0x0d, []uint32{2, 2}, []float32{1, float32(math.Inf(-1)), 3, 4}), rkhs.ErrNotFinite, "row 1 of 2, column 2: -Inf"},
		{idx(8, []uint32{1 << 31, 1 << 31, 1 << 31}, []byte{}), rkhs.ErrFormat, "more than memory can address"},
	} {
		dims, v, err := ReadIDX(bytes.NewReader(c.data))
		checkError(t, err, c.sentinel, c.place)
		if dims != nil || v != nil {
			t.Errorf("values beside the error %v", err)
		}
	}
	broken := errors.New("broken disk")
	_, _, err := ReadIDX(io.MultiReader(bytes.NewReader(idx(8, []uint32{9}, []byte{1, 2})), iotest.ErrReader(broken)))
	checkError(t, err, broken, "row 3 of 9")
}

// A header that declares 4 GB to 1 EB without data allocates a few MB.
func TestReadIDXDoesNotBelieveSizes(t *testing.T) {
	for _, dims := range [][]uint32{{1 << 29}, {1 << 31, 1 << 26}, {60000, 28, 28}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := ReadIDX(bytes.NewReader(idx(8, dims, make([]byte, 1000))))
		runtime.ReadMemStats(&after)
		checkError(t, err, rkhs.ErrFormat, "cut off")
		if used := after.TotalAlloc - before.TotalAlloc; used > 10<<20 {
			t.Errorf("dimensions %v over 1000 bytes took %d bytes", dims, used)
		}
	}
}

// Enough rows for the space to grow several times.
func TestReadIDXGrows(t *testing.T) {
	elements := make([]byte, 10<<20)
	for i := range elements {
		elements[i] = byte(i * i >> 8)
	}
	_, v, err := ReadIDX(bytes.NewReader(idx(8, []uint32{10 << 10, 1 << 10}, elements)))
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range elements {
		if v[i] != float64(b) {
			t.Fatalf("element %d is %v, want %d", i, v[i], b)
		}
	}
}

func TestIDXCutAnywhere(t *testing.T) {
	data := idx(0x0b, []uint32{4, 3}, []int16{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	for _, file := range [][]byte{data, compress(data)} {
		for end := range file {
			_, v, err := ReadIDX(bytes.NewReader(file[:end]))
			if err == nil {
				t.Fatalf("cut to %d of %d bytes, it gives %v", end, len(file), v)
			}
			checkKnown(t, err)
		}
	}
}

// writePair writes images of 2×2 pixels and labels to a folder, and returns the
// paths.
func writePair(t *testing.T, n, nLabels int) (images, labels string) {
	t.Helper()
	pixels, digits := make([]byte, 4*n), make([]byte, nLabels)
	for i := range pixels {
		pixels[i] = byte(200 + i)
	}
	for i := range digits {
		digits[i] = byte(i)
	}
	dir := t.TempDir()
	images, labels = filepath.Join(dir, "some-images-idx3-ubyte.gz"), filepath.Join(dir, "some-labels-idx1-ubyte.gz")
	write(t, images, compress(idx(8, []uint32{uint32(n), 2, 2}, pixels)))
	write(t, labels, idx(8, []uint32{uint32(nLabels)}, digits))
	return images, labels
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoadIDXPair(t *testing.T) {
	images, labels := writePair(t, 3, 3)
	s, err := LoadIDXPair(images, labels)
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, s, [][]float64{{200, 201, 202, 203}, {204, 205, 206, 207}, {208, 209, 210, 211}}, []float64{0, 1, 2})
	byName, err := Load(images, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !sameSet(s, byName) {
		t.Error("Load finds other labels")
	}
	if err := os.Remove(labels); err != nil {
		t.Fatal(err)
	}
	alone, err := Load(images, Options{Target: NoTarget})
	if err != nil || !mat.Equal(alone.X, s.X) || alone.Y != nil {
		t.Errorf("images without labels: %v, %v", alone, err)
	}
}

func TestLoadIDXPairErrors(t *testing.T) {
	images, labels := writePair(t, 3, 2)
	_, err := LoadIDXPair(images, labels)
	checkError(t, err, rkhs.ErrShape, images, "[2]", "[3 2 2]")
	_, err = LoadIDXPair(images, images)
	checkError(t, err, rkhs.ErrShape)
	_, err = LoadIDXPair(images, labels+".gone")
	checkError(t, err, os.ErrNotExist, labels+".gone")
	_, err = Load(labels, Options{})
	checkError(t, err, rkhs.ErrFormat, labels, "images")
	if err := os.Remove(labels); err != nil {
		t.Fatal(err)
	}
	_, err = Load(images, Options{})
	checkError(t, err, os.ErrNotExist, labels)
	write(t, labels, idx(8, []uint32{3}, []byte{1, 2}))
	_, err = Load(images, Options{})
	checkError(t, err, rkhs.ErrFormat, "labels: row 3 of 3", "cut off")
	write(t, labels, []byte("no IDX"))
	_, err = Load(images, Options{})
	checkError(t, err, rkhs.ErrFormat, "labels: ", "does not begin an IDX file")
	write(t, labels, idx(8, []uint32{3}, []byte{1, 2, 3}))
	write(t, images, idx(8, []uint32{3, 2, 2}, make([]byte, 10)))
	_, err = Load(images, Options{})
	checkError(t, err, rkhs.ErrFormat, "images: row 3 of 3, column 3", "cut off")
	write(t, images, nil)
	_, err = Load(images, Options{})
	checkError(t, err, rkhs.ErrEmpty, "images: ")
	_, err = LoadIDXPair(images+".gone", labels)
	checkError(t, err, os.ErrNotExist, ".gone")
}
