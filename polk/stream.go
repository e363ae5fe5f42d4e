package polk

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// stream is the common part of Learner and ClassLearner: a descent, and the rows that wait for
// it. The zero value belongs to a learner without a constructor.
type stream struct {
	set     *settings
	descent *descent // nil while rows wait
	queue   []batch  // waiting rows
	queued  int
	inputs  int // d, 0 before the first batch
	last    Step
}

// newStream completes valid settings.
func newStream(s *settings, err error) (*stream, error) {
	if err == nil {
		err = s.forStream()
	}
	return &stream{set: s}, err
}

// created returns an error for a method of a nil or zero learner.
func (s *stream) created(method string) error { return input.Fitted(pkg, method, s.set != nil) }

// checkShape compares the columns of a batch with earlier batches.
func (s *stream) checkShape(x compute.Points, y compute.Matrix, outputs int) error {
	if s.inputs > 0 && x.Cols != s.inputs {
		return fmt.Errorf("polk: x has %d columns, want %d: %w", x.Cols, s.inputs, rkhs.ErrShape)
	}
	if outputs > 0 && y.Cols != outputs {
		return fmt.Errorf("polk: y has %d columns, want %d: %w", y.Cols, outputs, rkhs.ErrShape)
	}
	return nil
}

// update performs a step or stores the batch. A failed update changes no state.
func (s *stream) update(b batch) (err error) {
	if err := checkKernel(s.set.Kernel, b.x); err != nil {
		return err
	}
	last := Step{Rows: b.x.Rows, Waiting: true}
	switch {
	case s.descent != nil:
		last, err = s.advance(b)
	case s.queued+b.x.Rows < s.wait():
		err = s.enqueue(b)
	default:
		last, err = s.begin(b)
	}
	if err == nil {
		s.last, s.inputs = last, b.x.Cols
	}
	return err
}

// advance performs the steps of a batch. If one fails, it restores the state before the first.
func (s *stream) advance(b batch) (last Step, err error) {
	if b.x.Rows <= max(largestStep, s.set.Batch) {
		return s.descent.step(b)
	}
	before := s.descent.snapshot()
	for _, part := range b.parts(s.set.Batch) {
		if last, err = s.descent.step(part); err != nil {
			s.descent = s.descent.restored(before, s.inputs)
			return Step{}, err
		}
	}
	return last, nil
}

// wait returns the number of rows to wait for.
func (s *stream) wait() int {
	intercept := !classifies(s.set.Loss) && !s.set.NoIntercept
	if s.set.Kernel == nil || s.set.Rate == 0 || intercept {
		return s.set.Warmup
	}
	return 0
}

// enqueue stores a batch. It returns an error if the batch could exceed the memory limit now or
// in its step, or has excessive values, which would block all later rows.
func (s *stream) enqueue(b batch) error {
	if err := s.checkRows(b.x); err != nil {
		return err
	}
	rows := float64(s.queued + b.x.Rows)
	if err := checkMemory(s.set, b, s.queued, 2*b.outputs, rows*float64(b.x.PerRow()+b.y.Cols+1)); err != nil {
		return err
	}
	s.queue = append(s.queue, b.clone().parts(s.set.Batch)...)
	s.queued += b.x.Rows
	return nil
}

func (s *stream) checkRows(x compute.Points) error {
	if s.set.Kernel == nil {
		return checkDistances(x)
	}
	return checkScale(meanDiagonal(gram.Evaluator{Kernel: s.set.Kernel, Workers: 1}, x))
}

// begin ends the wait with a batch and returns the last step.
func (s *stream) begin(b batch) (Step, error) {
	r := progress.New(context.Background(), nil, pkg)
	defer r.Close()
	d, last, err := drain(s.set, append(s.queue[:len(s.queue):len(s.queue)], b.parts(s.set.Batch)...), r)
	if err == nil {
		s.descent, s.queue, s.queued = d, nil, 0
	}
	return last, err
}

// drain returns a descent that has processed a queue, until r is stopped, and its last step.
func drain(set *settings, queue []batch, r *progress.Monitor) (d *descent, last Step, err error) {
	sample := joined(queue)
	if err := search.CheckRange(pkg, set.Kernel, sample.x, sample.y); err != nil {
		return nil, Step{}, err
	}
	if d, err = newDescent(set, sample, max(set.Horizon, sample.x.Rows), r); err != nil {
		return nil, Step{}, err
	}
	d.recent = new(calibrate.Ring)
	if last, err = d.steps(queue, sample.outputs, r); err != nil {
		return nil, Step{}, err
	}
	return d, last, nil
}

// steps performs a step on each batch of a queue, until r is stopped, and returns the last one.
func (d *descent) steps(queue []batch, outputs int, r *progress.Monitor) (last Step, err error) {
	for i := 0; i < len(queue) && !r.Stopped() && err == nil; i++ {
		b := queue[i]
		b.outputs = outputs
		last, err = d.step(b)
	}
	return last, err
}

// joined returns the first searchRows rows of a queue.
func joined(queue []batch) (all batch) {
	var parts []compute.Points
	var y []float64
	rows := 0
	weighted := slices.ContainsFunc(queue, func(b batch) bool { return b.weights != nil })
	for _, b := range queue {
		n := min(b.x.Rows, searchRows-rows)
		rows += n
		parts = append(parts, b.x.Between(0, n))
		for i := range n {
			if b.labelled() {
				all.class = append(all.class, b.class[i])
			} else {
				y = append(y, compute.Row(b.y, i)...)
			}
			if weighted {
				all.weights = append(all.weights, b.weights.At(i))
			}
		}
		all.outputs = max(all.outputs, b.outputs)
	}
	all.x = compute.StackPoints(parts)
	all.y = compute.NewMatrix(rows, queue[0].y.Cols)
	copy(all.y.Data, y)
	return all
}

