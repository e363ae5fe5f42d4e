package ridge

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// refitted returns predictions at rows of a function that was fitted to the others.
func (p *problem) refitted() (sample calibrate.Sample) {
	for _, set := range calibrate.Sets(p.x.Rows, p.x.Rows, p.classes, calibrate.Refits(1), p.options.Seed, p.x.FirstCopies(p.y, p.classes)) {
		part := *p
		part.means = slices.Clone(p.means)
		part.without(set, calibrate.Others(p.x.Rows, set), 0)
		f, err := part.solve()
		if err != nil || p.monitor.Stopped() {
			return calibrate.Sample{}
		}
		sample = sample.With(part.held.sample(&part, f))
	}
	return sample
}

// outOfSample returns predictions at unseen rows: of the function that was found, at rows held out from it or left
// out one by one, and else of a function like it that was fitted to the other rows.
func (p *problem) outOfSample(f *solution) calibrate.Sample {
	switch {
	case p.options.Uncalibrated || p.monitor.Stopped():
		return calibrate.Sample{}
	case p.sample.Rows() > 0 || p.way == factorising:
		return p.sample
	case p.held != nil:
		return p.held.sample(p, f)
	}
	return p.refitted()
}

// sample returns what a solution predicts at the rows held out from it.
func (h *heldOut) sample(p *problem, f *solution) calibrate.Sample {
	s := calibrate.Sample{X: h.x, Scores: compute.NewMatrix(h.y.Rows, h.y.Cols), Targets: compute.Clone(h.y), Class: h.classes, Weights: h.weights}
	p.of.MulOf(s.Scores, h.x, f.points, f.weights)
	compute.AddRow(s.Scores, f.intercept)
	compute.AddRow(s.Targets, h.means)
	return s
}
