package gp

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/target"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// prior is a Gaussian process offset + unit·f, in units of the targets: of output o
// the covariance is amplitude·kernel and the variance of the noise ratio·amplitude.
type prior struct {
	kernel    kernel.Kernel
	units     target.Units
	amplitude []float64
	ratio     float64
}

// newPrior returns that of the options, with what is not given found from data.
func newPrior(o *Options, x, y compute.Matrix) (prior, error) {
	bandwidth, err := choose.Default(pkg, o.Kernel, x, 1, o.Seed)
	if err != nil {
		return prior{}, err
	}
	p := prior{units: target.None(y.Cols)}
	if !o.Literal {
		p.units = target.Standard(y)
	}
	l := newLikelihood(o, x, p.units.Standardise(y))
	for i, v := range p.units.Offset {
		if square := p.units.Unit[i] * p.units.Unit[i]; !compute.Finite(v) || !(square > 0) || !compute.Finite(square) {
			return p, fmt.Errorf("gp: targets have mean %v and standard deviation %v: %w", v, p.units.Unit[i], rkhs.ErrDiverged)
		}
	}
	l.noise = o.Noise / (p.units.Unit[0] * p.units.Unit[0])
	best := l.best(bandwidth.Kernel(), 1)
	if o.Kernel == nil {
		best = choose.Multiples(best, bandwidths, func(factor float64) likely { return l.best(bandwidth.Times(factor), factor) })
	}
	p.kernel, p.ratio = bandwidth.Times(best.Factor), best.Ridge
	for _, u := range p.units.Unit {
		p.amplitude = append(p.amplitude, best.Detail*u*u)
	}
	return p, nil
}

const (
	likelihoodRows = 512
	smallestRatio  = 1e-8
	largestRatio   = 1e3
)

// bandwidths are the multiples of the median distance that are tried beside it.
var bandwidths = []float64{1. / 8, 1. / 4, 1. / 2, 2, 4}

// likelihood is that of the targets of some rows under a Gaussian process.
type likelihood struct {
	x, y    compute.Matrix
	literal bool
	noise   float64 // or 0
	workers int
}

// likely are parameters, by minus the logarithm of the likelihood: the ridge
// is the ratio of noise to amplitude, and what is noted the amplitude.
type likely = choose.Candidate[float64]

func newLikelihood(o *Options, x, y compute.Matrix) *likelihood {
	rows := rng.New(o.Seed, "doublysgd likelihood", 0).Sample(x.Rows, min(x.Rows, likelihoodRows))
	return &likelihood{x: compute.Pick(x, rows), y: compute.Pick(y, rows), literal: o.Literal, workers: o.Workers}
}

// best returns the ratio of the greatest likelihood: by powers of ten of the mean of
// k(x, x) first, and then in steps of half and a quarter of one.
func (l *likelihood) best(k kernel.Kernel, factor float64) likely {
	gram := compute.NewMatrix(l.x.Rows, l.x.Rows)
	kernel.Evaluator{Kernel: k, Workers: l.workers}.Gram(gram, l.x)
	curve := choose.Curve[float64](func(ratio float64) (criterion, amplitude float64) { return l.at(gram, ratio) })
	unit := meanDiagonal(gram)
	start := choose.Unrated[float64](factor, unit)
	ratios := choose.Rising(smallestRatio, largestRatio, unit)
	given := l.literal && l.noise > 0
	if given {
		start.Ridge, ratios = l.noise, choose.Falling(l.noise, l.noise)
	}
	start.Detail = 1
	best, _ := curve.Ladder(start, ratios, 0, func() bool { return false })
	if given {
		return best
	}
	return curve.Refine(best, math.Sqrt(10), 1.5, smallestRatio*unit, largestRatio*unit)
}

// meanDiagonal returns that of a Gram matrix, or 1 in place of 0.
func meanDiagonal(gram compute.Matrix) float64 {
	sum := 0.0
	for i := range gram.Rows {
		sum += gram.Data[i*gram.Stride+i] / float64(gram.Rows)
	}
	if sum == 0 {
		return 1
	}
	return sum
}

// at returns minus the logarithm of the likelihood at a ratio, and the best amplitude:
// with C = K + ratio·I of n rows, and targets of q columns,
//
//	½·(n·q·log amplitude + q·log det C + tr(yᵀC⁻¹y)/amplitude).
func (l *likelihood) at(gram compute.Matrix, ratio float64) (criterion, amplitude float64) {
	n, q := float64(l.y.Rows), float64(l.y.Cols)
	c := compute.Clone(gram)
	for i := range c.Rows {
		c.Data[i*c.Stride+i] += ratio
	}
	if !compute.Cholesky(c, l.workers) {
		return math.Inf(1), 1
	}
	v := compute.Clone(l.y)
	compute.SolveUpper(c, v, true, l.workers)
	square, det := 0.0, 0.0
	for _, s := range v.Data {
		square += s * s
	}
	for i := range c.Rows {
		det += 2 * math.Log(c.Data[i*c.Stride+i])
	}
	amplitude = square / (n * q)
	switch {
	case l.literal:
		amplitude = 1
	case l.noise > 0:
		amplitude = l.noise / ratio
	case amplitude == 0:
		amplitude = 1 // constant targets are likely under any
	}
	return 0.5 * (n*q*math.Log(amplitude) + q*det + square/amplitude), amplitude
}
