package gp

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nystrom"
)

// mean is the posterior mean of targets y under way: with X = A⁻¹[y, 1] the constants of
// generalised least squares, which make 1ᵀα = 0, are
//
//	b = 1ᵀA⁻¹y/(1ᵀA⁻¹1),   α = A⁻¹(y − b).
type mean struct {
	y        compute.Matrix
	c        *nystrom.Conjugate
	ratio    float64         // s²
	weights  compute.Weights // of the rows
	literal  bool            // no constant
	strict   bool            // the error is relative to f alone
	constant constant
	b        []float64
	alpha, r compute.Matrix // n×q, the residual y − b − A·α
}

// take computes constants, weights and residuals from the solution so far.
func (m *mean) take() {
	q := m.y.Cols
	m.alpha, m.r, m.b = compute.Columns(m.c.X, 0, q), compute.Columns(m.c.R, 0, q), make([]float64, q)
	if m.literal {
		return
	}
	m.alpha, m.r = compute.Clone(m.alpha), compute.Clone(m.r)
	m.constant = newConstant(m.c.X, m.c.R, m.c.Rho[q])
	if !(m.constant.sum > 0) {
		return // nothing is known yet
	}
	ones := compute.Columns(m.c.B, q, q+1)
	for o := range m.b {
		x := compute.ColumnDots(compute.Columns(m.alpha, o, o+1), ones)
		u := compute.ColumnDots(m.constant.weights, compute.Columns(m.r, o, o+1))
		m.b[o] = (x[0] + u[0]) / m.constant.sum
	}
	for i := range m.y.Rows {
		x, r := compute.Row(m.c.X, i)[q], compute.Row(m.c.R, i)[q]
		for o, b := range m.b {
			compute.Row(m.alpha, i)[o] -= float64(b * x)
			compute.Row(m.r, i)[o] -= float64(b * r)
		}
	}
}

// wrong bounds the relative error of the mean, and that of the variance of the constant. The values
// f = K·α + b = y − Nα − r of the mean are off by no more than the residual r, because
// K·A⁻¹ ≼ I, and for the same reason they are no larger than y; with weights in the norm
// Σ_i w_i·v_i². A mean of nothing counts as the fraction tolerance of the targets. Unless it is strict, an error
// of the fraction noiseShare of the deviation of the noise counts as tolerance: one relative to f says little of
// a function that hardly has any noise.
func (m *mean) wrong(tolerance float64) float64 {
	m.take()
	f := compute.Clone(m.y)
	for i := range f.Rows {
		row, alpha, r := compute.Row(f, i), compute.Row(m.alpha, i), compute.Row(m.r, i)
		for o, v := range row {
			row[o] = v - float64(m.noise(i)*alpha[o]) - r[o]
		}
	}
	targets, residual, size := m.weights.Dots(m.y, m.y), m.weights.Dots(m.r, m.r), m.weights.Dots(f, f)
	bound, explained := 0.0, m.products()
	for o, square := range targets {
		all, lack := math.Sqrt(square), math.Sqrt(residual[o])
		bound = max(bound, relativeBound(lack, min(math.Sqrt(size[o]), all), tolerance*all))
		if deviation := math.Sqrt(m.ratio * explained[o]); !m.strict && deviation > 0 {
			bound = max(bound, tolerance*lack/(noiseShare*deviation))
		}
	}
	if !m.literal {
		bound = max(bound, relativeBound(math.Sqrt(m.constant.slack), math.Sqrt(max(0, m.constant.sum)), 0))
	}
	return bound
}

// noiseShare is the part of the deviation of the noise that an error of the mean may be.
const noiseShare = 0.1

// products returns zᵀA⁻¹z of the columns z = y − b, to second order in the residuals.
func (m *mean) products() []float64 {
	z := compute.Clone(m.y)
	for i := range z.Rows {
		for o, b := range m.b {
			compute.Row(z, i)[o] += compute.Row(m.r, i)[o] - b
		}
	}
	return compute.ColumnDots(z, m.alpha)
}

// level returns the constants with which the values of the mean at the rows have the
// average of the targets: b, but for what the residual makes of it.
func (m *mean) level() []float64 {
	v := slices.Clone(m.b)
	if m.literal {
		return v
	}
	for i := range m.y.Rows {
		for o, r := range compute.Row(m.r, i) {
			v[o] += m.weights.At(i) * (r + float64(m.noise(i)*compute.Row(m.alpha, i)[o])) / float64(m.y.Rows)
		}
	}
	return v
}

// noise returns that of a row.
func (m *mean) noise(i int) float64 { return m.ratio / m.weights.At(i) }
