package rows

import (
	"errors"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// batches returns a batch of every form.
func batches() map[string]Batch {
	return map[string]Batch{
		"empty":                  {},
		"dense":                  {Rows: 2, Cols: 3, Values: []float64{1, 2, 3, 4, 5, 0.1}, Targets: []float64{7, 8}, Outputs: 1, Source: "a.csv", First: 12},
		"pixels":                 {Rows: 2, Cols: 2, Values: []float64{255, 0, 1, 3}, Weights: []float64{.5, 2}, First: 1},
		"sparse":                 {Rows: 3, Cols: 1000, Offsets: []int{0, 2, 2, 3}, Columns: []int32{0, 999, 5}, Values: []float64{.1, .2, .3}, Targets: []float64{1, 2, 3, 4, 5, 6}, Outputs: 2, Source: "ä.svm", First: 1 << 40},
		"sparse, nothing listed": {Rows: 2, Cols: 5, Offsets: []int{0, 0, 0}},
		"cells":                  {Rows: 2, Names: []string{"a", "b"}, Cells: []string{"1", "", "x,\n", "\xff"}, Source: "t.csv", First: 2},
		"weights":                {Weights: []float64{}},
		"lines":                  {Rows: 3, Cols: 1, Values: []float64{1, 2, 3}, Source: "c.csv", First: 4, Lines: []int64{4, 6, 1 << 33}},
	}
}

// The coder restores every batch, and encodes a slice of a batch without the other rows.
func TestCoder(t *testing.T) {
	for name, b := range batches() {
		got, err := Decode(Encode(b))
		if err != nil || !reflect.DeepEqual(got, b) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, b)
		}
	}
	b := batches()["sparse"]
	got, err := Decode(Encode(b.Slice(1, 3)))
	want := Batch{Rows: 2, Cols: 1000, Offsets: []int{0, 0, 1}, Columns: []int32{5}, Values: []float64{.3}, Targets: []float64{3, 4, 5, 6}, Outputs: 2, Source: "ä.svm", First: 1<<40 + 1}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("slice: %+v, %v; want %+v", got, err, want)
	}
}

// Truncated bytes and trailing bytes are errors.
func TestDecodeRefuses(t *testing.T) {
	for name, b := range batches() {
		data := Encode(b)
		for n := range data {
			if _, err := Decode(data[:n]); !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("%s: %d of %d bytes: %v", name, n, len(data), err)
			}
		}
		if _, err := Decode(append(data, 0)); !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("%s: a byte more: %v", name, err)
		}
	}
}

// Decode never panics and never returns a batch that Check rejects. Encoding its result restores
// the bytes.
func FuzzDecode(f *testing.F) {
	for _, b := range batches() {
		f.Add(Encode(b))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Decode(data)
		if err != nil {
			if !errors.Is(err, rkhs.ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(Encode(b))
		if err != nil || !reflect.DeepEqual(again, b) {
			t.Fatalf("%+v, %v; want %+v", again, err, b)
		}
	})
}

// The matrices of a batch have its rows.
func TestBatchMatrices(t *testing.T) {
	pixels := batches()["pixels"]
	x, ok := pixels.X().(rkhs.Weighted)
	if !ok || !mat.Equal(x.Matrix, mat.NewDense(2, 2, []float64{255, 0, 1, 3})) || !reflect.DeepEqual(x.Weights, pixels.Weights) {
		t.Errorf("X = %v", pixels.X())
	}
	if pixels.Y() != nil {
		t.Errorf("Y = %v of a batch without targets", pixels.Y())
	}
	sparse := batches()["sparse"]
	part := sparse.Slice(2, 3)
	if v := part.X().At(0, 5); v != .3 || part.First != 1<<40+2 {
		t.Errorf("row 2 has %v, first %d", v, part.First)
	}
	if !mat.Equal(part.Y(), mat.NewDense(1, 2, []float64{5, 6})) {
		t.Errorf("Y = %v", part.Y())
	}
	lines := batches()["lines"]
	part = lines.Slice(1, 3)
	if lines.Row(2) != 1<<33 || part.First != 6 || part.Row(1) != 1<<33 || sparse.Row(2) != 1<<40+2 {
		t.Errorf("rows of %+v are not those of its part %+v", lines, part)
	}
	var none Batch
	if none.X() != nil || none.Y() != nil {
		t.Error("an empty batch has rows")
	}
}

// Inconsistent parts of a batch are ErrShape.
func TestCheck(t *testing.T) {
	for name, b := range batches() {
		if err := b.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, b := range map[string]Batch{
		"rows":            {Rows: -1},
		"values":          {Rows: 2, Cols: 2, Values: make([]float64, 3)},
		"lines":           {Rows: 2, Lines: make([]int64, 1)},
		"product":         {Rows: 1 << 62, Cols: 4},
		"targets":         {Rows: 2, Outputs: 1, Targets: make([]float64, 1)},
		"weights":         {Rows: 2, Weights: make([]float64, 1)},
		"cells":           {Rows: 2, Names: []string{"a"}, Cells: make([]string, 3)},
		"dense columns":   {Columns: []int32{1}},
		"offsets":         {Rows: 2, Cols: 2, Offsets: []int{0, 0}},
		"falling columns": {Rows: 1, Cols: 5, Offsets: []int{0, 2}, Columns: []int32{3, 1}, Values: make([]float64, 2)},
	} {
		if err := b.Check(); !errors.Is(err, rkhs.ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
