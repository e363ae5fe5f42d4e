package input_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// opaque is a matrix with only the methods of mat.Matrix.
type opaque struct{ m mat.Matrix }

func (o opaque) Dims() (r, c int)    { return o.m.Dims() }
func (o opaque) At(i, j int) float64 { return o.m.At(i, j) }
func (o opaque) T() mat.Matrix       { return mat.Transpose{Matrix: o} }

// numbered returns an r×c matrix. The elements encode their position.
func numbered(r, c int) *mat.Dense {
	m := mat.NewDense(r, c, nil)
	m.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, m)
	return m
}

// slice returns the same numbers inside a matrix of NaN.
func slice(m *mat.Dense) *mat.Dense {
	r, c := m.Dims()
	large := mat.NewDense(r+2, c+3, nil)
	large.Apply(func(int, int, float64) float64 { return math.NaN() }, large)
	s := large.Slice(1, 1+r, 2, 2+c).(*mat.Dense)
	s.Copy(m)
	return s
}

// kinds returns the same matrix in several types.
func kinds(m *mat.Dense) map[string]mat.Matrix {
	list := map[string]mat.Matrix{"Dense": m, "slice": slice(m), "opaque": opaque{mat.DenseCopyOf(m)}, "transpose": mat.DenseCopyOf(m.T()).T()}
	if _, c := m.Dims(); c == 1 {
		list["vector"] = slice(m).ColView(0)
	}
	return list
}

func TestRowsCopiesAnyMatrix(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 4}, {5, 1}, {5, 3}} {
		for name, m := range kinds(numbered(size[0], size[1])) {
			got, err := input.Rows("pkg", "x", m)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want := numbered(size[0], size[1]).RawMatrix()
			if got.Rows != size[0] || got.Cols != size[1] || got.Stride != size[1] || !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
			got.Data[0] = 99
			if m.At(0, 0) == 99 {
				t.Errorf("%s: the copy shares its data", name)
			}
		}
	}
}

