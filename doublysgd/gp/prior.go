package gp

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
)

// prior is a Gaussian process offset + unit·f, in units of the targets: of output o
// the covariance is amplitude·kernel and the variance of the noise ratio·amplitude.
type prior struct {
	kernel    kernel.Kernel
	units     descent.Units
	amplitude []float64
	ratio     float64
	weights   compute.Weights // of the rows, of mean one, or nil: the noise is divided by them
	times     []float64       // the multiplicity of the rows, or nil: what copies weigh together
	choice    kernel.Choice   // zero if there was nothing to find
}

// newPrior returns that of the options but for the amplitude, with what is not given
// found from data.
func newPrior(o *Options, x compute.Points, y compute.Matrix, weights compute.Weights, m *progress.Monitor) (prior, error) {
	p := prior{kernel: o.Kernel, units: descent.NoUnits(y.Cols), ratio: o.Noise, weights: weights, times: weights.Multiplicity(x.FirstCopies(y, nil))}
	if o.Kernel != nil {
		if err := gram.Check(o.Kernel, x); err != nil {
			return p, fmt.Errorf("gp: %w", err)
		}
	}
	if !o.Literal {
		p.units, p.ratio = descent.StandardUnits(y), 0
	}
	for i, v := range p.units.Offset {
		if square := p.units.Unit[i] * p.units.Unit[i]; !compute.Finite(v) || !(square > 0) || !compute.Finite(square) {
			return p, fmt.Errorf("gp: targets have mean %v and standard deviation %v: %w", v, p.units.Unit[i], rkhs.ErrDiverged)
		}
	}
	if o.Kernel != nil && p.ratio > 0 {
		return p, nil
	}
	search := choose.Options{Kernel: o.Kernel, Weights: weights, Metric: o.Metric, Noise: p.ratio, MemoryLimit: o.MemoryLimit, Seed: o.Seed, Workers: o.Workers}
	if err := search.CheckMemory(pkg, x.Rows, x.PerRow(), y.Cols); err != nil {
		return p, err
	}
	p.choice = choose.Tune(x, y, nil, search.Watched(m))
	if !o.Literal {
		p.choice.Trial = mostLikely(p, x, y, o, m.Stopped)
	}
	p.kernel, p.ratio = p.choice.Kernel, p.choice.Noise
	return p, nil
}

// scale sets the amplitudes. Where none is given by the options, that of output o is the
// one at which its targets are most likely,
//
//	zᵀA⁻¹z/(n − 1)
//
// in its unit squared, for the n values z that the constant leaves of them, of which the
// products are given; targets without any variance are likely under all, and it is 1.
func (p *prior) scale(o *Options, n int, products []float64) {
	for i, v := range products {
		amplitude := p.units.Unit[i] * p.units.Unit[i]
		if v > 0 {
			amplitude *= v / float64(max(n-1, 1))
		}
		switch {
		case o.Literal:
			amplitude = 1
		case o.Noise > 0:
			amplitude = o.Noise / p.ratio
		}
		p.amplitude = append(p.amplitude, amplitude)
	}
}
