package doublysgd

import (
	"context"

	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// apartRows is the number of rows from which Newton and Plain mode reserve rows for calibration.
// With fewer rows other fits calibrate the model.
const apartRows = 50000

// manyRows is the number of rows from which the held-out rows suffice for calibration.
const manyRows = 3 * calibrate.Enough

// mostRefits returns the largest number of additional fits for calibration: fits to few rows are
// cheap.
func mostRefits(n int) int {
	switch {
	case n <= 1000:
		return calibrate.MostSets
	case n < manyRows:
		return 2
	}
	return 1
}

// sampleOf returns scores and targets in units of the targets.
func sampleOf(u descent.Units, risk *descent.Risk, scores compute.Matrix) calibrate.Sample {
	s := calibrate.Sample{Scores: compute.Clone(scores), Class: risk.Class, Weights: risk.Weights}
	u.Restore(s.Scores)
	if s.Class == nil {
		s.Targets = compute.Clone(risk.Y)
		u.Restore(s.Targets)
	}
	return s
}

// foretold reports whether a sample suffices for calibration: enough held-out rows, or leave-one-out
// errors.
func foretold(s calibrate.Sample) bool { return s.Rows() >= calibrate.Enough || s.At.Rows > 0 }

// predicted returns the predictions of a model at rows of the task.
func (t *task) predicted(m *Model, rows []int) calibrate.Sample {
	risk, x := t.risk.Ordered(rows), t.x.Pick(rows)
	s := sampleOf(t.units, risk, compute.NewMatrix(x.Rows, t.outputs()))
	_ = m.f.EvalTo(s.Scores, x)
	s.X = x
	return s
}

// part returns the task for a subset of the rows with the options of a model.
func (t *task) part(rows []int, m *Model) *task {
	p, s := *t, *t.options
	s.Kernel, s.Metric, s.NoCalibration = m.Kernel(), 0, true
	if s.Mode == Revisit {
		s.Ridge, s.Features = m.report.Ridge, m.report.Features
		if t.single {
			s.Precision = Single
		}
	}
	p.kernel = s.Kernel
	p.options, p.x, p.risk, p.visits = &s, t.x.Pick(rows), t.risk.Ordered(rows), 0
	return &p
}

// refits returns the predictions of similar fits at rows that they do not use.
func (t *task) refits(m *Model) (all calibrate.Sample) {
	n := t.x.Rows
	for _, set := range calibrate.Sets(n, n, t.risk.Class, calibrate.Refits(mostRefits(n)), t.options.Seed, t.x.FirstCopies(t.risk.Y, t.risk.Class)) {
		other, err := t.part(calibrate.Others(n, set), m).solve()
		if err != nil {
			return calibrate.Sample{}
		}
		all = all.With(t.predicted(other, set))
	}
	return all
}

// apart returns predictions at waiting rows before the first step, by learners without these rows.
// It is empty if a learner fails.
func (l *Learner) apart(ctx context.Context) (all calibrate.Sample, err error) {
	n := l.wait.X.Rows
	first := l.wait.X.FirstCopies(l.wait.Y, l.wait.Class)
	for _, set := range calibrate.Sets(n, n, l.wait.Class, calibrate.Refits(mostRefits(n)), l.options.Seed, first) {
		c := *l
		c.wait = l.wait.Picked(calibrate.Others(n, set))
		m, err := c.finished(ctx)
		if err != nil {
			return calibrate.Sample{}, input.Context(pkg, ctx)
		}
		held := l.wait.Picked(set)
		s := sampleOf(c.units, c.riskOf(held), compute.NewMatrix(len(set), l.stream.Outputs))
		if err := m.f.EvalTo(s.Scores, held.X); err != nil {
			return calibrate.Sample{}, nil
		}
		all = all.With(s)
	}
	return all, nil
}

// sampleOfRecent returns the scores of the last rows before their steps, except the first step.
func (l *Learner) sampleOfRecent() calibrate.Sample {
	n := min(l.scores.Rows, l.recent.X.Rows, calibrate.Enough)
	if n == 0 {
		return calibrate.Sample{}
	}
	rows := l.recent.Last(n)
	return sampleOf(l.units, l.riskOf(rows), compute.Rows(l.scores, l.scores.Rows-n, l.scores.Rows))
}
