package doublysgd

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/loss"
)

// Learner learns regressions from a stream of rows, in batches of any size: rows
// wait until there are enough of them for a step. The last 4096 are kept, on which the
// constant of a model is fitted. The memory is that of the rows
// that wait or are kept and of the coefficients, O((Batch + 4096)·d + Features·q),
// whatever the number of rows. How the rows are cut into batches does not change a bit. A Learner is not
// safe for concurrent use.
//
// A row with a target more than ten times as far from the median of the first rows as any
// target before is counted and not learned from; each such row raises the bound tenfold,
// so that one wild value does no harm and values of a new order are learned from after a
// few.
type Learner struct {
	options   *settings
	stream    descent.Stream
	units     descent.Units // known from the first step on, as are the outliers
	outliers  descent.Outliers
	wait      descent.Waiting
	recent    descent.Waiting // the last rows that steps were taken on
	scores    compute.Matrix  // of the last of these, before those steps
	criterion float64
}

// NewLearner returns a learner of regressions; the numbers of inputs and of outputs are
// those of the first rows. Nil options mean the defaults. Errors wrap rkhs.ErrOption or,
// for a learner that may come to hold more than MemoryLimit, rkhs.ErrMemory.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := opts.settings(0, true)
	if err != nil {
		return nil, err
	}
	return newLearner(s, 0)
}

// constantRows is the number of rows on which the constant of a model is fitted: the
// fraction of targets below a quantile is then within a hundredth.
const constantRows = 4096

// warmRows is the number of rows that the first step waits for.
const warmRows = 64

// newLearner returns a learner of so many outputs, 0 for those of the first rows.
func newLearner(s *settings, outputs int) (*Learner, error) {
	stream, err := descent.NewStream(s.config(), outputs, warmRows)
	if err != nil {
		return nil, err
	}
	return &Learner{options: s, stream: stream, criterion: math.NaN()}, nil
}

// made reports whether l is of a constructor or a file.
func (l *Learner) made() bool { return l != nil && l.options != nil }

// Rows returns the number of rows taken in.
func (l *Learner) Rows() int {
	if l == nil {
		return 0
	}
	return l.stream.Seen
}

// Update takes in rows x (n×d) with their targets y (n×q). On an error, which
// wraps one of package rkhs, the learner is left as it was. Of rows that are rkhs.Weighted
// the weights multiply the losses: a step in Newton mode goes by their ratios in its batch,
// one in Plain mode is as much longer, up to what is stable.
func (l *Learner) Update(x, y mat.Matrix) error {
	if err := door.Fitted(pkg, "Update", l.made()); err != nil {
		return err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return err
	}
	return l.update(w, nil)
}

// update takes rows with their targets.
func (l *Learner) update(w door.Weighed, class []int) error {
	next := *l
	if err := next.stream.Admit("x", w.X); err != nil {
		return err
	}
	if err := next.admitTargets(w.Y); err != nil {
		return err
	}
	next.stream.Take(w.X)
	next.wait = l.wait.With(next.ordinary(w, class))
	if next.wait.X.Rows >= next.stream.Wanted() {
		if err := next.begin(); err != nil {
			return err
		}
	}
	if err := next.stream.Steps(next.step, &next.wait); err != nil {
		return err
	}
	*l = next
	return nil
}

// admitTargets finds the number of outputs in the first rows.
func (l *Learner) admitTargets(y compute.Matrix) error {
	if l.stream.Outputs == 0 {
		l.stream.Outputs = y.Cols
		return l.stream.CheckMemory()
	}
	if y.Cols != l.stream.Outputs {
		return fmt.Errorf("doublysgd: y has %d columns, want %d: %w", y.Cols, l.stream.Outputs, rkhs.ErrShape)
	}
	return nil
}

// ordinary returns new rows without outliers, once these can be told.
func (l *Learner) ordinary(w door.Weighed, class []int) descent.Waiting {
	new := descent.Waiting{X: w.X, Y: w.Y, Class: class, Weights: w.Weights}
	if !l.outliers.Known() {
		return new
	}
	return new.Picked(l.outliers.Ordinary(w.Y, nil))
}

// sample returns rows [from, to) that wait, which have scores.
func (l *Learner) sample(from, to int) descent.Sample {
	return descent.Sample{X: l.wait.X.Between(from, to), Risk: l.risk(from, to), Scores: compute.Rows(l.wait.Scores, from, to)}
}

func (l *Learner) risk(from, to int) *descent.Risk { return l.riskOf(l.wait).Part(from, to) }

func (l *Learner) riskOf(w descent.Waiting) *descent.Risk {
	r := descent.NewRisk(w.Y, w.Class, l.options.Loss, l.units, l.options.Workers)
	r.Weights = w.Weights
	return r
}

