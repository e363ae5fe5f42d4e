package ratio

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Learner learns from streams of rows of p and of q what Fit learns from rows
// at hand. It takes doubly stochastic steps: on the t-th batches of B rows x of p and y
// of q, with the features Z of a block,
//
//	f ← (1 − g·nu)·f − g·Z(·)(Z(x)ᵀu + Z(y)ᵀv)/B,   g = g_0/(1 + g_0·nu·t/1.5),
//
// where u_i = −1 and v_i = min(exp f(y_i), 10·g_0/g) for Log, and
// u_i = −1/max(f(x_i), 0.1) and v_i = 1 for Plain; g_0 = 1/(λ + R²/B + 2R²/m) for m
// columns, the mean R² of k(x, x), and the largest eigenvalue λ of the kernel matrix over
// its size, the larger one of p and q. The cap on the exponential keeps
// the first steps from overshooting, and is none in the end. The model is the average of
// the iterates, the t-th of which has weight t. The bandwidth and the ridge that are not
// given are those of Fit on the first 500 rows of each kind.
//
// The memory is that of the rows that wait for a step and of the coefficients,
// O(Batch·d + Features), and a row takes O(Features·d) time. How the rows of each kind
// are cut into batches does not change a bit. A row of p takes part in a step together
// with one of q: where rows of one kind come more often than those of the other they
// wait, up to MemoryLimit. Fit is more accurate on rows that fit the memory. A
// Learner is not safe for concurrent use. Source: Dai et al., "Scalable kernel
// methods via doubly stochastic gradients", NIPS 2014, section 4 and Algorithm 1.
type Learner struct {
	stream       descent.Stream
	form         Form
	above, below descent.Waiting // rows of p, rows of q
}

// warmRows is the number of rows of each kind on which bandwidth and ridge are chosen.
const warmRows = 500

// NewLearner returns a learner. Nil options mean the defaults. Errors wrap rkhs.ErrOption
// or, for a learner that may come to hold more than MemoryLimit, rkhs.ErrMemory.
func NewLearner(opts *Options) (*Learner, error) {
	o, err := opts.checked()
	if err != nil {
		return nil, err
	}
	if err := o.refuse(true); err != nil {
		return nil, err
	}
	s, err := descent.NewStream(o.config(), 1, warmRows)
	if err != nil {
		return nil, err
	}
	return &Learner{stream: s, form: o.Form}, nil
}

// made reports whether l is of NewLearner or a file.
func (l *Learner) made() bool { return l != nil && l.stream.Outputs > 0 }

// Rows returns the number of rows taken in, of both kinds.
func (l *Learner) Rows() int { return model.OrZero(l).stream.Seen }

// Update takes in rows x (n×d) of p and y (m×d) of q, one of which may be nil for none. Those
// of a kind in a step count by the ratios of their weights, if they are rkhs.Weighted.
// On an error, which wraps one of package rkhs, the learner is left as it was.
func (l *Learner) Update(x, y mat.Matrix) error {
	if err := input.Fitted(pkg, "Update", l.made()); err != nil {
		return err
	}
	if x == nil && y == nil {
		return fmt.Errorf("ratio: neither x nor y: %w", rkhs.ErrEmpty)
	}
	next := *l
	if err := next.admit(&next.above, "x", x); err != nil {
		return err
	}
	if err := next.admit(&next.below, "y", y); err != nil {
		return err
	}
	if err := next.checkWaiting(); err != nil {
		return err
	}
	if err := next.stream.Steps(next.step, &next.above, &next.below); err != nil {
		return err
	}
	*l = next
	return nil
}

// admit lets rows of one kind, if there are any, pass validation and adds them to w.
func (l *Learner) admit(w *descent.Waiting, name string, m mat.Matrix) error {
	if m == nil {
		return nil
	}
	rows, err := input.WeighedRows(pkg, input.Points, name, m)
	if err != nil {
		return err
	}
	if err := l.stream.Admit(name, rows.X); err != nil {
		return err
	}
	l.stream.Take(rows.X)
	*w = w.With(descent.Waiting{X: rows.X, Weights: rows.Weights})
	return nil
}

// checkWaiting returns rkhs.ErrMemory if the rows that find no other are too many.
func (l *Learner) checkWaiting() error {
	n, m := l.above.X.Rows, l.below.X.Rows
	need := 8 * float64(max(n, m)-min(n, m)) * float64(l.stream.Inputs)
	return input.Memory(pkg, fmt.Sprintf("%d rows of x and %d of y that wait for others", n, m), need, l.stream.Config.MemoryLimit)
}

