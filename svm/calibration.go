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

// heldOut returns the scores of held-out rows by all machines, each trained on the other rows. y
// holds the targets of a regression.
func (p *problem) heldOut(y compute.Matrix, all []trained) (sample calibrate.Sample) {
	if p.options.Uncalibrated {
		return sample
	}
	n, columns, class := p.x.Rows, all[0].columns, all[0].class
	for _, set := range calibrate.Sets(n, n, class, plan, p.options.Seed, p.first) {
		s := calibrate.Sample{Scores: compute.NewMatrix(len(set), len(all)*columns), Class: compute.PickOf(class, set), Weights: p.weights.Pick(set)}
		for k, t := range all {
			if !p.scoresTo(compute.Columns(s.Scores, k*columns, (k+1)*columns), set, t) {
				return calibrate.Sample{}
			}
		}
		if class == nil {
			s.Targets = compute.Pick(y, set)
		}
		if class == nil && !p.options.Precomputed {
			s.X = p.x.Pick(set)
		}
		sample = sample.With(s)
	}
	return sample
}

// scoresTo sets dst to the scores of rows by machines that were trained on all others. It includes
// machines that did not converge.
func (p *problem) scoresTo(dst compute.Matrix, rows []int, t trained) bool {
	others := calibrate.Others(p.x.Rows, rows)
	o := p.engine(1)
	o.Weights, o.Gap = p.weights.Pick(others), 0
	list, err := t.path(others, t.cs, o)
	if p.monitor.Stopped() || err != nil && !errors.Is(err, rkhs.ErrNotConverged) || len(list) == 0 {
		return false
	}
	scores := p.scores(rows, others, list[len(list)-1:], t.columns)
	for i := range dst.Rows {
		for o, v := range compute.Row(scores, i) {
			compute.Row(dst, i)[o] = t.mean + float64(t.unit*v)
		}
	}
	return true
}
