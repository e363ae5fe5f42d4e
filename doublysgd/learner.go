package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// Learner learns regressions from a stream of rows, in batches of any size: rows
// wait until there are enough of them for a step. The memory is that of the rows
// that wait and of the coefficients, O(Batch·d + Features·q), whatever the number
// of rows. A Learner is not safe for concurrent use.
type Learner struct {
	s       *settings
	outputs int
	rows    int // taken in so far

	// Known from the first rows on.
	inputs         int
	columns, batch int

	// Known from the first step on.
	p *stepper // nil before
	u units

	wait    waiting
	heldOut float64
}

// waiting holds rows that no step has been taken on.
type waiting struct {
	x, y   compute.Matrix
	class  []int
	scores compute.Matrix // of the first rows, as many as it has
}

// NewLearner returns a learner of regressions of so many outputs. Nil options
// mean the defaults.
func NewLearner(outputs int, opts *Options) (*Learner, error) {
	if outputs < 1 {
		return nil, fmt.Errorf("doublysgd: outputs = %d: %w", outputs, rkhs.ErrOption)
	}
	s, err := opts.settings(0, true)
	if err != nil {
		return nil, err
	}
	return newLearner(s, outputs), nil
}

func newLearner(s *settings, outputs int) *Learner {
	l := &Learner{s: s, outputs: outputs, heldOut: math.NaN()}
	l.columns, l.batch = s.sizes(math.MaxInt32)
	return l
}

// Rows returns the number of rows taken in.
func (l *Learner) Rows() int { return l.rows }

// Update takes in rows x (n×d) with their targets y (n×q). On an error, which
// wraps one of package rkhs, the learner is left as it was.
func (l *Learner) Update(x, y mat.Matrix) error {
	targets, err := input.RowsOf("doublysgd", "y", y, l.outputs)
	if err != nil {
		return err
	}
	return l.update(x, targets, nil)
}

// update takes rows that have not passed the door and targets that have.
func (l *Learner) update(x mat.Matrix, y compute.Matrix, class []int) error {
	rows, err := l.admit(x, y)
	if err != nil {
		return err
	}
	next := *l
	next.inputs = rows.Cols
	next.rows += rows.Rows
	next.wait = l.wait.with(rows, y, class)
	if next.wait.x.Rows >= next.wanted() {
		next.p, next.wait.scores = l.p.clone(), cloneRows(l.wait.scores)
		if err := next.steps(); err != nil {
			return err
		}
	}
	*l = next
	return nil
}

// admit returns the rows of x if the learner can take them in.
func (l *Learner) admit(x mat.Matrix, y compute.Matrix) (compute.Matrix, error) {
	rows, err := input.View("doublysgd", "x", x)
	switch {
	case err != nil:
		return rows, err
	case rows.Rows != y.Rows:
		return rows, fmt.Errorf("doublysgd: x has %d rows, y has %d: %w", rows.Rows, y.Rows, rkhs.ErrShape)
	case l.inputs > 0 && rows.Cols != l.inputs:
		return rows, fmt.Errorf("doublysgd: x has %d columns, want %d: %w", rows.Cols, l.inputs, rkhs.ErrShape)
	}
	k := l.s.Kernel
	if l.p != nil {
		k = l.p.e.m.Kernel()
	}
	if k == nil {
		return rows, nil
	}
	if err := kernel.Check(k, rows); err != nil {
		return rows, fmt.Errorf("doublysgd: %w", err)
	}
	if l.inputs == 0 {
		_, err = l.newExpansion(k, rows.Cols)
	}
	return rows, err
}

func (l *Learner) newExpansion(k kernel.Kernel, inputs int) (*expansion, error) {
	o := features.Options{Seed: l.s.Seed, Columns: l.columns, Sampler: l.s.Sampler, Workers: l.s.Workers}
	m, err := features.New(k, inputs, o)
	if err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	return newExpansion(m, o, l.outputs, l.s.CacheSize), nil
}

// with returns the waiting rows with more of them. Those before are shared.
func (w waiting) with(x, y compute.Matrix, class []int) waiting {
	w.x = appendRows(w.x, x)
	w.y = appendRows(w.y, y)
	w.class = append(w.class, class...)
	return w
}

// appendRows returns the rows of m and of x. What append may write to lies behind
// the rows of m.
func appendRows(m, x compute.Matrix) compute.Matrix {
	for i := range x.Rows {
		m.Data = append(m.Data, row(x, i)...)
	}
	m.Rows, m.Cols, m.Stride = m.Rows+x.Rows, x.Cols, x.Cols
	return m
}

// without returns the waiting rows but for the first n, which have scores.
func (w waiting) without(n int) waiting {
	c := waiting{x: cloneRows(compute.Rows(w.x, n, w.x.Rows)), y: cloneRows(compute.Rows(w.y, n, w.y.Rows)),
		scores: cloneRows(compute.Rows(w.scores, n, w.scores.Rows))}
	if w.class != nil {
		c.class = append([]int(nil), w.class[n:]...)
	}
	return c
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

// warmRows is the number of rows from which Plain mode takes its step sizes, and
// all modes the bandwidth and the units of the targets.
const warmRows = 64

// wanted returns how many rows must wait for a step.
func (l *Learner) wanted() int {
	n := l.batch
	if l.s.Mode == Newton {
		n = 2 * l.batch
	}
	if l.p == nil {
		n = max(n, warmRows)
	}
	return n
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

// begin chooses on the rows that wait what the options leave open.
func (l *Learner) begin() error {
	if l.p != nil {
		return nil
	}
	k, err := l.s.kernel(l.wait.x)
	if err != nil {
		return err
	}
	e, err := l.newExpansion(k, l.inputs)
	if err != nil {
		return err
	}
	l.u = l.s.unitsOf(l.wait.y)
	l.p = l.s.newStepper(e, l.wait.x, l.columns, l.batch, 0)
	return nil
}

// score fills in the scores of the first n rows that wait.
func (l *Learner) score(n int) {
	have := l.wait.scores.Rows
	if have >= n {
		return
	}
	f := compute.NewMatrix(n-have, l.outputs)
	l.p.e.addTo(f, compute.Rows(l.wait.x, have, n))
	l.wait.scores = appendRows(cloneRows(l.wait.scores), f)
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
	l.score(rest)
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
	m := &Model{e: e, u: c.u, report: report}
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

// clone returns a stepper that goes on by itself.
func (p *stepper) clone() *stepper {
	if p == nil {
		return nil
	}
	c := *p
	c.e = p.e.clone()
	return &c
}
