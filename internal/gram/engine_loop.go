package gram

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// loopEngine is a kernel with a loop over the rows of z of its own.
type loopEngine struct {
	// row sets dst_j = k(x, z_j).
	row func(dst, x []float64, z blas64.General)
}

func (loopEngine) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (e loopEngine) diag(dst []float64, x compute.Matrix) {
	for i := range dst {
		e.row(dst[i:i+1], compute.Row(x, i), compute.Rows(x, i, i+1))
	}
}

// block takes as many rows of z at once as stay in the first level cache while
// all rows of x pass over them.
func (e loopEngine) block(dst compute.Matrix, x, z side) {
	const cached = 2048
	step := max(8, cached/max(1, z.rows.Cols))
	for j := 0; j < dst.Cols; j += step {
		to := min(j+step, dst.Cols)
		rows := compute.Rows(z.rows, j, to)
		for i := range dst.Rows {
			e.row(compute.Row(dst, i)[j:to], compute.Row(x.rows, i), rows)
		}
	}
}
