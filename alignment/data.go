package alignment

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/linalg"
)

// pair checks and copies rows and targets.
func pair(x, y mat.Matrix) (xs, ys compute.Matrix, err error) {
	if xs, err = door.Rows("alignment", "x", x); err != nil {
		return xs, ys, err
	}
	if ys, err = door.Rows("alignment", "y", y); err != nil {
		return xs, ys, err
	}
	if xs.Rows != ys.Rows {
		return xs, ys, fmt.Errorf("alignment: x has %d rows, y has %d: %w", xs.Rows, ys.Rows, rkhs.ErrShape)
	}
	if xs.Rows < 2 {
		return xs, ys, fmt.Errorf("alignment: a single row has no alignment: %w", rkhs.ErrShape)
	}
	return xs, ys, nil
}

// data are the rows and targets of a search, both centred by columns.
type data struct {
	x, y     compute.Matrix
	original compute.Matrix // x before
	norm     float64        // ‖T‖ = ‖YᵀY‖
}

// uncentred is for kernels that may depend on the origin.
func (d *data) uncentred() *data {
	c := *d
	c.x = d.original
	return &c
}

// data draws the rows of the search and centres them.
func (s *settings) data(x, y compute.Matrix) *data {
	list := s.searchRows(x.Rows)
	return newData(rowsOf(x, list), rowsOf(y, list))
}

func newData(x, y compute.Matrix) *data {
	d := &data{x: clone(x), y: clone(y), original: x}
	linalg.CentreColumns(d.x)
	linalg.CentreColumns(d.y)
	g := compute.NewMatrix(y.Cols, y.Cols)
	compute.MulTN(g, d.y, d.y, 1)
	d.norm = mat.Norm(mat.NewDense(g.Rows, g.Cols, g.Data), 2)
	return d
}

// searchRows lists the rows of the search.
func (s *settings) searchRows(n int) []int {
	all, few := 5000, 2000
	if s.SearchRows > 0 {
		all, few = s.SearchRows, s.SearchRows
	} else if !s.ofDistance() {
		all = few
	}
	if n <= all {
		return span(n)
	}
	return rng.New(s.Seed, "alignment search rows", 0).Sample(n, few)
}

func equalRows(m compute.Matrix) bool {
	for i := range m.Rows {
		if !slices.Equal(row(m, i), row(m, 0)) {
			return false
		}
	}
	return true
}

func rowsOf(m compute.Matrix, list []int) compute.Matrix {
	out := compute.NewMatrix(len(list), m.Cols)
	for i, r := range list {
		copy(row(out, i), row(m, r))
	}
	return out
}

func clone(m compute.Matrix) compute.Matrix {
	m.Data = slices.Clone(m.Data)
	return m
}

func span(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
