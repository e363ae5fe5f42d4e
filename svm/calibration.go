package svm

import (
	"errors"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// others are machines like those of a fit for one column of targets, or for all pairs of labels.
type others struct {
	of judged
	cs []float64 // up to that of the fit
}

// plan is of more rows than a probability takes: fits to other rows are cheap beside the search for C,
// and sums of pairs of labels have a curve for each label.
var plan = calibrate.Plan{Sets: calibrate.MostSets, Rows: 2 * calibrate.Enough, Each: calibrate.MostRows}

// outOfSample returns what machines that were fitted to the rows outside of a set predict at its
// rows, side by side for each of the others; of labels class is not nil. It has no targets yet.
func (p *problem) outOfSample(class []int, of []others) (all calibrate.Sample, rows []int) {
	if p.options.Uncalibrated {
		return all, nil
	}
	n := p.x.Rows
	for _, set := range calibrate.Sets(n, n, class, plan, p.options.Seed, p.first) {
		s := calibrate.Sample{Scores: compute.NewMatrix(len(set), len(of)*of[0].of.outputs()), Class: compute.PickOf(class, set), Weights: p.weights.Pick(set)}
		for k, j := range of {
			q := j.of.outputs()
			if !p.scoresAt(compute.Columns(s.Scores, k*q, (k+1)*q), set, j) {
				return calibrate.Sample{}, nil
			}
		}
		if class == nil {
			s.X = p.x.Pick(set)
			s.Targets = s.Scores // until they are known
		}
		all, rows = all.With(s), append(rows, set...)
	}
	return all, rows
}

// scoresAt sets the scores of rows by machines that were fitted to all others. Machines that did
// not converge take part as they are.
func (p *problem) scoresAt(dst compute.Matrix, rows []int, j others) bool {
	learn := calibrate.Others(p.x.Rows, rows)
	o := p.engine(1)
	o.Weights, o.Gap = p.weights.Pick(learn), 0
	weights, intercept, err := j.of.path(p, learn, j.cs, o)
	if p.monitor.Stopped() || err != nil && !errors.Is(err, rkhs.ErrNotConverged) || len(intercept) < dst.Cols {
		return false
	}
	from := len(intercept) - dst.Cols
	p.of.MulOf(dst, p.x.Pick(rows), p.x.Pick(learn), compute.Clone(compute.Columns(weights, from, weights.Cols)))
	compute.AddRow(dst, intercept[from:])
	return true
}

// intervals returns those of a regression, by the targets and machines like those of each output.
func (p *problem) intervals(y compute.Matrix, of []others) calibrate.Intervals {
	s, rows := p.outOfSample(nil, of)
	if s.Rows() == 0 {
		return calibrate.Intervals{}
	}
	for o, j := range of {
		t := j.of.(*target)
		for i := range s.Rows() {
			at := compute.Row(s.Scores, i)
			at[o] = t.mean + float64(t.unit*at[o])
		}
	}
	s.Targets = compute.Pick(y, rows)
	if p.options.Precomputed {
		s.X = compute.Points{} // numbers of rows
	}
	return calibrate.FitIntervals(s)
}
