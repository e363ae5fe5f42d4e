package search

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// linear is a map of the rows that is applied before the kernel: a function of each column and a linear map.
type linear struct {
	columns columnMap
	divide  columnScale    // column scales; nil for no division
	matrix  compute.Matrix // r×d, for divided rows; no rows mean no matrix
	learned bool           // a learned metric rather than a column scale
	spread  bool           // the scales multiply columns by their deviation
}

// apply returns the images of rows x. It first subtracts the first row, which preserves
// distances and avoids cancellation in columns with a large offset.
func (l linear) apply(x compute.Matrix, workers int) compute.Matrix {
	return l.ofShifted(fromFirst(l.columns.apply(x, workers)), workers)
}

// ofShifted is apply for rows that are already encoded and shifted. It returns x itself for
// the identity.
func (l linear) ofShifted(x compute.Matrix, workers int) compute.Matrix {
	x = l.divide.apply(x)
	if l.matrix.Rows == 0 {
		return x
	}
	u := compute.NewMatrix(x.Rows, l.matrix.Rows)
	compute.MulNT(u, x, l.matrix, workers)
	return u
}

// kernel returns a kernel on the original rows that equals of on the mapped rows.
func (l linear) kernel(of kernel.Kernel) kernel.Kernel {
	if columns := l.columns; columns.set() {
		l.columns = columnMap{}
		return kernel.Clone(columns.kernel(l.kernel(of)))
	}
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
		return kernel.ARD{Scales: l.divide, Of: of}
	}
	return of
}
