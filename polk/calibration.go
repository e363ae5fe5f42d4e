package polk

import (
	"sync"

	"github.com/rkhs-go/rkhs"
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
	s := calibrate.Sample{X: b.x, Scores: compute.NewMatrix(b.x.Rows, b.outputs), Targets: b.y, Class: b.class, Weights: b.weights}
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

// passes learns from all rows, in passes in random order, and then settles on weights, by rows apart if there
// are any (refit); no more steps can be taken then.
func (d *descent) passes(all, apart batch, r *monitor.Monitor) error {
	n := all.x.Rows
	for pass := range d.set.Passes {
		order := rng.New(d.set.Seed, "polk order", uint64(pass)).Perm(n)
		if err := d.pass(all, order, r); err != nil {
			return err
		}
	}
	d.forgetSteps()
	return d.refit(all, apart, r)
}

// refits returns what descents like this one predict at rows that they do not see. They learn
// beside one another and beside own, which is that of this one, as far as there are workers and memory.
func (d *descent) refits(all, sample batch, r *monitor.Monitor, own func()) (sum calibrate.Sample) {
	n := all.x.Rows
	sets := calibrate.Sets(n, n, all.class, calibrate.Refits(mostRefits(n)), d.set.Seed, all.x.FirstCopies(all.y, all.class))
	parts := make([]calibrate.Sample, len(sets))
	w := &watch{monitor: r}
	for _, set := range sets {
		w.total += d.set.Passes * (n - len(set))
	}
	together := min(1+len(sets), compute.Workers(d.set.Workers), d.affordable(all))
	d.f.eval.Workers = compute.Workers(d.set.Workers) / together
	compute.Parallel(1+len(sets), together, func(i int) {
		if i == 0 {
			own()
			w.goOn()
			return
		}
		other := d.from.descent(d.set, sample)
		other.f.eval.Workers = d.f.eval.Workers
		parts[i-1] = other.outside(sets[i-1], all, w)
	})
	for _, part := range parts {
		if part.Rows() == 0 {
			return calibrate.Sample{}
		}
		sum = sum.With(part)
	}
	return sum
}

// outside learns from the rows outside of a set, and returns what it predicts of those in it, or nothing if
// it could not.
func (d *descent) outside(set []int, all batch, w *watch) calibrate.Sample {
	r := monitor.New(w.monitor.Context(), &follower{watch: w}, pkg)
	defer r.Close()
	if d.passes(all.pick(batch{}, calibrate.Others(all.x.Rows, set)), batch{}, r) != nil || r.Stopped() {
		return calibrate.Sample{}
	}
	return d.held(all.pick(batch{}, set))
}

// sparseShare is how many times the memory of sparse rows descents side by side take at most.
const sparseShare = 10

// affordable returns how many descents on such rows there is memory for, one at least.
func (d *descent) affordable(all batch) int {
	limit := float64(d.set.MemoryLimit)
	if all.x.Sparse != nil {
		limit = min(limit, sparseShare*float64(all.x.Bytes()))
	}
	points, b := min(all.x.Rows, d.set.MaxPoints), batch{x: all.x.Between(0, min(d.set.Batch, all.x.Rows)), outputs: all.outputs}
	each := float64(all.x.Bytes()) + 8*(d.f.metric.numbers(points)+numbers(d.set, b, points, d.f.width))
	return max(1, int(limit/each))
}

// watch reports the steps of other descents, those beside that of the model after its last: as many reports
// then, in the same phases, whatever comes first.
type watch struct {
	monitor *monitor.Monitor
	total   int // rows to come

	mu      sync.Mutex
	rows    int
	alone   bool // the descent of the model is at its end
	waiting []rkhs.Progress
}

// add reports a step on so many rows, or lets the report wait.
func (w *watch) add(p rkhs.Progress, rows int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows += rows
	p.Phase, p.Done, p.Total = "other fits", w.rows, w.total
	switch {
	case w.alone:
		w.monitor.Report(p)
	case !w.monitor.Silent():
		w.waiting = append(w.waiting, p)
	}
}

// goOn ends the wait.
func (w *watch) goOn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.alone = true
	for _, p := range w.waiting {
		w.monitor.Report(p)
	}
}

// follower is the Recorder of one of these descents.
type follower struct {
	*watch
	seen int
}

// Record takes in the rows of a step.
func (f *follower) Record(p rkhs.Progress) error {
	if p.Phase == "rows" {
		f.add(p, p.Done-f.seen)
		f.seen = p.Done
	}
	return nil
}
