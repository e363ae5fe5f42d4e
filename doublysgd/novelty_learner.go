package doublysgd

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// NoveltyLearner learns from a stream of rows, in batches of any size, what
// FitNovelty learns from rows at hand. It takes doubly stochastic steps: on the t-th
// batch of B rows, with the features Z of a block,
//
//	v_i = [f(x_i) < r],
//	f ← (1 − g·nu)·f + g·Z(·)Zᵀv/B,
//	r ← r + g·λ·(nu − mean v),   g = g_0/(1 + g_0·nu·t/1.5),
//
// where g_0 = R²/(2λ + R²/B + 2R²/m) for m columns, the mean R² of k(x, x), and the largest
// eigenvalue λ of the kernel matrix over its size, which is of the order of f. The first
// step makes f the mean of k(x_i, ·), and r its quantile. The
// model is the average of the iterates, f and r, the t-th of which has weight t. In the
// iterates the fraction nu of the rows is novel, in their average somewhat less: rows at
// the margin that are now inside and now outside are inside on average. λ, and the
// bandwidth if it is not given, are those of the first 256 rows.
//
// The memory is that of the rows that wait for a step and of the coefficients,
// O(Batch·d + Features), whatever the number of rows, and a row takes O(Features·d)
// time. How the rows are cut into batches does not change a bit. FitNovelty is more
// accurate on rows that fit the memory. A NoveltyLearner is not safe for concurrent
// use. Source: Dai et al., "Scalable kernel methods via doubly stochastic gradients",
// NIPS 2014, section 4 and Algorithm 1.
type NoveltyLearner struct {
	stream
	wait waiting

	// Known from the first step on.
	unit   float64 // λ
	offset float64 // r
	sum    float64 // Σ t·r_t over the steps
}

// defaultStreamBatch is the default number of rows of a step where the objective asks
// for many steps more than for exact ones.
const defaultStreamBatch = 64

// noveltyWarmRows is the number of rows by which λ and the bandwidth are chosen.
const noveltyWarmRows = 256

// NewNoveltyLearner returns a learner. Nil options mean the defaults.
func NewNoveltyLearner(opts *NoveltyOptions) (*NoveltyLearner, error) {
	if opts == nil {
		opts = new(NoveltyOptions)
	}
	if _, err := opts.common(); err != nil {
		return nil, err
	}
	s, err := (&Options{
		Kernel: opts.Kernel, Sampler: opts.Sampler, Mode: Plain, Ridge: cmp.Or(opts.Nu, defaultNu),
		Features: opts.Features, Columns: opts.Columns, Batch: cmp.Or(opts.Batch, defaultStreamBatch),
		CacheSize: opts.CacheSize, MemoryLimit: opts.MemoryLimit, Seed: opts.Seed, Workers: opts.Workers,
	}).settings(0, true)
	if err != nil {
		return nil, err
	}
	l := &NoveltyLearner{stream: newStream(s, 1, noveltyWarmRows)}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

// Update takes in rows x (n×d). On an error, which wraps one of package rkhs, the
// learner is left as it was.
func (l *NoveltyLearner) Update(x mat.Matrix) error {
	rows, err := l.admit("x", x)
	if err != nil {
		return err
	}
	next := *l
	next.take(rows)
	next.wait = l.wait.with(rows, compute.Matrix{}, nil)
	if next.wait.x.Rows >= next.wanted() {
		next.p, next.wait.scores = l.p.clone(), cloneRows(l.wait.scores)
		for next.wait.x.Rows >= next.wanted() {
			if err := next.step(next.batch); err != nil {
				return err
			}
		}
		next.wait = next.wait.clone()
	}
	*l = next
	return nil
}

// begin chooses on the first rows what the options leave open.
func (l *NoveltyLearner) begin() error {
	x := l.first(l.wait.x)
	k, e, err := l.prepare(x)
	if err != nil {
		return err
	}
	top, diagonal := largestEigenvalue(k, x, l.s.Workers)
	if !(diagonal > 0) || !finite(diagonal) || !finite(top) {
		return fmt.Errorf("doublysgd: the mean of k(x, x) is %v: %w", diagonal, rkhs.ErrDiverged)
	}
	l.p, l.unit = l.s.begin(e, l.columns, 0), top
	// The steps have no unit: a multiple of k has the same multiple of f and of r. What
	// r adds to the Hessian is a constant kernel λ.
	l.p.first = diagonal * firstRate(2*top, diagonal, l.columns, l.batch)
	return nil
}

// step takes a step on the first n rows that wait and lets them go.
func (l *NoveltyLearner) step(n int) error {
	if l.p == nil {
		if err := l.begin(); err != nil {
			return err
		}
	}
	l.score(&l.wait, n)
	x, f := compute.Rows(l.wait.x, 0, n), compute.Rows(l.wait.scores, 0, n)
	if err := checkScores(f); err != nil {
		return err
	}
	advance := l.descend
	if l.p.steps == 0 {
		advance = l.start
	}
	if err := advance(x, f); err != nil {
		return err
	}
	if !finite(l.offset) {
		return fmt.Errorf("doublysgd: the offset is %v: %w", l.offset, rkhs.ErrDiverged)
	}
	l.sum += float64(l.p.steps) * l.offset
	l.wait = l.wait.without(n)
	return nil
}

// start takes the first step: the multipliers of all rows are nu, as they are on
// average at the minimum.
func (l *NoveltyLearner) start(x, f compute.Matrix) error {
	r := compute.NewMatrix(x.Rows, 1)
	for i := range r.Data {
		r.Data[i] = 1 / float64(x.Rows)
	}
	m := l.p.along(x, r)
	if err := l.p.take(m); err != nil {
		return err
	}
	l.p.follow(m, f, x)
	l.offset = quantile(f.Data, l.s.Ridge)
	return nil
}

// descend takes the step of the gradient at scores f.
func (l *NoveltyLearner) descend(x, f compute.Matrix) error {
	g, n := l.p.rate(), float64(x.Rows)
	r, below := compute.NewMatrix(x.Rows, 1), 0.0
	for i, v := range f.Data {
		if v < l.offset {
			r.Data[i] = g / n
			below++
		}
	}
	if err := l.p.take(l.p.along(x, r)); err != nil {
		return err
	}
	l.offset += g * l.unit * (l.s.Ridge - below/n)
	return nil
}

// Model returns what was learned so far: from all rows, those that wait included, for
// which steps are taken that the learner itself does not take. Of the report a stream
// does not know Rest and Error, which are NaN. Before the first row it is an error that
// wraps rkhs.ErrEmpty.
func (l *NoveltyLearner) Model() (*Novelty, error) {
	if l.rows == 0 {
		return nil, fmt.Errorf("doublysgd: a model of no rows: %w", rkhs.ErrEmpty)
	}
	c := *l
	c.p, c.wait = l.p.clone(), l.wait.clone()
	for c.wait.x.Rows > 0 {
		if err := c.step(min(c.batch, c.wait.x.Rows)); err != nil {
			return nil, err
		}
	}
	m := &Novelty{centred: c.solution(), offset: c.sum / c.p.e.mean.weight, nu: c.s.Ridge}
	if err := m.f.check(); err != nil {
		return nil, err
	}
	return m, nil
}
