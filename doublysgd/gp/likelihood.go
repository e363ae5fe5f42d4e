package gp

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// likelihoodRows limits the rows of the likelihood, which costs O(rows³) per candidate.
const likelihoodRows = 700

// mostLikely returns the trial with the highest likelihood on a sample of rows. It
// considers trials within one standard error of the lowest error, scored on as many rows
// as the selected one. Leave-one-out error cannot separate a wide kernel with a large
// amplitude from a narrower kernel with a smaller one, although their variances in gaps and
// outside the data differ widely.
func mostLikely(p prior, x compute.Points, y compute.Matrix, o *Options, stopped func() bool) kernel.Trial {
	c, y := p.found, p.units.Standardise(y)
	rows := rng.New(o.Seed, "gp likelihood", 0).Sample(x.Rows, min(x.Rows, likelihoodRows))
	first := x.Pick(rows).FirstCopies(compute.Pick(y, rows), nil)
	rows = compute.PickOf(rows, compute.Distinct(compute.Indices(len(rows)), first)) // copies are likely under any noise
	l := &likelihood{x: x.Pick(rows), y: compute.Pick(y, rows), weights: p.weights.Pick(rows), workers: o.Workers}
	best, least := c.Trial, math.Inf(1)
	for _, t := range c.Curve {
		if stopped() {
			break
		}
		if t.Rows != c.Rows || t.Error > c.Exact.Error+t.StandardError {
			continue
		}
		if v := l.at(t); v < least {
			best, least = t, v
		}
	}
	return best
}

// likelihood computes the restricted likelihood of the targets at a sample of rows, with
// the amplitudes at their maximum likelihood values.
type likelihood struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights
	workers int
}

// at returns −2 times the restricted log likelihood, up to a constant. For n rows with q
// targets, z = y − b and A = K + N, where N = noise·I or, with weights, diag(noise/w),
//
//	Σ_o (n − 1)·log(z_oᵀA⁻¹z_o) + q·(log det A + log 1ᵀA⁻¹1).
//
// It is +Inf if A is not positive definite to working precision. Source: Harville,
// "Bayesian inference for variance components using only error contrasts", Biometrika 61,
// 1974.
func (l *likelihood) at(t kernel.Trial) float64 {
	n, q := l.y.Rows, l.y.Cols
	a := compute.NewMatrix(n, n)
	gram.Evaluator{Kernel: t.Kernel, Workers: l.workers}.GramOf(a, l.x)
	for i := range n {
		a.Data[i*n+i] += t.Noise / l.weights.At(i)
	}
	if !compute.Cholesky(a, l.workers) {
		return math.Inf(1)
	}
	v := withOnes(l.y) // U⁻ᵀ[y, 1] for A = UᵀU
	compute.SolveUpper(a, v, true, l.workers)
	ones := compute.Columns(v, q, q+1)
	sum := compute.ColumnDots(ones, ones)[0]
	value := math.Log(sum)
	for i := range n {
		value += 2 * math.Log(a.Data[i*n+i])
	}
	value *= float64(q)
	for o, square := range compute.ColumnDots(v, v)[:q] {
		along := compute.ColumnDots(compute.Columns(v, o, o+1), ones)[0]
		value += float64(n-1) * math.Log(max(square-float64(along*along/sum), math.SmallestNonzeroFloat64))
	}
	return value
}
