package polk

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// descent is stochastic gradient descent in the space of a kernel, where each step
// is projected onto few points (Algorithm 2 of the paper).
type descent struct {
	set    *settings
	from   *defaults
	f      *pursuit
	b      constant
	clip   clip
	totals Totals
	recent *calibrate.Ring // of a stream
	z      compute.Matrix  // of rows in the span of the dictionary, at the end
	solved *normal         // the equations that the weights solve, nil for those of the steps

	memory       *compute.Slab  // that phases share, or nil
	k, scores, g compute.Matrix // of all rows of a mini-batch
	served       compute.Matrix // scores of the model, where these are others
	x            compute.Points // of those with a gradient
	kActive, w   compute.Matrix
	active       []int
}

// newDescent returns the descent that begins at a constant, with the defaults for a sample
// of the n rows that are to come. The memory, which may be nil, is that of the search for these and then of the
// descent.
func newDescent(s *settings, sample batch, n int, r *monitor.Monitor, memory *compute.Slab) (*descent, error) {
	c, cut := cutSample(s, sample)
	from, err := newDefaults(s, cut, n, r, memory)
	if err != nil {
		return nil, err
	}
	memory.Reset(0)
	return from.begin(s, c, cut, memory), nil
}

// cutSample returns a sample without wild targets.
func cutSample(s *settings, sample batch) (clip, batch) {
	columns := sortedColumns(sample.y)
	c := newClip(s, columns)
	return c, c.cut(sample, columns)
}

// descent returns another one with the same defaults.
func (from *defaults) descent(s *settings, sample batch) *descent {
	c, cut := cutSample(s, sample)
	return from.begin(s, c, cut, nil)
}

// begin returns the descent that begins at a constant.
func (from *defaults) begin(s *settings, c clip, sample batch, memory *compute.Slab) *descent {
	columns := sortedColumns(sample.y)
	width := sample.outputs
	if s.averaged() {
		width *= 2
	}
	e := kernel.Evaluator{Kernel: from.kernel, Workers: s.Workers}
	d := &descent{set: s, from: from, clip: c, memory: memory, f: newPursuit(newDictionary(e, points{inputs: sample.x.Cols, sparse: sample.x.Sparse != nil}, sample.outputs, width, from.kappa))}
	d.b = newConstant(interceptOf(s, columns, sample.outputs), s.averaged())
	if s.Rate == 0 && sample.x.Rows >= freshShare {
		d.f.metric = newMetric(sample.x.Between(0, min(sample.x.Rows, sampleRows)), from.kappa, from.ridge*from.unit, s.MaxPoints)
	}
	d.reserve()
	return d
}

// reserve gives what steps compute memory for as many points as there may be, as far as there is some: to grow
// with the points leaves five times as much behind.
func (d *descent) reserve() {
	batch, points := d.set.Batch, d.set.MaxPoints
	if room := d.memory.Room(); points > room || batch > room { // for which there is none
		return
	}
	rows := batch
	if d.f.metric != nil {
		d.f.metric.reserve(d.memory, batch)
		rows = max(rows, d.f.metric.fresh.Rows) // are measured on
	}
	d.memory.Lend(&d.f.scratch, rows*points)
	for _, m := range []*compute.Matrix{&d.k, &d.kActive, &d.f.v, &d.f.t, &d.f.rows, &d.f.reduced, &d.f.crossAlive} {
		d.memory.Lend(m, batch*points)
	}
}

// pass learns from all rows in an order. It ends early if r says so.
func (d *descent) pass(all batch, order []int, r *monitor.Monitor) error {
	var b batch
	for len(order) > 0 && !r.Stopped() {
		n := min(d.set.Batch, len(order))
		b = all.pick(b, order[:n])
		if _, err := d.step(b); err != nil {
			return err
		}
		order = order[n:]
		r.Report(d.rowsProgress())
	}
	return nil
}

// forgetSteps lets go of what only steps take.
func (d *descent) forgetSteps() {
	if d.f.metric != nil {
		d.f.metric.forget()
	}
	d.f = newPursuit(d.f.dictionary)
	d.k, d.g, d.kActive, d.w, d.x, d.served = compute.Matrix{}, compute.Matrix{}, compute.Matrix{}, compute.Matrix{}, compute.Points{}, compute.Matrix{}
	d.f.scratch = compute.Matrix{}
	d.memory.Reset(0)
	d.memory.Lend(&d.f.scratch, refitRows*d.f.order())
}

