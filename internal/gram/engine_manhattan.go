package gram

import "github.com/rkhs-go/rkhs/internal/compute"

// manhattanEngine is that of exp(−‖x−z‖₁/length).
type manhattanEngine struct {
	loopEngine
	length float64
}

func (e manhattanEngine) block(dst compute.Matrix, x, z side) {
	compute.AbsoluteDistances(dst, x.rows, z.rows, -e.length)
	for i := range dst.Rows {
		row := compute.Row(dst, i)
		compute.Exp(row, row)
	}
}
