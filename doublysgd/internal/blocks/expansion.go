package blocks

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
)

// Expansion returns f, with output o in multiples of unit_o, as a function of explicit
// features, which shares no coefficients with it. A nil unit means ones.
func (f *Function) Expansion(unit []float64) features.Expansion {
	e := features.Expansion{Map: f.Map, Options: f.Options}
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
