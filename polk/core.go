package polk

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// core learns from batches. It is what Learner and ClassLearner have in common.
type core struct {
	set    *settings
	tuned  *tuning // nil while rows wait
	queue  []batch // rows that wait
	queued int
	inputs int // d, 0 before the first batch
	f      *komp
	totals Totals

	k, scores, g  compute.Matrix
	x, kActive, w compute.Matrix
	active        []int
}

// update learns from a batch, or lets it wait. On an error nothing has changed.
func (c *core) update(b batch) (Step, error) {
	if c.tuned == nil && c.queued+b.x.Rows < c.wait() {
		if err := c.checkRows(b); err != nil {
			return Step{}, err
		}
		if err := c.checkWaiting(b); err != nil {
			return Step{}, err
		}
		c.queue = append(c.queue, b.clone())
		c.queued += b.x.Rows
		c.inputs = b.x.Cols
		return Step{Rows: b.x.Rows, Waiting: true}, nil
	}
	if c.tuned != nil {
		return c.step(b)
	}
	next := &core{set: c.set, queue: append(c.queue[:len(c.queue):len(c.queue)], b)}
	s, err := next.start(nil)
	if err == nil {
		*c = *next
	}
	return s, err
}

// wait returns the number of rows to wait for.
func (c *core) wait() int {
	if c.set.Kernel == nil || c.set.Step == 0 || c.intercepts() {
		return c.set.Warmup
	}
	return 0
}

// intercepts reports whether scores have a constant that comes from the data.
func (c *core) intercepts() bool {
	_, scalar := c.set.Loss.(loss.Scalar)
	return scalar && !loss.Margin(c.set.Loss) && !c.set.NoIntercept
}

// checkRows refuses rows that wait on which a given kernel is not defined or too
// large: they would be in the way of all that come later.
func (c *core) checkRows(b batch) error {
	if c.set.Kernel == nil {
		return checkDistances(b.x)
	}
	if err := checkKernel(c.set.Kernel, b.x); err != nil {
		return err
	}
	return checkScale(meanDiagonal(kernel.Evaluator{Kernel: c.set.Kernel, Workers: 1}, b.x))
}

// start sets the defaults, from the rows that wait unless a sample is given, and
// learns from these rows. It returns the last step.
func (c *core) start(sample *batch) (s Step, err error) {
	if sample == nil {
		all := c.waiting()
		sample = &all
	}
	if c.tuned, err = c.set.tune(sample.x, sample.y); err != nil {
		return s, err
	}
	c.set = c.set.regularised(sample.y)
	queue := c.queue
	c.queue, c.queued = nil, 0
	for _, b := range queue {
		if s, err = c.step(b); err != nil {
			return s, err
		}
	}
	return s, nil
}

// waiting joins the first of the rows that wait.
func (c *core) waiting() (all batch) {
	for _, b := range c.queue {
		n := min(b.x.Rows, tuningRows-all.x.Rows)
		all.x = stack(all.x, b.x, n)
		all.y = stack(all.y, b.y, n)
	}
	return all
}

// stack appends the first n rows of b to a.
func stack(a, b compute.Matrix, n int) compute.Matrix {
	for i := range min(n, b.Rows) {
		a.Data = append(a.Data, row(b, i)...)
		a.Rows++
	}
	a.Cols, a.Stride = b.Cols, b.Cols
	return a
}

// snapshot returns the core that c would be if no more rows came: c itself, or
// one that has learned from the rows that wait.
func (c *core) snapshot() (*core, error) {
	if c.tuned != nil {
		return c, nil
	}
	if len(c.queue) == 0 {
		return nil, fmt.Errorf("polk: nothing was learned yet: %w", rkhs.ErrEmpty)
	}
	early := &core{set: c.set, queue: c.queue}
	_, err := early.start(nil)
	return early, err
}

// begin makes the zero function once the number of inputs is known.
func (c *core) begin(b batch) {
	width := b.outputs
	if c.set.averaged() {
		width *= 2
	}
	e := kernel.Evaluator{Kernel: c.tuned.kernel, Workers: c.set.Workers}
	c.inputs = b.x.Cols
	c.f = newKomp(newExpansion(e, c.inputs, b.outputs, width, c.tuned.kappa))
}

// step learns from a batch. On an error nothing has changed, unless it is the
// first batch.
func (c *core) step(b batch) (Step, error) {
	if err := checkKernel(c.tuned.kernel, b.x); err != nil {
		return Step{}, err
	}
	if c.f == nil {
		c.begin(b)
	}
	if err := c.checkMemory(b); err != nil {
		return Step{}, err
	}
	s := Step{Rows: b.x.Rows, Rate: c.set.rate(c.tuned, b.x.Rows, c.totals.Rows, c.totals.Steps)}
	var sum float64
	sum, s.Mistakes = c.predict(b)
	s.Loss = sum / float64(s.Rows)
	if err := c.gather(b, s.Rate); err != nil {
		return Step{}, err
	}
	for c.f.outputs < b.outputs {
		c.f.widen()
	}
	c.move(&s)
	c.totals.add(s, c.zeroLoss(b, s))
	c.f.average(4 / float64(c.totals.Steps+3))
	return s, nil
}

