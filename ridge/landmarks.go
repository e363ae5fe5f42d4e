package ridge

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// rowsPerPoint is the number of rows for each landmark that landmarks are drawn from.
	rowsPerPoint = 4
	// preconditionerRows is the number of rows for each landmark in the preconditioner.
	preconditionerRows = 8
)

// onPoints solves for f on fewer landmarks than rows. It returns nil if it was stopped.
func (p *problem) onPoints() (*solution, error) {
	n := p.x.Rows
	count := p.options.points(n, p.x.PerRow(), p.y.Cols)
	rows := rng.New(p.options.Seed, "ridge rows for points", 0).Sample(n, min(n, rowsPerPoint*count))
	c, err := centres.Draw(p.of, p.x.Pick(rows), count, 0, p.options.Seed, p.drawing)
	if err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	if p.monitor.Stopped() {
		return nil, nil
	}
	if p.weights != nil && !p.options.NoIntercept { // the targets lack their unweighted means
		floats.Add(p.means, centre(p.y, p.weights))
	}
	s := centres.NewNormal(c.Centres, p.x, p.weights, p.noise, !p.options.NoIntercept, p.monitor.Stopped)
	right, ok := s.Right(p.y)
	if !ok {
		return nil, nil
	}
	others := min(preconditionerRows*c.Count(), n-c.Count())
	if !s.See(compute.PickOf(rows, c.At), others, p.options.Seed, func(done int) bool { return p.progress("preconditioner", min(done, others), others) }) {
		return nil, nil
	}
	solved := p.run(s, right, c.Points, c.Weights)
	p.report.Norm = norms(solved.X)
	if p.held == nil || p.report.Status == rkhs.Converged || solved.Renew() {
		p.report.Error = norms(solved.R)
		p.report.Residual = relative(slices.Clone(p.report.Error), norms(right))
		floats.Scale(1/p.noise, p.report.Error)
	} else { // the residual is unknown
		p.report.Status, p.report.Residual = p.monitor.Status(), nil
	}
	f := &solution{points: c.Points, weights: c.Weights(solved.X), intercept: slices.Clone(p.means)}
	if !p.options.NoIntercept {
		floats.Sub(f.intercept, s.Means(f.weights))
	}
	return f, nil
}
