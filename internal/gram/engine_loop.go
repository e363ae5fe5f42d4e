package gram

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// loopEngine is a kernel with a loop over the rows of z.
type loopEngine struct {
	// row sets dst_j = k(x, z_j).
	row func(dst, x []float64, z compute.Matrix)
}

// Loop returns the engine of a kernel with a loop over the rows of z: row sets dst_j = k(x, z_j).
func Loop(row func(dst, x []float64, z compute.Matrix)) Engine { return tiled{loopEngine{row}} }

// evalRow returns the loop of a kernel that has only Eval.
func evalRow(k Kernel) func(dst, x []float64, z compute.Matrix) {
	return func(dst, x []float64, z compute.Matrix) {
		for j := range dst {
			dst[j] = k.Eval(x, compute.Row(z, j))
		}
	}
}

func (loopEngine) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (e loopEngine) diag(dst []float64, x compute.Matrix) {
	for i := range dst {
		e.row(dst[i:i+1], compute.Row(x, i), compute.Rows(x, i, i+1))
	}
}

// block passes all rows of x over as many rows of z as fit in the first-level cache.
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

// laplacianEngine is exp(−‖x−z‖₁/length).
type laplacianEngine struct{ length float64 }

// Laplacian returns the engine of exp(−‖x−z‖₁/length).
func Laplacian(length float64) Engine { return tiled{laplacianEngine{length}} }

func (laplacianEngine) prepare(x compute.Matrix, _ int) side { return side{rows: x} }

func (e laplacianEngine) block(dst compute.Matrix, x, z side) {
	compute.AbsoluteDistances(dst, x.rows, z.rows, -e.length)
	for i := range dst.Rows {
		row := compute.Row(dst, i)
		compute.Exp(row, row)
	}
}

func (laplacianEngine) diag(dst []float64, _ compute.Matrix) {
	for i := range dst {
		dst[i] = 1
	}
}

// angularEngine is (‖x‖·‖z‖)^order·ofAngle(t, sin t, cos t) for the angle t between x and z. It normalizes rows.
type angularEngine struct {
	loopEngine // for the diagonal
	order      int
	ofAngle    func(t, s, c float64) float64
}

// Angular returns the engine of k(x, z) = (‖x‖·‖z‖)^order·ofAngle(t, sin t, cos t) for the angle t between x and z.
// It is zero where x or z is.
func Angular(k Kernel, order int, ofAngle func(t, s, c float64) float64) Engine {
	return tiled{angularEngine{loopEngine{evalRow(k)}, order, ofAngle}}
}

func (e angularEngine) prepare(x compute.Matrix, _ int) side {
	s := side{rows: compute.NewMatrix(x.Rows, x.Cols), norms: make([]float64, x.Rows)}
	for i := range x.Rows {
		s.norms[i] = Norm(compute.Row(x, i))
		if s.norms[i] > 0 {
			u := compute.Row(s.rows, i)
			for j, v := range compute.Row(x, i) {
				u[j] = v / s.norms[i]
			}
		}
	}
	return s
}

func (e angularEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, compute.Func{Family: compute.InnerProduct}, 1)
	for i := range dst.Rows {
		row := compute.Row(dst, i)
		for j, c := range row {
			row[j] = e.value(c, x, z, i, j)
		}
	}
}

// value returns the kernel of two rows with cosine c. Near c = ±1, order 0 needs a more accurate angle than acos(c).
func (e angularEngine) value(c float64, x, z side, i, j int) float64 {
	const steep = 0.999
	switch {
	case x.norms[i] == 0 || z.norms[j] == 0:
		return 0
	case e.order == 0 && math.Abs(c) > steep:
		return 1 - Angle(compute.Row(x.rows, i), compute.Row(z.rows, j), 1, 1)/math.Pi
	}
	c = max(-1, min(1, c))
	s := math.Sqrt((1 - c) * (1 + c))
	return e.ofAngle(math.Acos(c), s, c) * Power(x.norms[i]*z.norms[j], e.order)
}
