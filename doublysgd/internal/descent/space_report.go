package descent

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/summary"
)

// SpaceReport has the fields of the reports of all tasks.
type SpaceReport struct {
	Status      rkhs.Status
	Rows        int
	ModelOrder  int
	Iterations  int
	Ridge       float64
	Rest, Error float64
}

// NewSpaceReport returns that of a fit with the ridge nu which has taken so many steps.
func NewSpaceReport(p *Space, steps int, nu, bound float64) SpaceReport {
	return SpaceReport{Rows: p.X.Rows, ModelOrder: p.Centres.Count(), Iterations: steps, Ridge: nu, Rest: p.Rest, Error: bound}
}

// Conclude sets the status of a fit that has ended, and returns what stopped it or, if
// the tolerance is asked for and not reached, rkhs.ErrNotConverged.
func (r *SpaceReport) Conclude(pkg string, m *monitor.Monitor, tolerance float64, strict bool) error {
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
	return fmt.Errorf("%s: the error is %.3g after %d iterations, Tolerance is %v: %w", pkg, r.Error, r.Iterations, tolerance, rkhs.ErrNotConverged)
}

// Fields lists what a file has of r.
func (r *SpaceReport) Fields() []any {
	return []any{codec.OneOf(&r.Status, rkhs.Stalled), &r.Rows, &r.ModelOrder, &r.Iterations, &r.Ridge, &r.Rest, &r.Error}
}

// String returns a summary of a few lines.
func (r SpaceReport) String() string {
	var l summary.Lines
	l.Add("status", "%v after %s", r.Status, summary.Count(r.Iterations, "iteration"))
	l.Add("rows", "%d", r.Rows)
	l.Add("centres", "%d", r.ModelOrder)
	l.Add("ridge", "%.4g", r.Ridge)
	l.AddNumber("error", r.Error)
	return l.String()
}