// begin chooses on the first rows what the options leave open.
func (l *Learner) begin() error {
	s := &l.stream
	first := stack(firstOf(s, l.above), firstOf(s, l.below))
	o := &Options{Form: l.form, Kernel: s.Config.Kernel, Ridge: s.Config.Ridge, Seed: s.Config.Seed, Workers: s.Config.Workers}
	c, err := find(o, first, progress.New(context.Background(), nil, pkg))
	if err != nil {
		return err
	}
	s.Config.Kernel, s.Config.Ridge = c.kernel, c.ridge
	f, err := s.Zero(c.kernel)
	if err != nil {
		return err
	}
	s.Stepper = s.Config.Start(f, s.Columns, 0)
	// At the minimum of Log the second derivatives are w, by which an expectation
	// over q is one over p.
	top, diagonal := descent.LargestEigenvalue(c.kernel, first.rows.Between(0, first.above), s.Config.Workers)
	other, more := descent.LargestEigenvalue(c.kernel, first.rows.Between(first.above, first.rows.Rows), s.Config.Workers)
	s.Stepper.First = descent.FirstRate(max(top, other), max(diagonal, more), s.Columns, s.Batch)
	if !(s.Stepper.First > 0) {
		return fmt.Errorf("ratio: the mean of k(x, x) is %v: %w", max(diagonal, more), rkhs.ErrDiverged)
	}
	return nil
}

// firstOf returns those of the rows that wait which the first step may go by.
func firstOf(s *descent.Stream, w descent.Waiting) input.Weighed {
	x := s.First(w.X)
	return input.Weighed{X: x, Weights: w.Weights.Between(0, x.Rows)}
}

// step takes a step on the first rows of either kind that wait and lets them go.
func (l *Learner) step(most int) error {
	s, n, m := &l.stream, min(most, l.above.X.Rows), min(most, l.below.X.Rows)
	if s.Stepper == nil {
		if err := l.begin(); err != nil {
			return err
		}
	}
	if err := s.Score(&l.above, n); err != nil {
		return err
	}
	if err := s.Score(&l.below, m); err != nil {
		return err
	}
	f := compute.Stack(compute.Rows(l.above.Scores, 0, n), compute.Rows(l.below.Scores, 0, m))
	some := stack(input.Weighed{X: l.above.X.Between(0, n), Weights: l.above.Weights.Between(0, n)},
		input.Weighed{X: l.below.X.Between(0, m), Weights: l.below.Weights.Between(0, m)})
	if err := s.Move(s.Stepper.Along(some.rows, l.descent(f, some))); err != nil {
		return err
	}
	l.above, l.below = l.above.Without(n), l.below.Without(m)
	return nil
}

// largestExponential is the largest value of an exponential that the first step takes
// for what it is.
const largestExponential = 10

// descent returns −g·l'(f)/B for the scores of rows.
func (l *Learner) descent(f compute.Matrix, of samples) compute.Matrix {
	g := l.stream.Stepper.Rate()
	most := largestExponential * l.stream.Stepper.First / g / float64(f.Rows-of.above)
	p := problem{form: l.form, e: f, above: of.above, weights: of.weights}
	r, length := compute.NewMatrix(f.Rows, 1), -g/l.stream.Stepper.Shortening(of.weights)
	for i, v := range f.Data {
		_, d, _ := p.at(i, v)
		r.Data[i] = length * min(d, most*of.weights.At(i))
	}
	return r
}

// Model returns what was learned so far: from all rows, those that wait included, for
// which steps are taken that the learner itself does not take. Of the report a stream
// does not know Rest and Error, which are NaN. Before there are rows of both kinds it is
// an error that wraps rkhs.ErrEmpty.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	if err := input.Fitted(pkg, "Model", l.made()); err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	c := *l
	if err := c.stream.Drain(ctx, c.step, &c.above, &c.below); err != nil {
		return nil, err
	}
	if c.stream.Stepper == nil {
		return nil, fmt.Errorf("ratio: a ratio of %d rows of x and %d of y: %w", c.above.X.Rows, c.below.X.Rows, rkhs.ErrEmpty)
	}
	f, report := descent.StreamedFunction(&c.stream)
	return newModel(f, c.form, report)
}
