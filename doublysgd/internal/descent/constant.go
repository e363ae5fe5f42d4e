package descent

import (
	"slices"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Constant is the one that is learned beside a function, on which no ridge weighs. Tasks
// without one leave it at zero.
type Constant struct {
	Now  []float64 // of each output
	mean []float64 // of the iterates, iterate t with weight t
}

func newConstant(outputs int) Constant {
	return Constant{make([]float64, outputs), make([]float64, outputs)}
}

// take makes a move.
func (c *Constant) take(m Move) {
	for o, by := range m.Shift {
		c.Now[o] = float64(m.Decay*c.Now[o]) + by
	}
}

// tick takes the constant into the mean, after the function into its average.
func (c *Constant) tick(a *blocks.Average) {
	share := float64(a.Steps) / a.Weight
	for o, b := range c.Now {
		c.mean[o] += float64(share * (b - c.mean[o]))
	}
}

// of returns a copy of that of the function which a stepper returns.
func (c *Constant) of(f *blocks.Function) []float64 {
	if f.Average == nil {
		return slices.Clone(c.Now)
	}
	return slices.Clone(c.mean)
}

func (c Constant) clone() Constant { return Constant{slices.Clone(c.Now), slices.Clone(c.mean)} }

// Encode writes c.
func (c *Constant) Encode(e *codec.Encoder) {
	e.Float64s(c.Now)
	e.Float64s(c.mean)
}

// DecodeConstant reads the constant of so many outputs.
func DecodeConstant(d *codec.Decoder, outputs int) Constant {
	c := Constant{d.Float64s(), d.Float64s()}
	if d.Err() == nil && (len(c.Now) != outputs || len(c.mean) != outputs) {
		d.Fail("constants of %d and %d outputs, want %d", len(c.Now), len(c.mean), outputs)
	}
	for _, v := range slices.Concat(c.Now, c.mean) {
		if !compute.Finite(v) {
			d.Fail("a constant of %v", v)
		}
	}
	return c
}
