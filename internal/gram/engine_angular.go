package gram

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"gonum.org/v1/gonum/blas/blas64"
)

// Angular returns the engine of (‖x‖·‖z‖)^order·ofAngle(t, sin t, cos t), t being the angle between x and z, which
// is zero where x or z is.
func Angular(self Kernel, order int, ofAngle func(t, s, c float64) float64) Engine {
	return tiled{angularEngine{plain{self}, order, ofAngle}}
}

// angularEngine works on rows scaled to length 1.
type angularEngine struct {
	plain
	order   int
	ofAngle func(t, s, c float64) float64
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

// value takes the cosine c of the angle between two rows. Order 0 alone is as
// sensitive to the angle as the arc cosine is to c.
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

// Norm returns the Euclidean norm of x.
func Norm(x []float64) float64 { return blas64.Nrm2(blas64.Vector{N: len(x), Inc: 1, Data: x}) }

// Angle returns the angle between x and y, of length nx and ny, with an error of
// the order of rounding; the arc cosine of their inner product would lose half
// of the digits near 0 and π.
func Angle(x, y []float64, nx, ny float64) float64 {
	var minus, plus float64
	for i, v := range x {
		u, w := v/nx, y[i]/ny
		minus += (u - w) * (u - w)
		plus += (u + w) * (u + w)
	}
	return 2 * math.Atan2(math.Sqrt(minus), math.Sqrt(plus))
}
