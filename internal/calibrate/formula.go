package calibrate

import (
	"slices"

	"github.com/rkhs-go/rkhs/formula"
)

// Formula writes c out, nil if it makes no probabilities.
func (c *Classes) Formula() *formula.Probabilities {
	p := &formula.Probabilities{Sums: c.layout == ofSums}
	switch c.by {
	case none:
		return nil
	case scaled:
		p.Kind, p.Slopes, p.Shifts = formula.Softmax, slices.Repeat([]float64{c.soft.slope}, len(c.soft.shift)), slices.Clone(c.soft.shift)
	case sigmoid:
		for _, f := range c.curves {
			p.Slopes, p.Shifts = append(p.Slopes, f.a), append(p.Shifts, f.b)
		}
	case points:
		p.Kind = formula.Curves
		for _, f := range c.curves {
			if f.s == nil { // of no rows: a constant
				f.s, f.p = []float64{0}, []float64{f.at(0)}
			}
			p.Curves = append(p.Curves, formula.Curve{At: slices.Clone(f.s), Values: slices.Clone(f.p)})
		}
	}
	return p
}
