package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Learner learns regressions from a stream of rows, in batches of any size: rows
// wait until there are enough of them for a step. The memory is that of the rows
// that wait and of the coefficients, O(Batch·d + Features·q), whatever the number
// of rows. How the rows are cut into batches does not change a bit. A Learner is not
// safe for concurrent use.
type Learner struct {
	stream
	u       units // known from the first step on
	wait    waiting
	heldOut float64
}

// NewLearner returns a learner of regressions of so many outputs. Nil options
// mean the defaults. Errors wrap rkhs.ErrOption or, for a learner that may come to hold
// more than MemoryLimit, rkhs.ErrMemory.
func NewLearner(outputs int, opts *Options) (*Learner, error) {
	s, err := opts.settings(0, true)
	if err != nil {
		return nil, err
	}
	return newLearner(s, outputs)
}

// warmRows is the number of rows that the first step waits for.
const warmRows = 64

func newLearner(s *settings, outputs int) (*Learner, error) {
	l := &Learner{stream: newStream(s, outputs, warmRows), heldOut: math.NaN()}
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := l.checkMemory(); err != nil {
		return nil, err
	}
	return l, nil
}

// checkMemory returns rkhs.ErrMemory if the learner may come to hold too much.
func (l *Learner) checkMemory() error {
	return l.s.checkMemory(stepSizes{l.columns, l.batch, float64(l.s.blocks(l.columns)), l.outputs, 2 * l.batch})
}

// Update takes in rows x (n×d) with their targets y (n×q). On an error, which
// wraps one of package rkhs, the learner is left as it was.
func (l *Learner) Update(x, y mat.Matrix) error {
	targets, err := door.RowsOf("doublysgd", "y", y, l.outputs)
	if err != nil {
		return err
	}
	return l.update(x, targets, nil)
}

// update takes rows that have not passed the door and targets that have.
func (l *Learner) update(x mat.Matrix, y compute.Matrix, class []int) error {
	rows, err := l.admit("x", x)
	if err != nil {
		return err
	}
	if rows.Rows != y.Rows {
		return fmt.Errorf("doublysgd: x has %d rows, y has %d: %w", rows.Rows, y.Rows, rkhs.ErrShape)
	}
	next := *l
	next.take(rows)
	next.wait = l.wait.with(rows, y, class)
	if next.wait.x.Rows >= next.wanted() {
		next.p, next.wait.scores = l.p.clone(), cloneRows(l.wait.scores)
		if err := next.steps(); err != nil {
			return err
		}
		next.wait = next.wait.clone()
	}
	*l = next
	return nil
}

// sample returns rows [from, to) that wait, which have scores.
func (l *Learner) sample(from, to int) sample {
	return sample{x: compute.Rows(l.wait.x, from, to), k: l.risk(from, to), f: compute.Rows(l.wait.scores, from, to)}
}

func (l *Learner) risk(from, to int) *risk {
	var class []int
	if l.wait.class != nil {
		class = l.wait.class[from:to]
	}
	return l.s.risk(compute.Rows(l.wait.y, from, to), class, l.u)
}

// steps takes all steps that there are rows for.
func (l *Learner) steps() error {
	for l.wait.x.Rows >= l.wanted() {
		if err := l.begin(); err != nil {
			return err
		}
		if err := l.step(l.batch, false); err != nil {
			return err
		}
	}
	return nil
}

// begin chooses on the first rows what the options leave open.
func (l *Learner) begin() error {
	if l.p != nil {
		return nil
	}
	x, y := l.first(l.wait.x), l.first(l.wait.y)
	_, e, err := l.prepare(x)
	if err != nil {
		return err
	}
	l.u = l.s.unitsOf(y)
	l.p = l.s.newStepper(e, x, l.columns, l.batch, 0)
	return nil
}

// step takes a step on the first n rows that wait, in Newton mode with the n
// after them to choose by, and lets them go. The last step, at which no more rows
// will come, is taken on all.
func (l *Learner) step(n int, last bool) error {
	rest := n
	if l.s.Mode == Newton {
		rest = min(2*n, l.wait.x.Rows)
		if last {
			rest = l.wait.x.Rows
		}
	}
	l.score(&l.wait, rest)
	if err := checkTargets(l.risk(0, rest)); err != nil {
		return err
	}
	if err := checkScores(l.wait.scores); err != nil {
		return err
	}
	var m stepMove
	if l.s.Mode == Newton {
		m, l.heldOut = l.p.newtonStep(l.sample(0, n), l.sample(n, rest), last)
	} else {
		m = l.p.plain(l.sample(0, n))
	}
	if err := l.p.take(m); err != nil {
		return err
	}
	l.p.follow(m, compute.Rows(l.wait.scores, n, rest), compute.Rows(l.wait.x, n, rest))
	l.wait = l.wait.without(n)
	return checkScores(l.wait.scores)
}

func checkScores(f compute.Matrix) error {
	for _, v := range f.Data {
		if !finite(v) {
			return fmt.Errorf("doublysgd: a score is %v: %w", v, rkhs.ErrDiverged)
		}
	}
	return nil
}

// Model returns the function learned so far: from all rows, those that wait
// included, for which a step is taken that the learner itself does not take.
// Before the first row it is an error that wraps rkhs.ErrEmpty.
func (l *Learner) Model() (*Model, error) {
	if l.rows == 0 {
		return nil, fmt.Errorf("doublysgd: a model of no rows: %w", rkhs.ErrEmpty)
	}
	c := *l
	c.p = l.p.clone()
	if err := c.finish(); err != nil {
		return nil, err
	}
	report := unknown()
	report.Mode, report.Status, report.Rows, report.Passes, report.HeldOut = l.s.Mode, rkhs.Converged, l.rows, 1, c.heldOut
	if !c.p.newton {
		report.Ridge = c.p.ridge
	}
	e := c.p.result()
	report.Blocks, report.Features = e.count(), e.count()*e.m.Columns()
	if e == c.p.e {
		e = e.clone()
	}
	m := &Model{composite: uncentred(e), u: c.u, report: report}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, nil
}

// finish takes steps on the rows that wait.
func (l *Learner) finish() error {
	if err := l.begin(); err != nil {
		return err
	}
	l.wait.scores = cloneRows(l.wait.scores)
	n := l.wait.x.Rows
	if l.s.Mode == Newton && n > 1 { // of one row there is nothing to choose by
		return l.step(n-max(1, n/4), true)
	}
	for l.s.Mode == Plain && l.wait.x.Rows > 0 {
		if err := l.step(min(l.batch, l.wait.x.Rows), true); err != nil {
			return err
		}
	}
	return nil
}
