package svm

import (
	"errors"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// plan holds out more rows than a single probability needs. Fits to the other rows are cheap
// compared with the search for C, and several labels need a curve each.
var plan = calibrate.Plan{Sets: calibrate.MostSets, Rows: 2 * calibrate.Enough, Each: calibrate.MostRows}

// heldOut returns scores of held-out rows, and these rows. The columns are those of all machines,
// each trained on the other rows. Regression passes no classes and sets the targets itself.
func (p *problem) heldOut(class []int, all []trained) (sample calibrate.Sample, rows []int) {
	if p.options.Uncalibrated {
		return sample, nil
	}
	n := p.x.Rows
	for _, set := range calibrate.Sets(n, n, class, plan, p.options.Seed, p.first) {
		columns := all[0].columns()
		s := calibrate.Sample{Scores: compute.NewMatrix(len(set), len(all)*columns), Class: compute.PickOf(class, set), Weights: p.weights.Pick(set)}
		for k, t := range all {
			scores, ok := p.scoresOf(set, t)
			if !ok {
				return calibrate.Sample{}, nil
			}
			compute.CopyTo(compute.Columns(s.Scores, k*columns, (k+1)*columns), scores)
		}
		if class == nil {
			s.X, s.Targets = p.x.Pick(set), s.Scores // not the targets yet
		}
		sample, rows = sample.With(s), append(rows, set...)
	}
	return sample, rows
}

// scoresOf returns the scores of rows by machines that were trained on all others. It includes
// machines that did not converge.
func (p *problem) scoresOf(rows []int, t trained) (scores compute.Matrix, ok bool) {
	others := calibrate.Others(p.x.Rows, rows)
	o := p.engine(1)
	o.Weights, o.Gap = p.weights.Pick(others), 0
	list, err := t.path(p, others, t.cs, o)
	if p.monitor.Stopped() || err != nil && !errors.Is(err, rkhs.ErrNotConverged) || len(list) == 0 {
		return scores, false
	}
	weights, intercept := sideBySide(list[len(list)-1:], len(others), t.columns())
	return p.scores(rows, others, weights, intercept), true
}

// intervals returns the intervals of a regression on targets y.
func (p *problem) intervals(y compute.Matrix, all []trained) calibrate.Intervals {
	s, rows := p.heldOut(nil, all)
	if s.Rows() == 0 {
		return calibrate.Intervals{}
	}
	for o, f := range all {
		t := f.machines.(*target)
		for i := range s.Rows() {
			scores := compute.Row(s.Scores, i)
			scores[o] = t.mean + float64(t.unit*scores[o])
		}
	}
	s.Targets = compute.Pick(y, rows)
	if p.options.Precomputed {
		s.X = compute.Points{} // numbers of rows
	}
	return calibrate.FitIntervals(s)
}
