package doublysgd

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/monitor"
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

// report is that of a fit with the ridge nu which has taken so many steps.
func (p *preconditioned) report(steps int, nu, bound float64) PreconditionReport {
	return PreconditionReport{Rows: p.n, Centres: p.c.count(), Steps: steps, Ridge: nu, Rest: p.rest, Error: bound}
}

// conclude sets the status of a fit that has ended, and returns what stopped it or, if
// the tolerance is asked for and not reached, rkhs.ErrNotConverged.
func (r *PreconditionReport) conclude(m *monitor.Monitor, tolerance float64, strict bool) error {
	r.Status = m.Status()
	if err := m.Err(); err != nil {
		return err
	}
	if r.Error <= tolerance {
		return nil
	}
	r.Status = rkhs.IterationLimit
	if !strict {
		return nil
	}
	return fmt.Errorf("doublysgd: the error is %.3g after %d steps, Tolerance is %v: %w", r.Error, r.Steps, tolerance, rkhs.ErrNotConverged)
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
