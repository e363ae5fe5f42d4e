package gp

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// likelihoodRows is the number of rows whose targets are to be likely.
const likelihoodRows = 700

// mostLikely returns the trial under which the targets of some rows are most likely, among
// those on as many rows as the one chosen whose error is within one standard error of the
// least. Where rows left out are predicted equally well, as by a wide kernel of large
// amplitude and by a narrower one of a smaller, the bands in gaps and beyond the rows differ
// widely, and the likelihood tells.
func mostLikely(p prior, x compute.Points, y compute.Matrix, o *Options, stopped func() bool) kernel.Trial {
	c, y := p.choice, p.units.Standardise(y)
	rows := rng.New(o.Seed, "gp likelihood", 0).Sample(x.Rows, min(x.Rows, likelihoodRows))
	first := x.Pick(rows).FirstCopies(compute.Pick(y, rows), nil)
	rows = compute.PickOf(rows, compute.Distinct(compute.Indices(len(rows)), first)) // copies are likely for any noise
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

// likelihood is that of the targets of some rows, the amplitudes being the most likely
// ones.
type likelihood struct {
	x       compute.Points
	y       compute.Matrix
	weights compute.Weights
	workers int
}

// at returns minus twice the logarithm of the likelihood, but for a constant: for n rows of q
// targets, z = y − b and A = K + N, N = noise·I or, with weights, diag(noise/w),
//
//	Σ_o (n − 1)·log(z_oᵀA⁻¹z_o) + q·(log det A + log 1ᵀA⁻¹1),
//
// that of what a constant leaves of the targets (Harville, "Bayesian inference for
// variance components using only error contrasts", Biometrika 61, 1974), and +Inf where A is
// not positive definite to working precision.
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