// model returns the current model and its calibration sample.
func (s *stream) model(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	if err := s.created("Model"); err != nil {
		return nil, sample, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, sample, err
	}
	if s.descent != nil {
		return s.descent.model(), s.descent.sampleOfRecent(), nil
	}
	if len(s.queue) == 0 {
		return nil, sample, fmt.Errorf("polk: no rows yet: %w", rkhs.ErrEmpty)
	}
	r := progress.New(ctx, nil, pkg)
	defer r.Close()
	d, _, err := drain(s.set, s.queue, r)
	if err != nil {
		return nil, sample, err
	}
	m = d.model()
	if r.Stopped() {
		m.report.Status = r.Status()
	}
	return m, s.apart(d, r), r.Err()
}

// learn updates with all rows of a sequence, Options.Batch at a time.
func (s *stream) learn(ctx context.Context, sequence iter.Seq2[Batch, error], update func(input.Weighed) error) error {
	if err := s.created("Learn"); err != nil {
		return err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return err
	}
	if sequence == nil {
		return fmt.Errorf("polk: the stream is nil: %w", rkhs.ErrEmpty)
	}
	r := progress.New(ctx, s.set.Recorder, pkg)
	defer r.Close()
	for b, err := range sequence {
		if err != nil {
			return fmt.Errorf("polk: stream: %w", err)
		}
		if err := s.learnBatch(b, r, update); err != nil {
			return err
		}
	}
	return r.Err()
}

// learnBatch updates with the rows of one batch of a sequence.
func (s *stream) learnBatch(b Batch, r *progress.Monitor, update func(input.Weighed) error) error {
	w, err := input.WeighedPair(pkg, input.Points, b.X, b.Y)
	if err != nil {
		return err
	}
	for from := 0; from < w.X.Rows; from += s.set.Batch {
		if err := r.Err(); err != nil {
			return err
		}
		to := min(from+s.set.Batch, w.X.Rows)
		if err := update(w.Between(from, to)); err != nil {
			return err
		}
		if s.descent != nil { // otherwise all rows wait
			r.Report(s.descent.rowsProgress())
		}
	}
	return nil
}

// rows returns the number of rows so far, including waiting rows.
func (s *stream) rows() int {
	if s.descent == nil {
		return s.queued
	}
	return s.descent.totals.Rows
}

// report describes the learner. While rows wait it repeats the options.
func (s *stream) report() Report {
	switch {
	case s.set == nil:
		return Report{}
	case s.descent == nil:
		return Report{Kernel: kernel.Clone(s.set.Kernel), Loss: s.set.Loss, Ridge: s.set.Ridge, Rate: s.set.Rate}
	}
	return s.descent.report()
}

// checkOutputs fails unless waiting rows and the function fit the number of outputs.
func (s *stream) checkOutputs(d *codec.Decoder, outputs int, fits func(batch) bool) {
	if slices.ContainsFunc(s.queue, func(b batch) bool { return !fits(b) }) {
		d.Fail("waiting rows have other outputs or labels")
	}
	if s.descent != nil && s.descent.f.outputs != outputs {
		d.Fail("a function of %d outputs, want %d", s.descent.f.outputs, outputs)
	}
}

func (s *stream) encode(e *codec.Encoder) error {
	if err := s.set.encode(e); err != nil {
		return err
	}
	e.Int(s.inputs)
	e.Int(len(s.queue))
	for _, b := range s.queue {
		e.Points(b.x)
		e.Matrix(b.y)
		e.Ints(b.class)
		e.Float64s(b.weights)
		e.Int(b.outputs)
	}
	e.Bool(s.descent != nil)
	if s.descent == nil {
		return nil
	}
	if err := s.descent.encode(e); err != nil {
		return err
	}
	s.descent.recent.Encode(e)
	return nil
}

func decodeStream(d *codec.Decoder, check func(*Options) (*settings, error)) *stream {
	s := &stream{set: decodeSettings(d, check), inputs: d.Int()}
	for n := d.Count(8); n > 0 && d.Err() == nil; n-- {
		s.queue = append(s.queue, s.decodeBatch(d))
	}
	if d.Bool() && d.Err() == nil {
		s.descent = decodeDescent(d, s.set, s.inputs)
		s.descent.decodeRecent(d)
	}
	if d.Err() != nil {
		return s
	}
	empty, waiting := len(s.queue) == 0 && s.descent == nil, len(s.queue) > 0
	if s.inputs < 0 || (s.inputs == 0) != empty || waiting && (s.descent != nil || s.queued >= s.wait()) {
		d.Fail("%d inputs with %d waiting rows", s.inputs, s.queued)
	}
	return s
}

func (s *stream) decodeBatch(d *codec.Decoder) batch {
	b := batch{x: d.Points(), y: d.Matrix(), class: d.Ints()}
	b.weights, b.outputs = d.Weights(b.x.Rows), d.Int()
	if len(b.class) == 0 {
		b.class = nil
	}
	if d.Err() != nil {
		return b
	}
	if b.x.Rows < 1 || b.x.Cols < 1 || b.x.Cols != s.inputs {
		d.Fail("%d×%d waiting rows for %d inputs", b.x.Rows, b.x.Cols, s.inputs)
	} else if err := checkKernel(s.set.Kernel, b.x); err != nil {
		d.Fail("%v", err)
	} else if err := s.checkRows(b.x); err != nil {
		d.Fail("%v", err)
	}
	s.queued += b.x.Rows
	return b
}
