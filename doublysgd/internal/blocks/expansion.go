package blocks

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
	engine "github.com/rkhs-go/rkhs/internal/features"
)

// EngineOptions returns o without its Leverage for the features of a Function.
func EngineOptions(o features.Options) engine.Options {
	return engine.Options{Seed: o.Seed, Columns: o.Columns, Sampler: engine.Sampler(o.Sampler), Workers: o.Workers}
}

// Expansion returns f, with output o in multiples of unit_o, as a function of explicit
// features, which shares no coefficients with it. A nil unit means ones.
func (f *Function) Expansion(unit []float64) features.Expansion {
	o := features.Options{Seed: f.Options.Seed, Columns: f.Options.Columns, Sampler: features.Sampler(f.Options.Sampler), Workers: f.Options.Workers}
	e := features.Expansion{Options: o}
	e.Map, _ = features.New(f.Map.Kernel(), f.Map.Dim(), o) // as it was made
	for b := range f.Blocks {
		a := f.Coefficients(b)
		for i := range a.Data {
			if unit != nil {
				a.Data[i] *= unit[i%a.Cols]
			}
		}
		e.Coefficients = append(e.Coefficients, mat.NewDense(a.Rows, a.Cols, a.Data))
	}
	return e
}
