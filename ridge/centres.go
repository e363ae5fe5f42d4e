package ridge

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// rowsPerPoint is the number of rows for each point that points are drawn from.
	rowsPerPoint = 4
	// preconditionerRows is that of the rows that the preconditioner is made of.
	preconditionerRows = 8
)

// onPoints solves for f on fewer points than rows, or returns nil if it was stopped.
func (p *problem) onPoints() (*solution, error) {
	c, at, err := p.drawPoints()
	if c == nil || err != nil {
		return nil, err
	}
	if p.weights != nil && !p.options.NoIntercept { // targets are less their plain means
		floats.Add(p.means, centre(p.y, p.weights))
	}
	s := centres.NewNormal(c, p.x, p.weights, p.noise, !p.options.NoIntercept, p.monitor.Stopped)
	right, ok := s.Right(p.y)
	if !ok {
		return nil, nil
	}
	others := min(preconditionerRows*c.Count(), p.x.Rows-c.Count())
	if !s.See(at, others, p.options.Seed, func(done int) bool { return p.more("preconditioner", min(done, others), others) }) {
		return nil, nil
	}
	solved := p.run(s, right, c.Points, c.Weights)
	p.report.Norm = norms(solved.X)
	if p.held == nil || p.report.Status == rkhs.Converged || solved.Renew() {
		p.report.Error = norms(solved.R)
		p.report.Residual = relative(slices.Clone(p.report.Error), norms(right))
		floats.Scale(1/p.noise, p.report.Error)
	} else { // what the solution leaves was not computed
		p.report.Status, p.report.Residual = p.monitor.Status(), nil
	}
	f := &solution{points: c.Points, weights: c.Weights(solved.X), intercept: slices.Clone(p.means)}
	if !p.options.NoIntercept {
		floats.Sub(f.intercept, s.Means(f.weights))
	}
	return f, nil
}

// drawPoints returns points and the rows that they are, or no points if it was stopped.
func (p *problem) drawPoints() (points *centres.Centres, at []int, err error) {
	n := p.x.Rows
	count := p.options.points(n, p.x.PerRow(), p.y.Cols)
	rows := rng.New(p.options.Seed, "ridge rows for points", 0).Sample(n, min(n, rowsPerPoint*count))
	c, err := centres.Draw(p.of, p.x.Pick(rows), count, 0, p.options.Seed,
		func(done, most int) bool { return p.more("centres", done, most) })
	if err != nil {
		return nil, nil, fmt.Errorf("ridge: %w", err)
	}
	if p.monitor.Stopped() {
		return nil, nil, nil
	}
	for _, place := range c.At {
		at = append(at, rows[place])
	}
	return c.Centres, at, nil
}
