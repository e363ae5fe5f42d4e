package gp

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nystrom"
)

// constant is the posterior of a constant with infinite prior variance: the generalised
// least squares estimate, with variance 1/(1ᵀA⁻¹1).
type constant struct {
	weights compute.Matrix // A⁻¹1, n×1; empty for a prior with mean zero
	sum     float64        // 1ᵀA⁻¹1
	slack   float64        // bound of rᵀA⁻¹r for the residual r of weights
}

// withOnes appends a column of ones to y, n×q.
func withOnes(y compute.Matrix) compute.Matrix {
	z := compute.NewMatrix(y.Rows, y.Cols+1)
	compute.CopyTo(compute.Columns(z, 0, y.Cols), y)
	for i := range z.Rows {
		z.Data[i*z.Stride+y.Cols] = 1
	}
	return z
}

// newConstant reads A⁻¹1 from the last column of the solution x with residuals r.
func newConstant(x, r compute.Matrix, rho float64) constant {
	last := x.Cols - 1
	c := constant{weights: compute.Clone(compute.Columns(x, last, last+1)), slack: rho}
	for i, v := range c.weights.Data {
		c.sum += v + float64(v*r.Data[i*r.Stride+last])
	}
	return c
}

// at returns 1 − k(x*, X)·A⁻¹1 for each point x* of the solution, to second order in both
// residuals.
func (c constant) at(solved *nystrom.Conjugate) []float64 {
	v := slices.Repeat([]float64{1}, solved.X.Cols)
	for i := range solved.X.Rows {
		u, r := c.weights.Data[i], compute.Row(solved.R, i)
		for j, x := range compute.Row(solved.X, i) {
			v[j] -= x + float64(u*r[j])
		}
	}
	return v
}

// add adds the contribution of the constant to the variances and to their error bounds.
func (c constant) add(variances, bounds []float64, solved *nystrom.Conjugate) {
	if c.weights.Rows == 0 {
		return
	}
	for j, v := range c.at(solved) {
		off := math.Sqrt(c.slack * solved.Rho[j])
		variances[j] += float64(v*v) / c.sum
		bounds[j] += (2*math.Abs(v) + off) * off / c.sum
	}
}

// square returns (A⁻¹1)_i²/(1ᵀA⁻¹1).
func (c constant) square(i int) float64 {
	if c.weights.Rows == 0 {
		return 0
	}
	return c.weights.Data[i] * c.weights.Data[i] / c.sum
}

// addProducts adds the contribution of the constant to the covariances in dst.
func (c constant) addProducts(dst compute.Matrix, x, z *nystrom.Conjugate) {
	if c.weights.Rows == 0 {
		return
	}
	left, right := c.at(x), c.at(z)
	for i, v := range left {
		row := compute.Row(dst, i)
		for j, w := range right {
			row[j] += float64(v * w / c.sum)
		}
	}
}

func (c constant) encode(e *codec.Encoder) {
	e.Float64s(c.weights.Data)
	e.Float64(c.sum)
	e.Float64(c.slack)
}

func decodeConstant(d *codec.Decoder) constant {
	c := constant{weights: compute.ColumnOf(d.Float64s()), sum: d.Finite(), slack: d.Finite()}
	if c.weights.Rows > 0 && !(c.sum > 0 && c.slack >= 0) {
		d.Fail("1ᵀA⁻¹1 = %v to within %v", c.sum, c.slack)
	}
	return c
}
