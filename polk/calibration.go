package polk

import (
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// apartRows is the number of rows from which on a fit does not learn from those that its model
// is calibrated by. Of fewer each is left out where the weights solve equations, and else other
// fits tell what theirs would be.
const apartRows = 20000

// mostRefits returns the number of these for so many rows: of more than a few, passes are what a
// fit takes most time for.
func mostRefits(n int) int {
	switch {
	case n <= 1000:
		return calibrate.MostSets
	case n <= 2000:
		return 2
	}
	return 1
}

// held returns what the model of a descent predicts at rows.
func (d *descent) held(b batch) calibrate.Sample {
	s := calibrate.Sample{Scores: compute.NewMatrix(b.x.Rows, b.outputs), Targets: b.y, Class: b.class, Weights: b.weights}
	_ = d.model().f.EvalTo(s.Scores, b.x)
	return s
}

// seen keeps what was predicted of a batch before a step on it, unless it is the first.
func (d *descent) seen(b batch) {
	if d.recent == nil || d.totals.Steps == 0 {
		return
	}
	scores := d.scores
	if d.set.averaged() {
		scores = d.served
	}
	d.recent.Add(calibrate.Sample{Scores: scores, Targets: b.y, Class: b.class, Weights: b.weights})
}

// passes learns from all rows, in passes in random order.
func (d *descent) passes(all batch, r *monitor.Monitor) error {
	n := all.x.Rows
	for pass := range d.set.Passes {
		order := rng.New(d.set.Seed, "polk order", uint64(pass)).Perm(n)
		if err := d.pass(all, order, r); err != nil {
			return err
		}
	}
	return d.refit(all, r)
}

// refits returns what descents like this one predict at rows that they do not see.
func (d *descent) refits(all batch, sample batch, r *monitor.Monitor) (sum calibrate.Sample) {
	n := all.x.Rows
	for _, set := range calibrate.Sets(n, n, all.class, calibrate.Refits(mostRefits(n)), d.set.Seed) {
		rest := all.pick(batch{}, calibrate.Others(n, set))
		other := d.from.descent(d.set, sample)
		if other.passes(rest, r) != nil || r.Stopped() {
			return calibrate.Sample{}
		}
		sum = sum.With(other.held(all.pick(batch{}, set)))
	}
	return sum
}
