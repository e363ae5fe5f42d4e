package doublysgd

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// steps is a fit in Newton or Plain mode. It maintains scores for a window of rows and computes the
// scores of the next window anew, which is cheaper than to update all scores.
type steps struct {
	*task
	stepper   *descent.Stepper
	f         compute.Matrix // scores, up to date at the rows that are needed next
	criterion float64
}

// fit performs the passes.
func (s *steps) fit() (*Model, error) {
	t := s.task
	report, c := unknown(), s.config()
	if t.options.Kernel == nil {
		if err := s.checkMemory(t.columns); err != nil { // before the search
			return nil, err
		}
		var err error
		if report.Search, err = t.search(min(c.Blocks(t.columns), s.total())*t.columns, s.ridge()); err != nil {
			return nil, err
		}
		t.kernel = report.Search.Kernel
	}
	f, err := t.zero(t.kernel, t.columns)
	if err != nil {
		return nil, err
	}
	if err := s.checkMemory(f.Map.Columns()); err != nil {
		return nil, err
	}
	s.stepper, s.f, s.criterion = c.Start(f, t.columns, t.count()), compute.NewMatrix(t.x.Rows, t.outputs()), math.NaN()
	some := t.x.Pick(t.permutation(0)[:min(1000, t.count())])
	s.stepper.Measure(some, loss.StepCurvature(t.loss), t.columns, t.batch)
	passes := max(t.options.Passes, 1)
	for pass := range passes {
		if err := s.pass(t.permutation(pass)); err != nil {
			return nil, err
		}
		if !t.monitor.Stopped() {
			report.Passes++
		}
	}
	report.Rows, report.HeldOutLoss = t.count(), s.criterion
	if t.options.Mode == Plain {
		report.Ridge = s.stepper.Ridge
	}
	learned := s.stepper.Result()
	t.units = t.units.Shifted(s.constant(learned, passes-1))
	return t.model(learned, report)
}

// constant returns the constant with the least loss on the last rows of the last pass.
func (s *steps) constant(f *blocks.Function, pass int) []float64 {
	if s.monitor.Stopped() {
		return s.stepper.Learned()
	}
	order := s.permutation(pass)
	rows := order[max(0, len(order)-2*constantRows):]
	return s.stepper.Fitted(f, s.x.Pick(rows), s.risk.Ordered(rows))
}

// config returns the options with no more features than Work allows.
func (s *steps) config() descent.Config {
	c, w := s.options.config(), s.work(s.count())
	steps := w.rows * float64(max(s.options.Passes, 1)) * (2*w.inputs + featureWork + 4*w.outputs)
	if most := int(min(s.options.Work/steps, 1<<30)) / s.columns; c.Features == 0 && most < c.Blocks(s.columns) {
		c.Features = max(most, 1) * s.columns
	}
	return c
}

// ridge returns nu, 0 in Newton mode.
func (s *steps) ridge() float64 {
	if s.options.Mode == Newton {
		return 0
	}
	return cmp.Or(s.options.Ridge, 1/float64(s.count()))
}

// checkMemory returns rkhs.ErrMemory if blocks of the given number of features exceed the limit.
func (s *steps) checkMemory(columns int) error {
	t, n, c := s.task, s.x.Rows, s.config()
	return c.CheckMemory(descent.Needs{Columns: columns, Batch: t.batch, Blocks: min(float64(c.Blocks(t.columns)), float64(s.total())), Outputs: t.outputs(), Rows: n})
}

// total returns the number of steps of all passes.
func (s *steps) total() int {
	return max(s.options.Passes, 1) * ((s.count() + s.batch - 1) / s.batch)
}

// scoredBatches is the least number of batches in a window. A window redraws each uncached block
// once.
const scoredBatches = 4

// pass uses all rows in the given order.
func (s *steps) pass(order []int) error {
	for from := 0; from < len(order) && !s.monitor.Stopped(); {
		// A window has one step for each new block, because each row needs its scores once in any
		// case. The steps on old blocks share one computation of scores.
		to := min(from+s.batch*max(s.stepper.Limit()-s.visits, scoredBatches), len(order))
		if s.visits > 0 {
			s.score(s.needed(order, from, to))
		}
		if err := s.perform(order, from, to); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// needed returns the rows of a window and of the batch after it, which need scores.
func (s *steps) needed(order []int, from, end int) []int {
	return slices.Concat(order[from:end], s.next(order, end))
}

// score computes the scores of rows anew.
func (s *steps) score(rows []int) {
	for from, to := range compute.Chunks(len(rows), scoredRows) {
		if s.monitor.Stopped() {
			return
		}
		f := compute.NewMatrix(to-from, s.f.Cols)
		compute.AddRow(f, s.stepper.Constant.Now)
		s.stepper.Function.AddTo(f, s.x.Pick(rows[from:to]))
		s.keep(f, rows[from:to])
	}
}

// scoredRows is the number of rows that are scored at a time.
const scoredRows = 16 * blocks.ChunkRows

// step performs the steps on the batches in a window.
func (s *steps) perform(order []int, from, end int) error {
	for ; from < end && !s.monitor.Stopped(); from += s.batch {
		to := min(from+s.batch, end)
		batch := s.sample(order[from:to])
		s.progress(batch)
		var m descent.Update
		if s.options.Mode == Newton {
			m, s.criterion = s.stepper.NewtonStep(batch, s.sample(s.next(order, to)), false)
		} else {
			m = s.stepper.Plain(batch)
		}
		if err := s.stepper.Apply(m); err != nil {
			return prefixed(err)
		}
		s.follow(m, s.needed(order, to, end))
	}
	return nil
}

// next returns the batch after position to. The first batch follows the last.
func (s *steps) next(order []int, to int) []int {
	if to == len(order) {
		to = 0
	}
	return order[to:min(to+s.batch, len(order))]
}

func (s *steps) sample(rows []int) descent.Sample {
	return descent.Sample{X: s.x.Pick(rows), Risk: s.risk.Ordered(rows), Scores: compute.Pick(s.f, rows)}
}

// follow updates the scores of rows after a step.
func (s *steps) follow(m descent.Update, rows []int) {
	for from, to := range compute.Chunks(len(rows), scoredRows) {
		if s.monitor.Stopped() {
			return
		}
		part := compute.Pick(s.f, rows[from:to])
		s.stepper.Follow(m, part, s.x.Pick(rows[from:to]))
		s.keep(part, rows[from:to])
	}
}

// keep stores scores of rows.
func (s *steps) keep(f compute.Matrix, rows []int) {
	for i, r := range rows {
		copy(compute.Row(s.f, r), compute.Row(f, i))
	}
}

func (s *steps) progress(batch descent.Sample) {
	s.visits++
	if !s.monitor.Silent() {
		s.monitor.Report(rkhs.Progress{Phase: "fit", Done: s.visits, Total: s.total(), Iteration: s.visits, ModelOrder: s.stepper.Function.Count(), Objective: batch.Risk.Value(batch.Scores) / batch.Risk.Total(), Gap: math.NaN()})
	}
}
