package polk

import (
	"slices"
	"sync"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// heldOutRows is the number of rows from which Fit holds rows out for calibration. Below it, Fit
// uses leave-one-out predictions if the weights solve normal equations, and refits otherwise.
const heldOutRows = 20000

// mostRefits returns the number of refits for n rows. They dominate the cost of larger fits.
func mostRefits(n int) int {
	switch {
	case n <= 1000:
		return calibrate.MostSets
	case n <= 2000:
		return 2
	}
	return 1
}

// predictions returns the predictions at held-out rows.
func (d *descent) predictions(b batch) calibrate.Sample {
	s := calibrate.Sample{X: b.x, Scores: compute.NewMatrix(b.x.Rows, b.outputs), Targets: b.y, Class: b.class, Weights: b.weights}
	_ = d.model().f.EvalTo(s.Scores, b.x)
	return s
}

// keepScores records the predictions of a batch before its step, unless it is the first.
func (d *descent) keepScores(b batch) {
	if d.recent == nil || d.totals.Steps == 0 {
		return
	}
	scores := d.scores
	if d.set.averaged() {
		scores = d.served
	}
	d.recent.Add(calibrate.Sample{Scores: scores, Targets: b.y, Class: b.class, Weights: b.weights})
}

// sampleOfRecent returns the scores of the last rows before their steps. After few steps these are
// much smaller or larger than the scores of the model. Probabilities from them would be
// overconfident.
func (d *descent) sampleOfRecent() calibrate.Sample {
	const fewest = 8
	s := d.recent.Sample(d.totals.Rows)
	s.Unlike = d.totals.Steps < fewest
	return s
}

// passes fits all rows in passes of random order, and ends with refit. Further steps are
// invalid.
func (d *descent) passes(all, heldOut batch, r *progress.Monitor) error {
	n := all.x.Rows
	for pass := range d.set.Passes {
		order := rng.New(d.set.Seed, "polk order", uint64(pass)).Perm(n)
		if err := d.pass(all, order, r); err != nil {
			return err
		}
	}
	d.forgetSteps()
	d.refit(all, heldOut, r)
	return nil
}

// refits returns cross-validated predictions: each refit omits one set of rows and predicts it.
// The refits run concurrently with own, the fit of the model, within Workers and MemoryLimit.
func (d *descent) refits(all, sample batch, r *progress.Monitor, own func()) (sum calibrate.Sample) {
	n := all.x.Rows
	sets := calibrate.Sets(n, n, all.class, calibrate.Refits(mostRefits(n)), d.set.Seed, all.x.FirstCopies(all.y, all.class))
	parts := make([]calibrate.Sample, len(sets))
	p := &refitProgress{monitor: r}
	for _, set := range sets {
		p.total += d.set.Passes * (n - len(set))
	}
	together := min(1+len(sets), compute.Workers(d.set.Workers), d.affordable(all))
	d.f.eval.Workers = compute.Workers(d.set.Workers) / together
	compute.Parallel(1+len(sets), together, func(i int) {
		if i == 0 {
			own()
			p.release()
			return
		}
		other := d.from.descent(d.set, sample)
		other.f.eval.Workers = d.f.eval.Workers
		parts[i-1] = other.outside(sets[i-1], all, p)
	})
	for _, part := range parts {
		if part.Rows() == 0 {
			return calibrate.Sample{}
		}
		sum = sum.With(part)
	}
	return sum
}

// outside fits all rows outside of a set and returns the predictions in it, or an empty sample
// if the fit failed or was stopped.
func (d *descent) outside(set []int, all batch, p *refitProgress) calibrate.Sample {
	r := progress.New(p.monitor.Context(), p.recorder(), pkg)
	defer r.Close()
	if d.passes(all.pick(batch{}, calibrate.Others(all.x.Rows, set)), batch{}, r) != nil || r.Stopped() {
		return calibrate.Sample{}
	}
	return d.predictions(all.pick(batch{}, set))
}

// apart returns predictions at waiting rows, by descents like d without these rows. A queue has few
// steps, and the scores before a step are then much smaller or larger than the scores of d.
func (s *stream) apart(d *descent, r *progress.Monitor) (all calibrate.Sample) {
	sample := joined(s.queue)
	n, first := sample.x.Rows, sample.x.FirstCopies(sample.y, sample.class)
	for _, set := range calibrate.Sets(n, s.queued, sample.class, calibrate.Refits(mostRefits(n)), s.set.Seed, first) {
		other := d.from.descent(s.set, sample)
		if _, err := other.steps(without(s.queue, set), sample.outputs, r); err != nil || r.Stopped() {
			return calibrate.Sample{}
		}
		all = all.With(other.predictions(sample.pick(batch{}, set)))
	}
	return all.OfMeanOne()
}

// without returns a queue without the rows in held, which ascend over all batches.
func without(queue []batch, held []int) (rest []batch) {
	first := 0
	for _, b := range queue {
		var rows []int
		for i := range b.x.Rows {
			if _, found := slices.BinarySearch(held, first+i); !found {
				rows = append(rows, i)
			}
		}
		if len(rows) > 0 {
			rest = append(rest, b.pick(batch{}, rows))
		}
		first += b.x.Rows
	}
	return rest
}

// affordable returns the number of concurrent fits that memory permits, at least one.
func (d *descent) affordable(all batch) int {
	const sparseShare = 10 // bounds the fits by a multiple of the memory of sparse rows
	limit := float64(d.set.MemoryLimit)
	if all.x.Sparse != nil {
		limit = min(limit, sparseShare*float64(all.x.Bytes()))
	}
	points := min(all.x.Rows, d.set.MaxPoints)
	b := batch{x: all.x.Between(0, min(d.set.Batch, all.x.Rows)), outputs: all.outputs}
	each := float64(all.x.Bytes()) + 8*(d.f.metric.numbers(points)+numbers(d.set, b, points, d.f.width))
	return max(1, int(limit/each))
}

// refitProgress reports the steps of all refits as one phase, after the phases of the model.
type refitProgress struct {
	monitor *progress.Monitor
	total   int // rows of all refits

	mu       sync.Mutex
	rows     int
	released bool // the fit of the model has ended
	waiting  []rkhs.Progress
}

// recorder returns the Recorder of one refit.
func (r *refitProgress) recorder() rkhs.Recorder {
	done := 0
	return rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Phase == "rows" {
			r.add(p, p.Done-done)
			done = p.Done
		}
		return nil
	})
}

func (r *refitProgress) add(p rkhs.Progress, rows int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows += rows
	p.Phase, p.Done, p.Total = "other fits", r.rows, r.total
	switch {
	case r.released:
		r.monitor.Report(p)
	case !r.monitor.Silent():
		r.waiting = append(r.waiting, p)
	}
}

// release reports the waiting steps and then reports later steps directly.
func (r *refitProgress) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.released = true
	for _, p := range r.waiting {
		r.monitor.Report(p)
	}
}