// predict computes the scores of a batch and their gradients. Classes that are
// new have the score zero.
func (c *core) predict(b batch) (loss float64, mistakes int) {
	c.f.cross(reshape(&c.k, b.x.Rows, c.f.order()), b.x)
	reshape(&c.scores, b.x.Rows, b.outputs)
	reshape(&c.g, b.x.Rows, b.outputs)
	clear(c.scores.Data)
	known := c.scores
	known.Cols = c.f.outputs
	c.f.scores(known, c.k)
	addTo(c.scores, c.tuned.intercept)
	return gradients(c.set.Loss, c.g, c.scores, b)
}

// addTo adds a constant, if there is one, to each row.
func addTo(scores compute.Matrix, constant []float64) {
	if constant == nil {
		return
	}
	for i := range scores.Rows {
		floats.Add(row(scores, i), constant)
	}
}

// zeroLoss returns the mean loss with the function zero, for a step that stalled.
func (c *core) zeroLoss(b batch, s Step) float64 {
	if !s.Stalled {
		return 0
	}
	clear(c.scores.Data)
	addTo(c.scores, c.tuned.intercept)
	sum, _ := gradients(c.set.Loss, c.g, c.scores, b)
	return sum / float64(s.Rows)
}

// gather collects the rows with a gradient, their kernel values and the weights
// with which they enter.
func (c *core) gather(b batch, eta float64) error {
	if beyond(c.scores.Data) {
		return fmt.Errorf("polk: a score is beyond the range of numbers that can be worked with; Step is too large: %w", rkhs.ErrDiverged)
	}
	c.active = c.active[:0]
	for i := range b.x.Rows {
		if squaredNorm(row(c.g, i)) > 0 {
			c.active = append(c.active, i)
		}
	}
	q := len(c.active)
	reshape(&c.x, q, c.inputs)
	reshape(&c.kActive, q, c.f.order())
	reshape(&c.w, q, b.outputs*(c.f.width/c.f.outputs))
	clear(c.w.Data)
	for n, i := range c.active {
		copy(row(c.x, n), row(b.x, i))
		copy(row(c.kActive, n), row(c.k, i))
		floats.AddScaled(row(c.w, n)[:b.outputs], -eta/float64(b.x.Rows), row(c.g, i))
	}
	gram(c.f.eval, reshape(&c.f.kk, q, q), c.x)
	if beyond(c.w.Data) || beyond(c.f.kk.Data) {
		return fmt.Errorf("polk: a weight or a kernel value is beyond the range of numbers that can be worked with: %w", rkhs.ErrDiverged)
	}
	return nil
}

// move takes the step for the rows that were gathered.
func (c *core) move(s *Step) {
	c.f.shrink(1 - s.Rate*c.set.Lambda)
	s.Active = len(c.active)
	if s.Active > 0 {
		apart := c.apart()
		budget := c.set.budget(s.Rate, apart)
		done := c.f.extend(c.x, c.kActive, c.w, budget, c.set.MaxOrder)
		s.Added, s.Folded, s.Pruned, s.Forced = done.added, done.folded, done.pruned, done.forced
		s.Norm, s.Budget, s.Error = done.norm, math.Sqrt(budget), math.Sqrt(done.spent)
		s.Stalled = budget >= max(apart, done.norm*done.norm)
	}
	s.Order = c.f.order()
}

// apart returns Σ_i ‖w_i‖²·k(x_i, x_i) over the rows that were gathered, the
// squared norm of the step if they had nothing to do with one another.
func (c *core) apart() (sum float64) {
	for i := range c.w.Rows {
		sum += squaredNorm(row(c.w, i)) * row(c.f.kk, i)[i]
	}
	return sum
}

// checkMemory refuses a batch that could make the learner exceed the limit.
func (c *core) checkMemory(b batch) error {
	return c.checkSize(b, c.f.order(), c.f.width, 0)
}

// checkWaiting refuses a batch that could make the learner exceed the limit while
// it waits or when it is learned from.
func (c *core) checkWaiting(b batch) error {
	rows := float64(c.queued + b.x.Rows)
	return c.checkSize(b, c.queued, 2*b.outputs, rows*float64(b.x.Cols+b.y.Cols+1))
}

func (c *core) checkSize(b batch, order, width int, waiting float64) error {
	m, q := float64(min(order, c.set.MaxOrder)), float64(b.x.Rows)
	m += q
	numbers := waiting + m*m/2 + m*float64(b.x.Cols+2*width+8) + q*(5*m+4*q+float64(b.x.Cols+4*b.outputs))
	if bytes := 8 * numbers; bytes > float64(c.set.MemoryLimit) {
		return fmt.Errorf("polk: %d points and a batch of %d rows take %.3g MiB, MemoryLimit is %.3g MiB: %w", order, b.x.Rows, bytes/(1<<20), float64(c.set.MemoryLimit)/(1<<20), rkhs.ErrMemory)
	}
	return nil
}
