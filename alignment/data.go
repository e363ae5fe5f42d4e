package alignment

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
)

// data are the rows and targets of a search, both centred by columns.
type data struct {
	x, y     compute.Matrix
	original compute.Matrix // x before
	norm     float64        // ‖T‖ = ‖YᵀY‖
}

func newData(x, y compute.Matrix) *data {
	d := &data{x: compute.Clone(x), y: compute.Clone(y), original: x}
	linalg.CentreColumns(d.x)
	linalg.CentreColumns(d.y)
	g := compute.NewMatrix(y.Cols, y.Cols)
	compute.MulTN(g, d.y, d.y, 1)
	d.norm = mat.Norm(mat.NewDense(g.Rows, g.Cols, g.Data), 2)
	return d
}

// uncentred is for kernels that may depend on the origin.
func (d *data) uncentred() *data {
	c := *d
	c.x = d.original
	return &c
}

func equalRows(m compute.Matrix) bool {
	for i := range m.Rows {
		if !slices.Equal(compute.Row(m, i), compute.Row(m, 0)) {
			return false
		}
	}
	return true
}
