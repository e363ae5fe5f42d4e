package choose

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// linear is a map of the rows before the kernel sees them.
type linear struct {
	divide  columnScale    // the scales of the columns; nil divides by nothing
	matrix  compute.Matrix // r×d, of divided rows; that of no rows is no matrix
	learned bool           // or one of the scales of the columns
}

// apply returns x itself where the map does nothing.
func (l linear) apply(x compute.Matrix, workers int) compute.Matrix {
	x = l.divide.apply(x)
	if l.matrix.Rows == 0 {
		return x
	}
	u := compute.NewMatrix(x.Rows, l.matrix.Rows)
	compute.MulNT(u, x, l.matrix, workers)
	return u
}

// kernel returns the kernel of mapped rows for rows as they are given.
func (l linear) kernel(of kernel.Kernel) kernel.Kernel {
	switch {
	case l.matrix.Rows > 0:
		m := compute.Clone(l.matrix)
		for i := range m.Rows {
			row := compute.Row(m, i)
			for j := range row {
				if l.divide != nil {
					row[j] /= l.divide[j]
				}
			}
		}
		return kernel.Projected{L: mat.NewDense(m.Rows, m.Cols, m.Data), Of: of}
	case l.divide != nil:
		return kernel.ARD{Scales: slices.Clone(l.divide), Of: of}
	}
	return of
}
