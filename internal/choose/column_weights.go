package choose

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// columnWeights finds weights w of the columns and a noise by descent of the logarithm of
// the leave-one-out error of ridge regression with the kernel φ(Σ_c w_c·(x_c − z_c)²) on
// the rows x. With P as in leaveOneOut, a = P·y, q the diagonal of P and e = a/q the
// errors, the change of the mean of e² by a change dK of the Gram matrix is
//
//	(2/n)·Σ_ij M_ij·dK_ij,   M = P·diag(e∘a/q²)·P − (P·(e/q))·aᵀ,
//
// summed over the outputs. A step costs O(n³ + n²·d).
type columnWeights struct {
	x, y     compute.Matrix
	family   Family
	left     *leaveOneOut
	distance compute.Matrix // s
	gram     compute.Matrix
	slope    compute.Matrix // φ'(s)
	p, m     compute.Matrix
	scaled   compute.Matrix // x·√w
	workers  int
}

// evenness is the weight of the variance of the log weights of columns in what is
// minimised: columns that nothing speaks for or against go with the others.
const evenness = 1e-3

func newColumnWeights(x, y compute.Matrix, f Family, workers int) *columnWeights {
	n := x.Rows
	square := func() compute.Matrix { return compute.NewMatrix(n, n) }
	return &columnWeights{x: x, y: y, family: f, left: newLeaveOneOut(workers), distance: square(), gram: square(),
		slope: square(), p: square(), m: square(), scaled: compute.NewMatrix(n, x.Cols), workers: workers}
}

// The logarithm of the noise stays between these.
var leastLogNoise, mostLogNoise = math.Log(1e-10), math.Log(1e3)

// value returns the criterion at the logarithms of the weights and, last, of the noise,
// and sets its gradient.
func (c *columnWeights) value(at, gradient []float64) float64 {
	d, n := c.x.Cols, c.x.Rows
	logNoise := at[d]
	if !(logNoise >= leastLogNoise && logNoise <= mostLogNoise) {
		return math.Inf(1)
	}
	weights := make([]float64, d+1)
	compute.Exp(weights, at)
	noise := weights[d]
	c.fill(weights[:d])
	if !c.left.factorise(c.gram, noise, c.y, n) {
		return math.Inf(1)
	}
	loss, trace := c.weigh()
	if !(loss > 0) || !compute.Finite(loss) || !compute.Finite(trace) {
		return math.Inf(1)
	}
	c.sumOverPairs(gradient[:d], weights[:d])
	floats.Scale(2/(float64(n)*loss), gradient[:d])
	gradient[d] = 2 / (float64(n) * loss) * trace * noise
	mean, spread := compute.Mean(at[:d]), 0.0
	for i, v := range at[:d] {
		spread += float64((v - mean) * (v - mean))
		gradient[i] += 2 * evenness * (v - mean)
	}
	v := []float64{loss}
	compute.Log(v, v)
	return v[0] + float64(evenness*spread)
}

// fill sets the scaled rows, the Gram matrix and the slopes.
func (c *columnWeights) fill(weights []float64) {
	for i := range c.x.Rows {
		to := compute.Row(c.scaled, i)
		for j, v := range compute.Row(c.x, i) {
			to[j] = v * math.Sqrt(weights[j])
		}
	}
	compute.KernelSym(c.distance, c.scaled, compute.Func{Family: compute.SquaredDistance}, c.workers)
	compute.Parallel(c.x.Rows, c.workers, func(i int) {
		c.family.profile(compute.Row(c.gram, i), compute.Row(c.slope, i), compute.Row(c.distance, i))
	})
}

// weigh sets M and returns the mean squared error, over rows and outputs, and the trace of
// M.
func (c *columnWeights) weigh() (loss, trace float64) {
	n, l := c.x.Rows, c.left
	outputs := float64(c.y.Cols)
	l.projector(c.p)
	right, middle := compute.NewMatrix(n, c.y.Cols), make([]float64, n)
	for i := range n {
		q := c.p.Data[i*c.p.Stride+i]
		for j, a := range compute.Row(l.py, i) {
			e := a / q
			loss += float64(e * e)
			middle[i] += float64(e*a) / float64(q*q) / outputs
			right.Data[i*right.Stride+j] = -e / q / outputs
		}
	}
	// P·diag(middle)·P, all of whose weights are nonnegative.
	root := compute.Clone(c.p)
	for i := range n {
		floats.Scale(math.Sqrt(middle[i]), compute.Row(root, i))
	}
	compute.Zero(c.m)
	compute.AddGram(c.m, root, c.workers)
	compute.Mirror(c.m)
	left := compute.NewMatrix(n, c.y.Cols)
	compute.MulNN(left, c.p, right, c.workers)
	compute.MulNT(c.m, left, l.py, c.workers)
	for i := range n {
		trace += c.m.Data[i*c.m.Stride+i]
	}
	return loss / float64(n) / outputs, trace
}

// sumOverPairs sets dst_c = Σ_ij M_ij·φ'_ij·w_c·(x_ic − x_jc)², which is, with
// H = sym(M)∘φ' and u the scaled rows, 2·(Σ_i (H·1)_i·u_ic² − u_cᵀ·H·u_c).
func (c *columnWeights) sumOverPairs(dst, weights []float64) {
	n := c.x.Rows
	h := c.p // free now
	compute.Parallel(n, c.workers, func(i int) {
		row, slope := compute.Row(h, i), compute.Row(c.slope, i)
		for j := range row {
			row[j] = (c.m.Data[i*c.m.Stride+j] + c.m.Data[j*c.m.Stride+i]) / 2 * slope[j]
		}
	})
	hu := compute.NewMatrix(n, len(dst))
	compute.MulNN(hu, h, c.scaled, c.workers)
	clear(dst)
	for i := range n {
		r := sum(compute.Row(h, i))
		for j, u := range compute.Row(c.scaled, i) {
			dst[j] += 2 * (float64(float64(r*u)*u) - float64(u*hu.Data[i*hu.Stride+j]))
		}
	}
}