// step learns from a batch whose rows the kernel accepts. On an error nothing has
// changed.
func (d *descent) step(b batch) (Step, error) {
	if err := checkMemory(d.set, b, d.f.order(), d.f.width, d.f.metric.numbers(d.f.order()+b.x.Rows)); err != nil {
		return Step{}, err
	}
	s := Step{Rows: b.x.Rows, Rate: d.rate(b.x.Rows)}
	var sum float64
	sum, s.Mistakes = d.predict(b)
	s.Loss = sum / b.weights.Total(b.x.Rows)
	if err := d.gather(b, s.Rate); err != nil {
		return Step{}, err
	}
	d.seen(b)
	for d.f.outputs < b.outputs {
		d.f.widen()
		d.b.widen()
	}
	if !d.set.NoIntercept {
		d.b.move(d.g, b.weights, d.constantRate())
	}
	d.clip.follow(d.g)
	d.move(&s)
	d.totals.add(s, d.zeroLoss(b, s))
	g := 4 / float64(d.totals.Steps+3)
	d.f.average(g)
	d.b.average(g)
	if d.f.metric != nil {
		d.f.metric.measure(d.f.dictionary)
	}
	return s, nil
}

// first returns the step size for mini-batches of so many rows, before the schedule.
func (d *descent) first(rows int) float64 {
	if d.set.Rate > 0 {
		return d.set.Rate
	}
	top, kappa := d.spectrum()
	return min(d.gain()/(top+kappa/float64(rows)), 0.5/d.ridge())
}

// spectrum returns lam_1 and the mean of k(x, x), in the metric if there is one.
func (d *descent) spectrum() (top, kappa float64) {
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		return m.top, m.kappa
	}
	return d.from.top, d.from.kappa
}

// gain returns a of the step size. In a metric lam_1 is small, and a row moves its own score
// by nearly all of it: where derivatives do not fall towards the minimum that is too far.
func (d *descent) gain() float64 {
	const kinked = 3
	if d.f.metric != nil && loss.Kinked(d.set.Loss) {
		return d.from.gain / kinked
	}
	return d.from.gain
}

// ridge returns lam, for a stream without an end that of the rows so far.
func (d *descent) ridge() float64 {
	if d.from.noise > 0 {
		return d.from.noise / max(float64(d.totals.Rows), d.from.noise/d.from.ridge)
	}
	return d.from.ridge
}

// rate returns the size of the next step, on so many rows.
func (d *descent) rate(rows int) float64 {
	return d.set.Schedule.rate(d.first(rows), d.from.ridge, d.totals.Rows, d.set.Horizon, d.totals.Steps)
}

// constantRate returns the size of the next step of the constant.
func (d *descent) constantRate() float64 {
	return d.set.Schedule.rate(d.from.constant, d.from.ridge, d.totals.Rows, d.set.Horizon, d.totals.Steps)
}

// predict computes the scores of a batch and their gradients, and the loss and the mistakes of the model
// that is served. Classes that are new have the score zero.
func (d *descent) predict(b batch) (loss float64, mistakes int) {
	d.f.cross(compute.Reshape(&d.k, b.x.Rows, d.f.order()), b.x)
	compute.Reshape(&d.g, b.x.Rows, b.outputs)
	if d.set.averaged() {
		d.score(&d.served, b, d.f.outputs, d.b.averaged)
		loss, mistakes = gradients(d.set.Loss, d.g, d.served, b)
	}
	d.score(&d.scores, b, 0, d.b.own)
	own, wrong := gradients(d.set.Loss, d.g, d.scores, b)
	if !d.set.averaged() {
		loss, mistakes = own, wrong
	}
	return loss, mistakes
}

// score sets dst to the scores of a batch by the weights from a column on.
func (d *descent) score(dst *compute.Matrix, b batch, column int, constant []float64) {
	compute.Reshape(dst, b.x.Rows, b.outputs)
	clear(dst.Data)
	known := *dst
	known.Cols = d.f.outputs
	d.f.scores(known, d.k, column)
	compute.AddRow(known, constant)
}

// zeroLoss returns the mean loss with the function zero, for a step that stalled.
func (d *descent) zeroLoss(b batch, s Step) float64 {
	if !s.Stalled {
		return 0
	}
	clear(d.scores.Data)
	known := d.scores
	known.Cols = len(d.b.own)
	compute.AddRow(known, d.b.served())
	sum, _ := gradients(d.set.Loss, d.g, d.scores, b)
	return sum / b.weights.Total(b.x.Rows)
}

// gather collects the rows with a gradient, their kernel values and the weights
// with which they enter a step of size eta.
func (d *descent) gather(b batch, eta float64) error {
	if beyond(d.scores.Data) || d.set.averaged() && beyond(d.served.Data) {
		return fmt.Errorf("polk: a score is beyond the range of numbers that can be worked with; Rate is too large: %w", rkhs.ErrDiverged)
	}
	d.clip.apply(d.g)
	d.active = d.active[:0]
	for i := range b.x.Rows {
		if squaredNorm(compute.Row(d.g, i)) > 0 {
			d.active = append(d.active, i)
		}
	}
	q := len(d.active)
	b.x.PickTo(&d.x, d.active)
	compute.PickTo(compute.Reshape(&d.kActive, q, d.f.order()), d.k, d.active)
	d.f.eval.GramOf(compute.Reshape(&d.f.kk, q, q), d.x)
	d.f.prepare(d.kActive)
	compute.Reshape(&d.w, q, b.outputs*(d.f.width/d.f.outputs))
	clear(d.w.Data)
	rows := d.rows(b, eta)
	for n, i := range d.active {
		floats.AddScaled(compute.Row(d.w, n)[:b.outputs], -d.weight(n, b.weights.At(i)*eta/rows), compute.Row(d.g, i))
	}
	if beyond(d.w.Data) || beyond(d.f.kk.Data) {
		return fmt.Errorf("polk: a weight or a kernel value is beyond the range of numbers that can be worked with: %w", rkhs.ErrDiverged)
	}
	return nil
}

