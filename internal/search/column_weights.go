package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// columnWeights minimises the logarithm of the leave-one-out error over column weights w
// and the noise. The kernel is φ(Σ_c w_c·(x_c − z_c)²), or φ(Σ_c w_c·|x_c − z_c|) for
// LaplacianByColumns.
type columnWeights struct {
	*errorSlope
	x      compute.Matrix
	scaled compute.Matrix // x·√w, or x·w for LaplacianByColumns
}

// evenness penalises the variance of the log weights in the criterion, so that columns
// without evidence keep an average weight.
const evenness = 1e-3

func newColumnWeights(x, y compute.Matrix, weights compute.Weights, f Family, workers int) *columnWeights {
	return &columnWeights{errorSlope: newErrorSlope(y, weights, f, workers), x: x, scaled: compute.NewMatrix(x.Rows, x.Cols)}
}

// value returns the criterion and sets its gradient. at holds the logarithms of the
// weights and, last, of the noise.
func (c *columnWeights) value(at, gradient []float64) float64 {
	d, n := c.x.Cols, c.x.Rows
	by := make([]float64, d)
	floats.ScaleTo(by, 1/c.family.power(), at[:d])
	compute.Exp(by, by)
	for i := range n {
		floats.MulTo(compute.Row(c.scaled, i), by, compute.Row(c.x, i))
	}
	loss, byNoise, ok := c.at(c.scaled, at[d])
	if !ok {
		return math.Inf(1)
	}
	c.byColumn(gradient[:d])
	floats.Scale(2/(float64(n)*loss), gradient[:d])
	gradient[d] = byNoise / loss
	mean, spread := compute.Mean(at[:d]), 0.0
	for i, v := range at[:d] {
		spread += float64((v - mean) * (v - mean))
		gradient[i] += 2 * evenness * (v - mean)
	}
	return logOne(loss) + float64(evenness*spread)
}

// byColumn sets dst_c = Σ_ij H_ij·|u_ic − u_jc|^p for the scaled rows u, where p is the
// power of the family.
func (c *columnWeights) byColumn(dst []float64) {
	clear(dst)
	u, h := c.scaled, c.change()
	if c.family.power() == 2 {
		b := pairs(h, u, c.workers)
		for i := range u.Rows {
			row := compute.Row(u, i)
			for j, v := range compute.Row(b, i) {
				dst[j] += float64(2 * row[j] * v)
			}
		}
		return
	}
	part := compute.NewMatrix(u.Rows, u.Cols)
	compute.Parallel(u.Rows, c.workers, func(i int) {
		to, first := compute.Row(part, i), compute.Row(u, i)
		for j, v := range compute.Row(h, i)[:i] {
			for k, w := range compute.Row(u, j) {
				to[k] += float64(v * math.Abs(first[k]-w))
			}
		}
	})
	for i := range part.Rows {
		floats.AddScaled(dst, 2, compute.Row(part, i))
	}
}

// power returns the exponent of column differences in the argument of φ.
func (f Family) power() float64 {
	if f == LaplacianByColumns {
		return 1
	}
	return 2
}