// begin chooses on the first rows what the options leave open. Outliers among the rows
// that wait are let go, those of the first rows as the farthest of these.
func (l *Learner) begin() error {
	s := &l.stream
	if s.Stepper != nil {
		return nil
	}
	first := min(l.wait.X.Rows, s.Wanted())
	if l.options.classes == 0 {
		first = l.leaveOut(first)
	}
	x, y := l.wait.X.Between(0, first), compute.Rows(l.wait.Y, 0, first)
	_, f, err := s.Prepare(x)
	if err != nil {
		return err
	}
	l.units = unitsOf(y, nil, l.options.Loss, nil, l.options.classes)
	s.Stepper = s.Config.Start(f, s.Columns, 0)
	s.Stepper.Measure(x, loss.StepCurvature(l.options.Loss), s.Columns, s.Batch)
	return nil
}

// leaveOut lets outliers go, and returns how many of the first rows are left.
func (l *Learner) leaveOut(first int) int {
	y := compute.Rows(l.wait.Y, 0, first)
	l.outliers = descent.NewOutliers(y)
	rows := l.outliers.Ordinary(y, l.outliers.Outward(y))
	left := len(rows)
	for _, i := range l.outliers.Ordinary(compute.Rows(l.wait.Y, first, l.wait.Y.Rows), nil) {
		rows = append(rows, first+i)
	}
	l.wait = l.wait.Picked(rows)
	return left
}

// step takes a step on the first rows that wait, at most so many.
func (l *Learner) step(most int) error { return l.take(min(most, l.wait.X.Rows), false) }

// take takes a step on the first n rows that wait, in Newton mode with the n
// after them to choose by, and lets them go. The last step, at which no more rows
// will come, is taken on all.
func (l *Learner) take(n int, last bool) error {
	newton, rest := l.options.Mode == Newton, n
	if newton {
		rest = min(2*n, l.wait.X.Rows)
		if last {
			rest = l.wait.X.Rows
		}
	}
	scored := l.stream.Score(&l.wait, rest)
	if err := l.risk(0, rest).CheckTargets(); err != nil {
		return prefixed(err)
	}
	if scored != nil {
		return scored
	}
	before := compute.Clone(compute.Rows(l.wait.Scores, 0, n))
	var m descent.Move
	if newton {
		m, l.criterion = l.stream.Stepper.NewtonStep(l.sample(0, n), l.sample(n, rest), last)
	} else {
		m = l.stream.Stepper.Plain(l.sample(0, n))
	}
	if err := l.stream.Move(m); err != nil {
		return err
	}
	l.stream.Stepper.Follow(m, compute.Rows(l.wait.Scores, n, rest), l.wait.X.Between(n, rest))
	done := l.wait.Between(0, n)
	if l.stepped() { // else nothing had been learned
		l.scores = compute.AppendRows(l.scores, before)
		l.scores = compute.Rows(l.scores, max(0, l.scores.Rows-calibrate.Enough), l.scores.Rows)
	}
	l.recent, l.wait = l.recent.With(done).Last(constantRows), l.wait.Without(n)
	return l.stream.Check(l.wait.Scores)
}

// Model returns the function learned so far: from all rows, those that wait
// included, for which a step is taken that the learner itself does not take.
// Before the first row it is an error that wraps rkhs.ErrEmpty.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	m, sample, err := l.model(ctx)
	if m != nil {
		m.intervals = calibrate.FitIntervals(sample)
	}
	return m, err
}

// model returns the function with what it is calibrated by.
func (l *Learner) model(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	if err := door.Fitted(pkg, "Model", l.made()); err != nil {
		return nil, sample, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, sample, err
	}
	if l.stream.Seen == 0 {
		return nil, sample, fmt.Errorf("doublysgd: a model of no rows: %w", rkhs.ErrEmpty)
	}
	c := *l
	if m, err = c.finished(ctx); err != nil {
		return nil, sample, err
	}
	if l.stepped() {
		sample = c.sampleOfRecent()
	} else {
		sample, err = l.apart(ctx)
	}
	return m, sample.OfMeanOne(), err
}

// finished takes steps on the rows that wait, and returns the function.
func (l *Learner) finished(ctx context.Context) (*Model, error) {
	if err := l.finish(ctx); err != nil {
		return nil, err
	}
	report := unknown()
	report.Mode, report.Status, report.Rows, report.Passes, report.HeldOutLoss = l.options.Mode, rkhs.Converged, l.stream.Seen, 1, l.criterion
	stepper := l.stream.Stepper
	if l.options.Mode == Plain {
		report.Ridge = stepper.Ridge
	}
	f := stepper.Result()
	if f == stepper.Function {
		f = f.Clone()
	}
	rows := l.recent.With(l.wait).Last(constantRows)
	return newModel(f, l.units.Shifted(stepper.Fitted(f, rows.X, l.riskOf(rows))), report)
}

// stepped reports whether a step was taken.
func (l *Learner) stepped() bool { return l.recent.X.Rows > 0 }

// finish takes steps on the rows that wait.
func (l *Learner) finish(ctx context.Context) error {
	if err := l.begin(); err != nil {
		return err
	}
	if l.options.Mode == Plain {
		return l.stream.Drain(ctx, l.step, &l.wait)
	}
	l.stream.Detach(&l.wait)
	if n := l.wait.X.Rows; n > 1 { // of one row there is nothing to choose by
		return l.take(n-max(1, n/4), true)
	}
	return nil
}
