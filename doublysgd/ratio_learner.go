package doublysgd

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// RatioLearner learns from streams of rows of p and of q what FitRatio learns from rows
// at hand. It takes doubly stochastic steps: on the t-th batches of B rows x of p and y
// of q, with the features Z of a block,
//
//	f ← (1 − g·nu)·f − g·Z(·)(Z(x)ᵀu + Z(y)ᵀv)/B,   g = g_0/(1 + g_0·nu·t/1.5),
//
// where u_i = −1 and v_i = min(exp f(y_i), 10·g_0/g) for LogRatio, and
// u_i = −1/max(f(x_i), 0.1) and v_i = 1 for PlainRatio; g_0 = 1/(λ + R²/B + 2R²/m) for m
// columns, the mean R² of k(x, x), and the largest eigenvalue λ of the kernel matrix over
// its size, the larger one of p and q. The cap on the exponential keeps
// the first steps from overshooting, and is none in the end. The model is the average of
// the iterates, the t-th of which has weight t. The bandwidth and the ridge that are not
// given are those of FitRatio on the first 500 rows of each kind.
//
// The memory is that of the rows that wait for a step and of the coefficients,
// O(Batch·d + Features), and a row takes O(Features·d) time. How the rows of each kind
// are cut into batches does not change a bit. A row of p takes part in a step together
// with one of q: where rows of one kind come more often than those of the other they
// wait, up to MemoryLimit. FitRatio is more accurate on rows that fit the memory. A
// RatioLearner is not safe for concurrent use. Source: Dai et al., "Scalable kernel
// methods via doubly stochastic gradients", NIPS 2014, section 4 and Algorithm 1.
type RatioLearner struct {
	stream
	form         RatioForm
	above, below waiting // rows of p, rows of q
}

// NewRatioLearner returns a learner. Nil options mean the defaults.
func NewRatioLearner(opts *RatioOptions) (*RatioLearner, error) {
	if opts == nil {
		opts = new(RatioOptions)
	}
	if _, err := opts.common(); err != nil {
		return nil, err
	}
	s, err := (&Options{
		Kernel: opts.Kernel, Sampler: opts.Sampler, Mode: Plain, Ridge: opts.Ridge,
		Features: opts.Features, Columns: opts.Columns, Batch: cmp.Or(opts.Batch, defaultStreamBatch),
		CacheSize: opts.CacheSize, MemoryLimit: opts.MemoryLimit, Seed: opts.Seed, Workers: opts.Workers,
	}).settings(0, true)
	if err != nil {
		return nil, err
	}
	l := &RatioLearner{stream: newStream(s, 1, ratioWarmRows), form: opts.Form}
	if err := l.check(); err != nil {
		return nil, err
	}
	return l, nil
}

// ratioWarmRows is the number of rows of each kind on which bandwidth and ridge are
// chosen.
const ratioWarmRows = 500

// Update takes in rows x (n×d) of p and y (m×d) of q, one of which may be nil for none.
// On an error, which wraps one of package rkhs, the learner is left as it was.
func (l *RatioLearner) Update(x, y mat.Matrix) error {
	if x == nil && y == nil {
		return fmt.Errorf("doublysgd: neither x nor y: %w", rkhs.ErrEmpty)
	}
	next := *l
	if err := next.admitTo(&next.above, "x", x); err != nil {
		return err
	}
	if err := next.admitTo(&next.below, "y", y); err != nil {
		return err
	}
	if err := next.checkMemory(); err != nil {
		return err
	}
	if next.ready() {
		next.p = l.p.clone()
		for next.ready() {
			if err := next.step(next.batch, next.batch); err != nil {
				return err
			}
		}
		next.above, next.below = next.above.clone(), next.below.clone()
	}
	*l = next
	return nil
}

// admitTo lets rows of one kind, if there are any, pass the door and adds them to w.
func (l *RatioLearner) admitTo(w *waiting, name string, m mat.Matrix) error {
	if m == nil {
		return nil
	}
	rows, err := l.admit(name, m)
	if err != nil {
		return err
	}
	l.take(rows)
	*w = w.with(rows, compute.Matrix{}, nil)
	return nil
}