// rows returns by how many rows the sum of a batch is divided: as many as it has, or with
// weights w as many as a step of the size eta needs to be no longer than a first step
// may be, of eta·(Σw·lam_1 + max w·kappa)/a.
func (d *descent) rows(b batch, eta float64) float64 {
	n := float64(b.x.Rows)
	if b.weights == nil || d.set.Rate > 0 {
		return n
	}
	top, kappa := d.spectrum()
	return max(n, eta*(b.weights.Total(b.x.Rows)*top+b.weights.Most()*kappa)/d.gain())
}

// weight returns what the derivative of the n-th of the rows that were gathered is
// multiplied by in a step that is so large for a row: less for a row that lies so far from the
// others that it would move its own score beyond the target.
func (d *descent) weight(n int, eta float64) float64 {
	if d.f.metric == nil {
		return eta
	}
	return min(eta, d.gain()/d.f.metric.own[n])
}

// move takes the step for the rows that were gathered.
func (d *descent) move(s *Step) {
	s.Active = len(d.active)
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		m.correct(d.f.dictionary, d.w, d.f.t, s.Rate*d.ridge())
	} else {
		d.f.shrink(1 - s.Rate*d.ridge())
	}
	if s.Active > 0 {
		apart := d.apart()
		budget := d.budget(s.Rate, apart)
		done := d.f.extend(d.x, d.w, budget, d.set.MaxPoints)
		s.Added, s.Folded, s.Pruned, s.Forced = done.added, done.folded, done.pruned, done.forced
		s.Norm, s.Budget, s.Error = done.norm, math.Sqrt(budget), math.Sqrt(done.spent)
		s.Stalled = budget >= max(apart, done.norm*done.norm)
	}
	s.ModelOrder = d.f.order()
}

// apart returns Σ_i ‖w_i‖²·k(x_i, x_i) over the rows that were gathered, the
// squared norm of the step if they had nothing to do with one another.
func (d *descent) apart() (sum float64) {
	for i := range d.w.Rows {
		sum += squaredNorm(compute.Row(d.w, i)) * compute.Row(d.f.kk, i)[i]
	}
	return sum
}

// budget returns eps² for a step of size eta that adds weights of the squared norm
// added.
func (d *descent) budget(eta, added float64) float64 {
	eps := d.set.Schedule.budget(d.set.BudgetConstant, eta)
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		added *= m.length / d.from.kappa
	}
	return max(eps*eps, d.set.Budget*added)
}

// rowsProgress reports what was learned so far.
func (d *descent) rowsProgress() rkhs.Progress {
	rows, total := d.totals.Rows, d.set.Horizon
	if rows > total { // of a stream
		total = 0
	}
	return d.progress("rows", rows, total)
}

// progress reports a phase.
func (d *descent) progress(phase string, done, total int) rkhs.Progress {
	return rkhs.Progress{Phase: phase, Done: done, Total: total, Iteration: d.totals.Rows, ModelOrder: d.f.order(), Objective: d.totals.Loss, Gap: math.NaN()}
}

// model copies the function.
func (d *descent) model() *Model {
	points, weights := d.f.export()
	f := model.NewSum(d.f.points.inputs, make([]float64, d.f.outputs), []kernel.Expansion{kernel.ExpansionOf(d.from.kernel, points, weights)}, d.set.Workers)
	copy(f.Intercept, d.b.served())
	return &Model{f: f, seed: d.set.Seed, report: d.report()}
}

func (d *descent) report() Report {
	r := Report{Kernel: kernel.Clone(d.from.kernel), Loss: d.set.Loss, Ridge: d.ridge(), Choice: d.from.choice, Rate: d.first(d.set.Batch), Totals: d.totals}
	if d.solved != nil {
		r.Loss = loss.Squared{} // also of labels, after the steps of another
	}
	if d.totals.stalled() {
		r.Status = rkhs.Stalled
	}
	return r
}

// checkMemory refuses a batch that could make a learner with so many points, of so
// many weights each, exceed the limit; other numbers are held besides.
func checkMemory(s *settings, b batch, points, width int, other float64) error {
	return door.Memory(pkg, "the points and the rows of a step", 8*(other+numbers(s, b, points, width)), s.MemoryLimit)
}

// numbers returns how many numbers such a learner holds in a step on a batch.
func numbers(s *settings, b batch, points, width int) float64 {
	m, q := float64(min(points, s.MaxPoints)), float64(b.x.Rows)
	m += q
	return m*m/2 + m*float64(b.x.PerRow()+2*width+8) + q*(5*m+4*q+float64(b.x.PerRow()+4*b.outputs))
}
