package gp

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nystrom"
)

// mean is the posterior mean of targets y during the iteration. From X = A⁻¹[y, 1] it
// computes the generalised least squares constants, for which 1ᵀα = 0:
//
//	b = 1ᵀA⁻¹y/(1ᵀA⁻¹1),   α = A⁻¹(y − b).
type mean struct {
	y          compute.Matrix
	c          *nystrom.Conjugate
	ratio      float64         // s²
	weights    compute.Weights // of the rows
	noConstant bool            // no constant
	strict     bool            // measure the error relative to f only
	constant   constant
	b          []float64
	alpha, r   compute.Matrix // n×q, the residual y − b − A·α
}

// evaluate derives b, α and the residuals from the current solution.
func (m *mean) evaluate() {
	q := m.y.Cols
	m.alpha, m.r, m.b = compute.Columns(m.c.X, 0, q), compute.Columns(m.c.R, 0, q), make([]float64, q)
	if m.noConstant {
		return
	}
	m.alpha, m.r = compute.Clone(m.alpha), compute.Clone(m.r)
	m.constant = newConstant(m.c.X, m.c.R, m.c.Rho[q])
	if !(m.constant.sum > 0) {
		return // too early in the iteration
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

// wrong bounds the relative errors of the mean and of the variance of the constant.
//
// Because K·A⁻¹ ≼ I, the error of f = K·α + b = y − Nα − r is at most the residual r, and
// the norm of f is at most the norm of y. With weights the norm is √Σ_i w_i·v_i². The
// denominator is at least tolerance times the norm of the targets.
//
// Unless m is strict, the error must also be at most noiseShare standard deviations of the
// noise. An error that is small relative to f may be large relative to very small noise.
func (m *mean) wrong(tolerance float64) float64 {
	m.evaluate()
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
	if !m.noConstant {
		bound = max(bound, relativeBound(math.Sqrt(m.constant.slack), math.Sqrt(max(0, m.constant.sum)), 0))
	}
	return bound
}

// noiseShare is the largest error of the mean, in standard deviations of the noise.
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

// average returns the constants for which the predictions at the rows average to the targets.
// They equal b if the residual is zero.
func (m *mean) average() []float64 {
	v := slices.Clone(m.b)
	if m.noConstant {
		return v
	}
	for i := range m.y.Rows {
		for o, r := range compute.Row(m.r, i) {
			v[o] += m.weights.At(i) * (r + float64(m.noise(i)*compute.Row(m.alpha, i)[o])) / float64(m.y.Rows)
		}
	}
	return v
}

// noise returns the noise variance of row i.
func (m *mean) noise(i int) float64 { return m.ratio / m.weights.At(i) }