// checkMemory returns rkhs.ErrMemory if the rows that find no other are too many.
func (l *RatioLearner) checkMemory() error {
	n, m := l.above.x.Rows, l.below.x.Rows
	if need := 8 * int64(max(n, m)-min(n, m)) * int64(l.inputs); need > l.s.MemoryLimit {
		return fmt.Errorf("doublysgd: %d rows of x and %d of y wait for others, which takes %s, MemoryLimit is %s: %w",
			n, m, mebibytes(need), mebibytes(l.s.MemoryLimit), rkhs.ErrMemory)
	}
	return nil
}

// ready reports whether there are rows for a step.
func (l *RatioLearner) ready() bool { return min(l.above.x.Rows, l.below.x.Rows) >= l.wanted() }

// begin chooses on the first rows what the options leave open.
func (l *RatioLearner) begin() error {
	x, y := l.first(l.above.x), l.first(l.below.x)
	f := &ratioFit{
		o:    preconditionOptions{kernel: l.s.Kernel, seed: l.s.Seed, workers: l.s.Workers},
		form: l.form, nu: l.s.Ridge, r: monitor.New(context.Background(), nil, "doublysgd"),
	}
	defer f.r.Close()
	if err := f.choose(x, y, stack(x, y)); err != nil {
		return err
	}
	chosen := *l.s
	chosen.Kernel, chosen.Ridge = f.o.kernel, f.nu
	e, err := l.newExpansion(chosen.Kernel, l.inputs)
	if err != nil {
		return err
	}
	l.s, l.p = &chosen, chosen.begin(e, l.columns, 0)
	// At the minimum of LogRatio the second derivatives are w, by which an expectation
	// over q is one over p.
	top, diagonal := largestEigenvalue(chosen.Kernel, x, l.s.Workers)
	other, more := largestEigenvalue(chosen.Kernel, y, l.s.Workers)
	l.p.first = firstRate(max(top, other), max(diagonal, more), l.columns, l.batch)
	if !(l.p.first > 0) {
		return fmt.Errorf("doublysgd: the mean of k(x, x) is %v: %w", max(diagonal, more), rkhs.ErrDiverged)
	}
	return nil
}

// step takes a step on the first n rows of p and m of q that wait and lets them go.
func (l *RatioLearner) step(n, m int) error {
	if l.p == nil {
		if err := l.begin(); err != nil {
			return err
		}
	}
	l.score(&l.above, n)
	l.score(&l.below, m)
	f := stack(compute.Rows(l.above.scores, 0, n), compute.Rows(l.below.scores, 0, m))
	if err := checkScores(f); err != nil {
		return err
	}
	x := stack(compute.Rows(l.above.x, 0, n), compute.Rows(l.below.x, 0, m))
	if err := l.p.take(l.p.along(x, l.descent(f, n))); err != nil {
		return err
	}
	l.above, l.below = l.above.without(n), l.below.without(m)
	return nil
}

// largestExponential is the largest value of an exponential that the first step takes
// for what it is.
const largestExponential = 10

// descent returns −g·l'(f)/B for the scores of rows of which the first n are of p.
func (l *RatioLearner) descent(f compute.Matrix, n int) compute.Matrix {
	g := l.p.rate()
	most := largestExponential * l.p.first / g / float64(f.Rows-n)
	k := ratioProblem{form: l.form, e: f, above: n}
	r := compute.NewMatrix(f.Rows, 1)
	for i, v := range f.Data {
		_, d, _ := k.at(i, v)
		r.Data[i] = -g * min(d, most)
	}
	return r
}

// Model returns what was learned so far: from all rows, those that wait included, for
// which steps are taken that the learner itself does not take. Of the report a stream
// does not know Rest and Error, which are NaN. Before there are rows of both kinds it is
// an error that wraps rkhs.ErrEmpty.
func (l *RatioLearner) Model() (*Ratio, error) {
	c := *l
	c.p, c.above, c.below = l.p.clone(), l.above.clone(), l.below.clone()
	for {
		n, m := c.above.x.Rows, c.below.x.Rows
		if min(n, m) == 0 {
			break
		}
		if min(n, m) > c.batch {
			n, m = c.batch, c.batch
		}
		if err := c.step(n, m); err != nil {
			return nil, err
		}
	}
	if c.p == nil {
		return nil, fmt.Errorf("doublysgd: a ratio of %d rows of x and %d of y: %w", c.above.x.Rows, c.below.x.Rows, rkhs.ErrEmpty)
	}
	m := &Ratio{centred: c.solution(), form: c.form}
	if err := m.f.check(); err != nil {
		return nil, err
	}
	return m, nil
}
