package gp

import (
	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// Report says how the mean was found and how good it is known to be.
type Report struct {
	// Status says how the fit ended: Converged if the tolerance was reached,
	// IterationLimit if all iterations were used before.
	Status rkhs.Status
	// Rows is the number of rows that were trained on.
	Rows int
	// Centres is the number of rows that the preconditioner was made of.
	Centres int
	// Iterations is the number of iterations of conjugate gradients.
	Iterations int
	// Ridge is nu = s²/n, the weight of the squared norm, in the unit of Kernel.
	Ridge float64
	// Rest is the mean over the rows of what the centres leave of k(x, x).
	Rest float64
	// Error bounds the relative error of the mean, in the root mean square over the
	// rows.
	Error float64
}

func (r *Report) encode(e *codec.Encoder) {
	for _, v := range []int{int(r.Status), r.Rows, r.Centres, r.Iterations} {
		e.Int(v)
	}
	for _, v := range []float64{r.Ridge, r.Rest, r.Error} {
		e.Float64(v)
	}
}

func decodeReport(d *codec.Decoder) Report {
	return Report{Status: codec.Enum(d, rkhs.Stalled), Rows: d.Int(), Centres: d.Int(), Iterations: d.Int(),
		Ridge: d.Float64(), Rest: d.Float64(), Error: d.Float64()}
}
