package ridge

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// unseen returns predictions of unseen rows: leave-one-out predictions or predictions of held-out
// rows if there are any, else those of a second fit.
func (p *problem) unseen(f *solution) calibrate.Sample {
	switch {
	case p.options.Uncalibrated || p.monitor.Stopped():
		return calibrate.Sample{}
	case p.sample.Rows() > 0 || p.solver == factorising:
		return p.sample
	case p.held != nil:
		return p.held.sample(p, f)
	}
	return p.refitted()
}

// refitted returns predictions of rows by a fit to the others.
func (p *problem) refitted() (sample calibrate.Sample) {
	n := p.x.Rows
	for _, set := range calibrate.Sets(n, n, p.classes, calibrate.Refits(1), p.options.Seed, p.x.FirstCopies(p.y, p.classes)) {
		part := *p
		part.means = slices.Clone(p.means)
		part.without(set, calibrate.Others(n, set), 0)
		f, err := part.solve()
		if err != nil || p.monitor.Stopped() {
			return calibrate.Sample{}
		}
		sample = sample.With(part.held.sample(&part, f))
	}
	return sample
}

// sample returns the predictions of the held-out rows by a solution.
func (h *heldOut) sample(p *problem, f *solution) calibrate.Sample {
	s := calibrate.Sample{X: h.x, Scores: compute.NewMatrix(h.y.Rows, h.y.Cols), Targets: compute.Clone(h.y), Class: h.classes, Weights: h.weights}
	p.of.MulOf(s.Scores, h.x, f.points, f.weights)
	compute.AddRow(s.Scores, f.intercept)
	compute.AddRow(s.Targets, h.means)
	return s
}
