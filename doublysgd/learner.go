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
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/loss"
)

// Learner fits regressions to a stream of rows in batches of any size. Rows wait until there are
// enough for a step, so the result does not depend on the batches. The memory is O((Batch + 4096)·d
// + Features·q) for any number of rows. A Learner is not safe for concurrent use.
//
// A target is an outlier if its distance from the median of the first rows is more than ten times
// the largest distance of all earlier targets. Its row is counted but not used. Each outlier raises
// the bound tenfold.
type Learner struct {
	options   *settings
	stream    descent.Stream
	units     descent.Units // known from the first step on, as are the outliers
	outliers  descent.Outliers
	wait      descent.Waiting
	recent    descent.Waiting // the rows of the last steps
	scores    compute.Matrix  // of the last recent rows, before their steps
	criterion float64
}

// NewLearner returns a learner for regressions. The first rows determine the dimensions. Nil options
// select the defaults. Errors wrap rkhs.ErrOption, or rkhs.ErrMemory if the learner could exceed
// MemoryLimit.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := opts.settings(0, true)
	if err != nil {
		return nil, err
	}
	return newLearner(s, 0)
}

// constantRows is the number of rows that determine the constant of a model: enough to fit the
// coverage of a quantile within .01.
const constantRows = 4096

// warmRows is the smallest number of rows for the first step.
const warmRows = 64

// newLearner returns a learner with the given number of outputs, 0 if unknown.
func newLearner(s *settings, outputs int) (*Learner, error) {
	stream, err := descent.NewStream(s.config(), outputs, warmRows)
	if err != nil {
		return nil, err
	}
	return &Learner{options: s, stream: stream, criterion: math.NaN()}, nil
}

// made reports whether l is the result of a constructor or a file.
func (l *Learner) made() bool { return l != nil && l.options != nil }

// Rows returns the number of rows so far.
func (l *Learner) Rows() int {
	if l == nil {
		return 0
	}
	return l.stream.Seen
}

// Update trains on rows x (n×d) with targets y (n×q). On an error, which wraps a sentinel of package
// rkhs, the learner is unchanged. Weights multiply the losses. A Newton step depends on their ratios
// in its batch; a Plain step is longer for larger weights, within the bound of stability.
func (l *Learner) Update(x, y mat.Matrix) error {
	if err := input.Fitted(pkg, "Update", l.made()); err != nil {
		return err
	}
	w, err := input.WeighedPair(pkg, input.Points, x, y)
	if err != nil {
		return err
	}
	return l.update(w, nil)
}

// update trains on validated rows.
func (l *Learner) update(w input.Weighed, class []int) error {
	next := *l
	if err := next.stream.Admit("x", w.X); err != nil {
		return err
	}
	if err := next.admitTargets(w.Y); err != nil {
		return err
	}
	next.stream.Count(w.X)
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

// admitTargets checks the number of outputs, which the first rows determine.
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

// ordinary returns new rows without outliers, once these are defined.
func (l *Learner) ordinary(w input.Weighed, class []int) descent.Waiting {
	new := descent.Waiting{X: w.X, Y: w.Y, Class: class, Weights: w.Weights}
	if !l.outliers.Known() {
		return new
	}
	return new.Picked(l.outliers.Ordinary(w.Y, nil))
}

// sample returns the waiting rows [from, to), which have scores.
func (l *Learner) sample(from, to int) descent.Sample {
	return descent.Sample{X: l.wait.X.Between(from, to), Risk: l.risk(from, to), Scores: compute.Rows(l.wait.Scores, from, to)}
}

func (l *Learner) risk(from, to int) *descent.Risk { return l.riskOf(l.wait).Part(from, to) }

func (l *Learner) riskOf(w descent.Waiting) *descent.Risk {
	r := descent.NewRisk(w.Y, w.Class, l.options.Loss, l.units, l.options.Workers)
	r.Weights = w.Weights
	return r
}

// begin prepares the first step. It drops outliers, sets the units and the kernel, and measures the
// step size.
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

// leaveOut drops outliers and returns the number of remaining first rows.
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

// step performs a step on at most the given number of waiting rows.
func (l *Learner) step(most int) error { return l.stepOn(min(most, l.wait.X.Rows), false) }

// foldRows is the largest number of waiting rows for which cross-validation selects a step that is the
// first and the last. After other steps, which leave less to change, it is warmRows.
const foldRows = 500

// sets returns disjoint sets of waiting rows, each of which scores a step on all other rows, if the
// last step has few rows. Otherwise it returns nil.
func (l *Learner) sets(last bool) [][]int {
	n, w, most := l.wait.X.Rows, l.wait, foldRows
	if l.stepped() {
		most = warmRows
	}
	if !last || n > most {
		return nil
	}
	return calibrate.Sets(n, n, w.Class, calibrate.Refits(calibrate.MostSets), l.options.Seed, w.X.FirstCopies(w.Y, w.Class))
}

// stepOn performs a step on the first n waiting rows and removes them. Newton mode selects the step on
// the next n rows, or for the last step on sets of all rows. The last step uses all rows.
func (l *Learner) stepOn(n int, last bool) error {
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
	var m descent.Update
	switch sets := l.sets(last); {
	case !newton:
		m = l.stream.Stepper.Plain(l.sample(0, n))
	case sets != nil:
		m, l.criterion = l.stream.Stepper.FoldStep(l.sample(0, rest), sets)
	default:
		m, l.criterion = l.stream.Stepper.NewtonStep(l.sample(0, n), l.sample(n, rest), last)
	}
	if err := l.stream.Apply(m); err != nil {
		return err
	}
	l.stream.Stepper.Follow(m, compute.Rows(l.wait.Scores, n, rest), l.wait.X.Between(n, rest))
	done := l.wait.Between(0, n)
	if l.stepped() { // scores of the first step carry no information
		l.scores = compute.AppendRows(l.scores, before)
		l.scores = compute.Rows(l.scores, max(0, l.scores.Rows-calibrate.Enough), l.scores.Rows)
	}
	l.recent, l.wait = l.recent.With(done).Last(constantRows), l.wait.Without(n)
	return l.stream.Check(l.wait.Scores)
}

// Model returns the current function, fitted to all rows including the waiting rows. The learner
// itself is unchanged. Before the first row the error wraps rkhs.ErrEmpty.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	m, sample, err := l.model(ctx)
	if m != nil {
		m.intervals = calibrate.FitIntervals(sample)
	}
	return m, err
}

// model returns the current function and its calibration sample.
func (l *Learner) model(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	if err := input.Fitted(pkg, "Model", l.made()); err != nil {
		return nil, sample, err
	}
	if err := input.Context(pkg, ctx); err != nil {
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

// finished uses the waiting rows and returns the function.
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

// stepped reports whether there was a step.
func (l *Learner) stepped() bool { return l.recent.X.Rows > 0 }

// finish performs steps on the waiting rows.
func (l *Learner) finish(ctx context.Context) error {
	if err := l.begin(); err != nil {
		return err
	}
	if l.options.Mode == Plain {
		return l.stream.Drain(ctx, l.step, &l.wait)
	}
	l.stream.Detach(&l.wait)
	if n := l.wait.X.Rows; n > 1 { // a single row cannot select a step
		return l.stepOn(n-max(1, n/4), true)
	}
	return nil
}
