package search

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// mixing minimises the logarithm of the leave-one-out error over a matrix E, r×r, and the
// noise, with the kernel φ(‖E·(u − v)‖²) on mapped rows u, n×r.
type mixing struct {
	*errorSlope
	u     compute.Matrix
	mixed compute.Matrix // u·Eᵀ
}

func newMixing(u, y compute.Matrix, weights compute.Weights, f Family, workers int) *mixing {
	return &mixing{errorSlope: newErrorSlope(y, weights, f, workers), u: u, mixed: compute.NewMatrix(u.Rows, u.Cols)}
}

// value returns the criterion and sets its gradient. at holds E row by row and, last, the
// logarithm of the noise.
func (m *mixing) value(at, gradient []float64) float64 {
	n, r := m.u.Rows, m.u.Cols
	e := compute.Matrix{Rows: r, Cols: r, Stride: r, Data: at[:r*r]}
	compute.Zero(m.mixed)
	compute.MulNT(m.mixed, m.u, e, m.workers)
	loss, byNoise, ok := m.at(m.mixed, at[r*r])
	if !ok {
		return math.Inf(1)
	}
	g := compute.NewMatrix(r, r)
	compute.MulTN(g, m.mixed, pairs(m.change(), m.u, m.workers), m.workers)
	size := 0.0
	for i := range r * r {
		change := at[i]
		if i%(r+1) == 0 {
			change--
		}
		size += float64(change * change)
		gradient[i] = 8/(float64(n)*loss)*g.Data[i] + float64(2*evenness*change)
	}
	gradient[r*r] = byNoise / loss
	return logOne(loss) + float64(evenness*size)
}
