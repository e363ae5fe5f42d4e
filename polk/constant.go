package polk

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// constant is the intercept b of each output, which has no ridge and is learned with the
// function, by steps of its own.
type constant struct {
	own, averaged []float64 // the second is that of an averaged function, else nil
}

// newConstant starts from b.
func newConstant(b []float64, averaged bool) (c constant) {
	c.own = append(c.own, b...)
	if averaged {
		c.averaged = append(c.averaged, b...)
	}
	return c
}

// served returns the constant of the model.
func (b *constant) served() []float64 {
	if b.averaged != nil {
		return b.averaged
	}
	return b.own
}

// widen adds an output.
func (b *constant) widen() {
	if b.own = append(b.own, 0); b.averaged != nil {
		b.averaged = append(b.averaged, 0)
	}
}

// constantRows is the number of rows that a step of the constant is a mean over besides
// those of the batch: as if so many others had no derivative. Single rows so move it little.
const constantRows = 256

// move takes a step of the size eta against the derivatives g of a batch, of rows that count
// by their weights or alike.
func (b *constant) move(g compute.Matrix, weights compute.Weights, eta float64) {
	rows := max(float64(g.Rows), weights.Total(g.Rows))
	for i := range g.Rows {
		floats.AddScaled(b.own, -eta*weights.At(i)/(constantRows+rows), compute.Row(g, i))
	}
}

// average moves the averaged constant by the fraction g towards the constant.
func (b *constant) average(g float64) {
	for o := range b.averaged {
		b.averaged[o] += g * (b.own[o] - b.averaged[o])
	}
}
