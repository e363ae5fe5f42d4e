package descent

import (
	"slices"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/kernel"
)

// Expansion returns the part of the centres, zero of a nil function; a copy.
func (f *SpaceFunction) Expansion() kernel.Expansion {
	if f == nil {
		return kernel.Expansion{}
	}
	return expansion.Of(f.Kernel(), f.Points, f.Weights).Clone()
}

// Explicit returns the part of the random features, zero of a nil function; a copy.
func (f *SpaceFunction) Explicit() features.Expansion {
	if f == nil {
		return features.Expansion{}
	}
	return f.Features.Expansion(nil)
}

// Formula writes f + constant out.
func (f *SpaceFunction) Formula(constant float64) formula.Formula {
	inputs, outputs := f.Dims()
	if outputs == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: inputs, Intercept: slices.Repeat([]float64{constant}, outputs),
		Expansions: []kernel.Expansion{f.Expansion()}, Features: []features.Expansion{f.Explicit()}}
}
