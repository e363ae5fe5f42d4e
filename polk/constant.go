package polk

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/loss"
)

// constant is the intercept b of each output. It has no ridge and its own steps.
type constant struct {
	own, averaged []float64 // averaged is nil unless the function is averaged
}

// newConstant starts from b.
func newConstant(b []float64, averaged bool) (c constant) {
	c.own = append(c.own, b...)
	if averaged {
		c.averaged = append(c.averaged, b...)
	}
	return c
}

// served returns the constant of the model.
func (b *constant) served() []float64 {
	if b.averaged != nil {
		return b.averaged
	}
	return b.own
}

// widen adds an output.
func (b *constant) widen() {
	if b.own = append(b.own, 0); b.averaged != nil {
		b.averaged = append(b.averaged, 0)
	}
}

// constantRows is added to the number of rows of a step of the constant, so that single rows
// change it little.
const constantRows = 256

// step moves the constant by the size eta against the derivatives g of weighted rows.
func (b *constant) step(g compute.Matrix, weights compute.Weights, eta float64) {
	rows := max(float64(g.Rows), weights.Total(g.Rows))
	for i := range g.Rows {
		floats.AddScaled(b.own, -eta*weights.At(i)/(constantRows+rows), compute.Row(g, i))
	}
}

// average moves the averaged constant by the fraction g towards the constant.
func (b *constant) average(g float64) {
	for o := range b.averaged {
		b.averaged[o] += g * (b.own[o] - b.averaged[o])
	}
}

// interceptOf returns the constant with the lowest loss for each sorted column of targets, and
// zeros for NoIntercept and labels.
func interceptOf(s *settings, columns compute.Matrix, outputs int) []float64 {
	b := make([]float64, outputs)
	l, scalar := s.Loss.(loss.Scalar)
	for c := range columns.Rows {
		if scalar && !s.NoIntercept {
			b[c] = loss.Constant(l, compute.Row(columns, c))
		}
	}
	return b
}

// refitConstant adds the constant with the lowest loss on the residuals of the model. O(n·M·d).
func (d *descent) refitConstant(l loss.Scalar, all batch, r *progress.Monitor) {
	n, q := all.x.Rows, d.f.outputs
	left := compute.NewMatrix(q, n)
	for from, to := range compute.Chunks(n, refitRows) {
		if r.Stopped() {
			return
		}
		r.Report(d.progress("constant", from, n))
		part := batch{x: all.x.Between(from, to), outputs: q}
		d.f.cross(compute.Reshape(&d.k, part.x.Rows, d.f.order()), part.x)
		d.score(&d.scores, part, d.f.width-q, d.b.served())
		for i := range part.x.Rows {
			for o, v := range compute.Row(d.scores, i) {
				compute.Row(left, o)[from+i] = compute.Row(all.y, from+i)[o] - v
			}
		}
	}
	for o := range q {
		v := compute.Row(left, o)
		if all.weights != nil {
			d.b.served()[o] += constantOf(l, v, all.weights)
			continue
		}
		slices.Sort(v)
		d.b.served()[o] += loss.Constant(l, v)
	}
}

// constantOf returns the constant c that minimises Σ w_i·l(c, y_i), by bisection on the
// derivative.
func constantOf(l loss.Scalar, y []float64, weights compute.Weights) float64 {
	slope := func(c float64) (sum float64) {
		for i, v := range y {
			sum += float64(weights[i] * l.Derivative(c, v))
		}
		return sum
	}
	low, high := slices.Min(y), slices.Max(y)
	for range 200 {
		middle := low/2 + high/2
		if middle <= low || middle >= high {
			break
		}
		if slope(middle) > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return low/2 + high/2
}