// TestView shares memory that it can read in place, and copies other matrices.
func TestView(t *testing.T) {
	for name, m := range kinds(numbered(4, 3)) {
		got, err := input.View("pkg", "x", m)
		if err != nil || got.Rows != 4 || got.Cols != 3 {
			t.Fatalf("%s: %v, error %v", name, got, err)
		}
		for i := range 4 {
			if want := numbered(4, 3).RawRowView(i); !slices.Equal(got.Data[i*got.Stride:i*got.Stride+3], want) {
				t.Errorf("%s: row %d is %v, want %v", name, i, got.Data[i*got.Stride:i*got.Stride+3], want)
			}
		}
		_, raw := m.(mat.RawMatrixer)
		got.Data[0] = 99
		if shared := m.At(0, 0) == 99; shared != raw {
			t.Errorf("%s: shared %v, raw access %v", name, shared, raw)
		}
	}
	for _, m := range []mat.Matrix{nil, (*mat.Dense)(nil), &mat.Dense{}, opaque{&mat.Dense{}}, mat.Transpose{}, struct{ *mat.Dense }{}} {
		if _, err := input.View("pkg", "x", m); !errors.Is(err, rkhs.ErrEmpty) {
			t.Errorf("no data: error %v", err)
		}
	}
	for name, m := range kinds(mat.NewDense(2, 1, []float64{0, math.NaN()})) {
		if _, err := input.View("pkg", "x", m); !errors.Is(err, rkhs.ErrNotFinite) || !strings.Contains(err.Error(), "row 1, column 0") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// fails checks the error of both entry points.
func fails(t *testing.T, m mat.Matrix, want error, names ...string) {
	t.Helper()
	rows, err := input.Rows("pkg", "thing", m)
	if rows.Data != nil {
		t.Errorf("rows %v with the error %v", rows, err)
	}
	for _, err := range []error{err, input.Check("pkg", "thing", m)} {
		if !errors.Is(err, want) {
			t.Fatalf("error %v, want one that wraps %v", err, want)
		}
		for _, s := range append(names, "pkg: thing") {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("error %q does not say %q", err, s)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	fails(t, nil, rkhs.ErrEmpty, "nil")
	fails(t, (*mat.Dense)(nil), rkhs.ErrEmpty, "nil")
	fails(t, (*mat.VecDense)(nil), rkhs.ErrEmpty, "nil")
	fails(t, &mat.Dense{}, rkhs.ErrEmpty, "0×0")
	fails(t, &mat.VecDense{}, rkhs.ErrEmpty, "0")
	fails(t, opaque{&mat.Dense{}}, rkhs.ErrEmpty, "0×0")
}

// TestFirstNotFinite: errors name the first invalid element by rows, for any storage of the matrix.
func TestFirstNotFinite(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m := numbered(5, 3)
		m.Set(4, 0, math.NaN())
		m.Set(2, 1, v)
		m.Set(2, 2, math.Inf(1))
		for _, k := range kinds(m) {
			fails(t, k, rkhs.ErrNotFinite, "row 2, column 1")
		}
	}
}

func TestLargestNumbersAreFinite(t *testing.T) {
	m := mat.NewDense(1, 4, []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)})
	for name, k := range kinds(m) {
		if err := input.Check("pkg", "x", k); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestColumns(t *testing.T) {
	m := numbered(4, 3)
	if rows, err := input.RowsOf("pkg", "x", m, 3); err != nil || !slices.Equal(rows.Data, m.RawMatrix().Data) {
		t.Errorf("rows %v, error %v", rows, err)
	}
	rows, err := input.RowsOf("pkg", "x", m, 2)
	if !errors.Is(err, rkhs.ErrShape) || !strings.Contains(err.Error(), "pkg: x has 3 columns, want 2") || rows.Data != nil {
		t.Errorf("rows %v, error %v", rows, err)
	}
	if _, err := input.RowsOf("pkg", "x", nil, 2); !errors.Is(err, rkhs.ErrEmpty) {
		t.Errorf("no matrix: error %v", err)
	}
	if _, err := input.RowsOf("pkg", "x", mat.NewDense(1, 1, []float64{math.NaN()}), 1); !errors.Is(err, rkhs.ErrNotFinite) {
		t.Errorf("NaN: error %v", err)
	}
}

func column(v ...float64) blas64.General {
	return blas64.General{Rows: len(v), Cols: 1, Stride: 1, Data: v}
}

func TestPair(t *testing.T) {
	x, y := numbered(3, 2), numbered(3, 1)
	w, err := input.WeighedPair("pkg", input.Dense, opaque{x}, y)
	if err != nil || !slices.Equal(w.X.Data, x.RawMatrix().Data) || !slices.Equal(w.Y.Data, y.RawMatrix().Data) {
		t.Errorf("%v and %v, error %v", w.X, w.Y, err)
	}
	bad := mat.NewDense(3, 1, []float64{0, math.NaN(), 0})
	for _, c := range []struct {
		x, y    mat.Matrix
		want    error
		message string
	}{
		{x, numbered(2, 1), rkhs.ErrShape, "pkg: x has 3 rows, y has 2"},
		{nil, y, rkhs.ErrEmpty, "pkg: x is nil"},
		{x, new(mat.Dense), rkhs.ErrEmpty, "pkg: y is 0×0"},
		{bad, bad, rkhs.ErrNotFinite, "pkg: x at row 1"},
		{x, bad, rkhs.ErrNotFinite, "pkg: y at row 1"},
	} {
		if _, err := input.WeighedPair("pkg", input.Points, c.x, c.y); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.message) {
			t.Errorf("error %v, want %q", err, c.message)
		}
	}
}

func TestStore(t *testing.T) {
	want := numbered(3, 2)
	out := slice(want).RawMatrix()
	inside := slice(numbered(3, 2))
	for _, dst := range []*mat.Dense{{}, mat.NewDense(3, 2, nil), inside} {
		if err := input.Store("pkg", dst, out); err != nil || !mat.Equal(dst, want) {
			t.Errorf("stored %v, error %v", dst, err)
		}
	}
	for _, dst := range []*mat.Dense{numbered(2, 2), numbered(3, 3), numbered(2, 3)} {
		before := mat.DenseCopyOf(dst)
		err := input.Store("pkg", dst, out)
		if !errors.Is(err, rkhs.ErrShape) || !strings.HasPrefix(err.Error(), "pkg: dst is ") || !mat.Equal(dst, before) {
			t.Errorf("stored %v, error %v", dst, err)
		}
	}
}
