package compute_test

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// inside returns an r×c matrix inside a larger one of NaN. Its elements encode their position.
func inside(r, c int) compute.Matrix {
	all := compute.NewMatrix(r+2, c+3)
	for i := range all.Data {
		all.Data[i] = math.NaN()
	}
	m := compute.Columns(compute.Rows(all, 1, 1+r), 2, 2+c)
	for i := range r {
		for j := range compute.Row(m, i) {
			m.Data[i*m.Stride+j] = float64(10*i + j)
		}
	}
	return m
}

func TestPartsShareTheirData(t *testing.T) {
	m := inside(4, 3)
	compute.Columns(m, 1, 3).Data[0] = -1
	compute.Row(m, 2)[0] = -2
	compute.Column(m, 2).Data[m.Stride] = -3
	if got := compute.Contiguous(m); !slices.Equal(got, []float64{0, -1, 2, 10, 11, -3, -2, 21, 22, 30, 31, 32}) {
		t.Errorf("the matrix is %v", got)
	}
	if r := compute.Row(m, 1); cap(r) != 3 {
		t.Errorf("appending to a row of %d elements would reach beyond it", cap(r))
	}
}

func TestEmptyParts(t *testing.T) {
	for _, m := range []compute.Matrix{compute.Columns(inside(3, 2), 2, 2), compute.Columns(compute.NewMatrix(0, 4), 1, 3), compute.Clone(compute.Rows(inside(3, 2), 3, 3))} {
		if m.Rows*m.Cols != 0 || !compute.AllFinite(m) {
			t.Errorf("%d×%d", m.Rows, m.Cols)
		}
	}
}

func TestCopies(t *testing.T) {
	m := inside(3, 2)
	for _, c := range []struct {
		name string
		got  compute.Matrix
		want []float64
	}{
		{"Clone", compute.Clone(m), []float64{0, 1, 10, 11, 20, 21}},
		{"Pick", compute.Pick(m, []int{2, 0, 2}), []float64{20, 21, 0, 1, 20, 21}},
		{"Stack", compute.Stack(compute.Rows(m, 2, 3), m), []float64{20, 21, 0, 1, 10, 11, 20, 21}},
		{"Transpose", compute.Transpose(m), []float64{0, 10, 20, 1, 11, 21}},
	} {
		if !slices.Equal(c.got.Data, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got.Data, c.want)
		}
	}
	compute.AddRow(m, []float64{1, 2})
	if got := compute.Contiguous(m); !slices.Equal(got, []float64{1, 3, 11, 13, 21, 23}) {
		t.Errorf("AddRow: %v", got)
	}
	s := inside(3, 3)
	compute.Mirror(s)
	if got := compute.Contiguous(s); !slices.Equal(got, []float64{0, 1, 2, 1, 11, 12, 2, 12, 22}) {
		t.Errorf("Mirror: %v", got)
	}
	whole, lower := inside(37, 37), inside(37, 37)
	for i := range whole.Rows {
		for j := i + 1; j < whole.Cols; j++ {
			compute.Row(whole, i)[j] = compute.Row(whole, j)[i]
		}
	}
	if compute.MirrorLower(lower, 2); !slices.Equal(compute.Contiguous(lower), compute.Contiguous(whole)) {
		t.Error("MirrorLower: elements above the diagonal are not those below")
	}
	compute.Zero(s)
	if got := compute.Contiguous(s); !slices.Equal(got, make([]float64, 9)) {
		t.Errorf("Zero: %v", got)
	}
}

func TestAllFinite(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m := inside(3, 2)
		if !compute.AllFinite(m) {
			t.Fatal("numbers outside of the matrix count")
		}
		m.Data[2*m.Stride+1] = v
		if compute.AllFinite(m) {
			t.Errorf("%v is taken as finite", v)
		}
	}
}
