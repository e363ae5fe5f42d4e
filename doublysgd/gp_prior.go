package doublysgd

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// prior is a Gaussian process offset + unit·f, in units of the targets: of output o
// the covariance is amplitude·kernel and the variance of the noise ratio·amplitude.
type prior struct {
	kernel    kernel.Kernel
	units     units
	amplitude []float64
	ratio     float64
}

// prior returns that of the options, with what is not given found from data.
func (o *GPOptions) prior(x, y compute.Matrix) (prior, error) {
	s := settings{Options: Options{Kernel: o.Kernel, Seed: o.Seed}}
	k, err := s.kernel(x)
	if err != nil {
		return prior{}, err
	}
	p := prior{kernel: k, units: o.units(y)}
	l := o.likelihood(x, p.units.standardise(y))
	for i, v := range p.units.offset {
		if !finite(v) || !(p.units.unit[i]*p.units.unit[i] > 0) || !finite(p.units.unit[i]*p.units.unit[i]) {
			return p, fmt.Errorf("doublysgd: targets have mean %v and standard deviation %v: %w", v, p.units.unit[i], rkhs.ErrDiverged)
		}
	}
	l.noise = o.Noise / (p.units.unit[0] * p.units.unit[0])
	best := l.best(k)
	if g, ok := k.(kernel.Gaussian); ok && o.Kernel == nil {
		for _, factor := range []float64{1. / 8, 1. / 4, 1. / 2, 2, 4} {
			wider := kernel.Gaussian{Sigma: factor * g.Sigma}
			if other := l.best(wider); other.log > best.log {
				best, p.kernel = other, wider
			}
		}
	}
	p.ratio = best.ratio
	for _, u := range p.units.unit {
		p.amplitude = append(p.amplitude, best.amplitude*u*u)
	}
	return p, nil
}

// units returns the mean and the standard deviation of the targets, or none.
func (o *GPOptions) units(y compute.Matrix) units {
	u := units{make([]float64, y.Cols), make([]float64, y.Cols)}
	for c := range y.Cols {
		u.unit[c] = 1
		if o.Literal {
			continue
		}
		column := make([]float64, y.Rows)
		for i := range column {
			column[i] = y.Data[i*y.Stride+c]
		}
		u.offset[c] = meanOf(column)
		largest := 0.0
		for i, v := range column {
			column[i] = math.Abs(v - u.offset[c])
			largest = max(largest, column[i])
		}
		if largest <= 1e-14*math.Abs(u.offset[c]) {
			continue // constant, but for rounding
		}
		for i, v := range column {
			column[i] = (v / largest) * (v / largest)
		}
		u.unit[c] = largest * math.Sqrt(meanOf(column))
	}
	return u
}

// likelihood is that of the targets of some rows under a Gaussian process.
type likelihood struct {
	x, y    compute.Matrix
	literal bool
	noise   float64 // or 0
	workers int
}

// likely is a choice of parameters: amplitude·k, and noise of ratio·amplitude.
type likely struct{ amplitude, ratio, log float64 }

const (
	likelihoodRows = 512
	smallestRatio  = 1e-8
	largestRatio   = 1e3
	ratioStep      = 10
)

func (o *GPOptions) likelihood(x, y compute.Matrix) *likelihood {
	rows := rng.New(o.Seed, "doublysgd likelihood", 0).Sample(x.Rows, min(x.Rows, likelihoodRows))
	return &likelihood{x: gather(x, rows), y: gather(y, rows), literal: o.Literal, workers: o.Workers}
}

// best returns the ratio of the greatest likelihood: by powers of ten of the mean of
// k(x, x) first, and then in steps of half and a quarter of one.
func (l *likelihood) best(k kernel.Kernel) likely {
	gram := compute.NewMatrix(l.x.Rows, l.x.Rows)
	kernel.Evaluator{Kernel: k, Workers: l.workers}.Gram(gram, l.x)
	if l.literal && l.noise > 0 {
		return l.at(gram, l.noise)
	}
	unit := meanDiagonal(gram)
	best := likely{1, unit, math.Inf(-1)}
	try := func(ratio float64) {
		if ratio < smallestRatio*unit || ratio > largestRatio*unit {
			return
		}
		if c := l.at(gram, ratio); c.log > best.log {
			best = c
		}
	}
	for ratio := smallestRatio; ratio <= largestRatio; ratio *= ratioStep {
		try(ratio * unit)
	}
	for step := math.Sqrt(ratioStep); step > 1.5; step = math.Sqrt(step) {
		from := best.ratio
		try(from * step)
		try(from / step)
	}
	return best
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

// at returns the logarithm of the likelihood at a ratio and the best amplitude: with
// C = K + ratio·I of n rows, and targets of q columns,
//
//	−½·(n·q·log amplitude + q·log det C + tr(yᵀC⁻¹y)/amplitude).
func (l *likelihood) at(gram compute.Matrix, ratio float64) likely {
	n, q := float64(l.y.Rows), float64(l.y.Cols)
	c := cloneMatrix(gram)
	for i := range c.Rows {
		c.Data[i*c.Stride+i] += ratio
	}
	if !compute.Cholesky(c, l.workers) {
		return likely{1, ratio, math.Inf(-1)}
	}
	v := cloneMatrix(l.y)
	compute.SolveUpper(c, v, true, l.workers)
	square, det := 0.0, 0.0
	for _, s := range v.Data {
		square += s * s
	}
	for i := range c.Rows {
		det += 2 * math.Log(c.Data[i*c.Stride+i])
	}
	amplitude := square / (n * q)
	switch {
	case l.literal:
		amplitude = 1
	case l.noise > 0:
		amplitude = l.noise / ratio
	case amplitude == 0:
		amplitude = 1 // constant targets are likely under any
	}
	return likely{amplitude, ratio, -0.5 * (n*q*math.Log(amplitude) + q*det + square/amplitude)}
}
