package gp

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// prior is a Gaussian process offset + unit·f in units of the targets. Output o has the
// covariance amplitude[o]·kernel and the noise variance ratio·amplitude[o].
type prior struct {
	kernel    kernel.Kernel
	units     descent.Units
	amplitude []float64
	ratio     float64
	weights   compute.Weights     // row weights of mean one, or nil; they divide the noise
	times     []float64           // total weight of the copies of each row, or nil
	found     kernel.SearchResult // zero without a search
}

// newPrior returns the prior without the amplitudes. It selects from the data the values
// that the options do not give.
func newPrior(o *Options, x compute.Points, y compute.Matrix, weights compute.Weights, m *progress.Monitor) (prior, error) {
	p := prior{kernel: o.Kernel, units: descent.NoUnits(y.Cols), ratio: o.Noise, weights: weights, times: weights.Multiplicity(x.FirstCopies(y, nil))}
	if o.Kernel != nil {
		if err := gram.Check(o.Kernel, x); err != nil {
			return p, fmt.Errorf("gp: %w", err)
		}
	}
	if !o.NoConstant {
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
	options := search.Options{Kernel: o.Kernel, Weights: weights, Metric: o.Metric, Noise: p.ratio, MemoryLimit: o.MemoryLimit, Seed: o.Seed, Workers: o.Workers}
	if err := options.CheckMemory(pkg, x.Rows, x.PerRow(), y.Cols); err != nil {
		return p, err
	}
	p.found = search.Tune(x, y, nil, options.WithMonitor(m))
	if !o.NoConstant {
		p.found.Trial = mostLikely(p, x, y, o, m.Stopped)
	}
	p.kernel, p.ratio = p.found.Kernel, p.found.Noise
	return p, nil
}

// scale sets the amplitudes. Unless the options fix them, the amplitude of an output
// maximises the likelihood of its targets:
//
//	zᵀA⁻¹z/(n − 1)
//
// in squared units, for the n residuals z = y − b and the given products zᵀA⁻¹z. Constant
// targets have no maximum, and their amplitude is 1.
func (p *prior) scale(o *Options, n int, products []float64) {
	for i, v := range products {
		amplitude := p.units.Unit[i] * p.units.Unit[i]
		if v > 0 {
			amplitude *= v / float64(max(n-1, 1))
		}
		switch {
		case o.NoConstant:
			amplitude = 1
		case o.Noise > 0:
			amplitude = o.Noise / p.ratio
		}
		p.amplitude = append(p.amplitude, amplitude)
	}
}
