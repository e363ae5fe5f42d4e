package input_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// lists has the sparse rows of another package, with elements in any order.
type lists struct {
	mat.Matrix
	rows [][]int // columns
}

func (l lists) DoRowNonZero(i int, do func(i, j int, v float64)) {
	for _, j := range l.rows[i] {
		do(i, j, float64(10*i+j+1))
	}
}

// TestPoints accepts every kind of sparse rows, and rejects rows that violate their interface.
func TestPoints(t *testing.T) {
	shape := mat.NewDense(2, 4, nil)
	p, err := input.Points("pkg", "x", lists{shape, [][]int{{3, 1}, {}}})
	if err != nil || p.Sparse == nil || !mat.Equal(input.Matrix(p), mat.NewDense(2, 4, []float64{0, 2, 0, 4, 0, 0, 0, 0})) {
		t.Errorf("%v, %v", p, err)
	}
	if dense, err := input.Dense("pkg", "x", lists{shape, [][]int{{3, 1}, {}}}); err != nil || !mat.Equal(input.Matrix(p), input.Matrix(dense)) {
		t.Errorf("dense %v, %v", dense, err)
	}
	s := &rkhs.Sparse{Rows: 1, Cols: 2, Offsets: []int{0, 1}, Columns: []int32{1}, Values: []float64{math.Inf(1)}}
	wide := &rkhs.Sparse{Rows: 2, Cols: math.MaxInt32, Offsets: []int{0, 0, 0}}
	for _, c := range []struct {
		form    input.Form
		x       mat.Matrix
		want    error
		message string
	}{
		{input.Points, lists{shape, [][]int{{1, 1}, {}}}, rkhs.ErrShape, "pkg: x: row 0"},
		{input.Points, lists{shape, [][]int{{}, {4}}}, rkhs.ErrShape, "pkg: x: row 1"},
		{input.Points, s, rkhs.ErrNotFinite, "pkg: x at row 0, column 1"},
		{input.Points, (*rkhs.Sparse)(nil), rkhs.ErrEmpty, "pkg: x is nil"},
		{input.Points, &rkhs.Sparse{}, rkhs.ErrEmpty, "pkg: x is 0×0"},
		{input.Points, &rkhs.Sparse{Rows: 1, Cols: 1}, rkhs.ErrShape, "pkg: x: "},
		{input.Points, rkhs.Weighted{Matrix: wide}, rkhs.ErrOption, "pkg: x has weights"},
		{input.Dense, wide, rkhs.ErrMemory, "pkg: x is sparse"},
	} {
		if _, err := c.form("pkg", "x", c.x); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.message) {
			t.Errorf("%T: error %v, want %q", c.x, err, c.message)
		}
	}
	w, err := input.WeighedRows("pkg", input.Points, "x", rkhs.Weighted{Matrix: wide, Weights: []float64{0, 2}})
	if err != nil || w.X.Sparse == nil || w.X.Rows != 1 {
		t.Errorf("weighted sparse rows: %v, %v", w, err)
	}
}
