package doublysgd

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// PreconditionReport says how a model was found with the help of centres, and
// how good it is known to be.
type PreconditionReport struct {
	// Status says how the fit ended: Converged if the tolerance was reached,
	// IterationLimit if all features, or iterations, were used before.
	Status rkhs.Status
	// Rows is the number of rows that were trained on.
	Rows int
	// Centres is the number of centres, Steps that of gradient steps, each with a
	// block of random features, or for FitGP of iterations of conjugate gradients.
	Centres, Steps int
	// Ridge is nu, the weight of the squared norm.
	Ridge float64
	// Rest is the mean over the rows of what the centres leave of k(x, x).
	Rest float64
	// Error bounds the error of the model in the terms of its task, relative.
	Error float64
}

func (r *PreconditionReport) encode(c *codec.Encoder) {
	c.Int(int(r.Status))
	for _, v := range []int{r.Rows, r.Centres, r.Steps} {
		c.Int(v)
	}
	for _, v := range []float64{r.Ridge, r.Rest, r.Error} {
		c.Float64(v)
	}
}

func decodePreconditionReport(d *codec.Decoder) PreconditionReport {
	r := PreconditionReport{Status: rkhs.Status(smallInt(d))}
	if r.Status > rkhs.Stalled {
		d.Fail("status %d", r.Status)
	}
	r.Rows, r.Centres, r.Steps = d.Int(), d.Int(), d.Int()
	r.Ridge, r.Rest, r.Error = d.Float64(), d.Float64(), d.Float64()
	return r
}
