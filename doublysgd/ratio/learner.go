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

// Learner estimates the density ratio from streams of rows of p and of q. It performs doubly
// stochastic gradient steps. Step t uses B rows x of p, B rows y of q and the features Z of
// one block of m columns:
//
//	f ← (1 − g·nu)·f − g·Z(·)(Z(x)ᵀu + Z(y)ᵀv)/B,   g = g_0/(1 + g_0·nu·t/1.5).
//
// For Log, u_i = −1 and v_i = min(exp f(y_i), 10·g_0/g). For Plain, u_i = −1/max(f(x_i), 0.1)
// and v_i = 1. The cap on the exponential keeps the first steps from overshooting, and it
// grows without bound. The first rate is g_0 = 1/(λ + R²/B + 2R²/m). Here R² is the mean of
// k(x, x), and λ is the largest eigenvalue of the Gram matrix divided by its size; both are
// the larger value of p and q. The model is the average of the iterates, in which iterate t
// has weight t. The first 500 rows of each density select the bandwidth and the ridge if
// they are not given, as in Fit.
//
// Each step pairs rows of p with rows of q. If rows of one density arrive faster they wait,
// up to MemoryLimit. The result does not depend on the batches. Memory is
// O(Batch·d + Features) and the waiting rows; time is O(Features·d) per row. Fit is more
// accurate if the rows fit in memory. A Learner is not safe for concurrent use. Source: Dai
// et al., "Scalable kernel methods via doubly stochastic gradients", NIPS 2014, section 4
// and Algorithm 1.
type Learner struct {
	stream       descent.Stream
	form         Form
	above, below descent.Waiting // waiting rows of p and of q
}

// warmRows is the number of rows of each density that select the bandwidth and the ridge.
const warmRows = 500

// NewLearner returns a learner. Nil options select the defaults. Errors wrap rkhs.ErrOption,
// or rkhs.ErrMemory if the learner could exceed MemoryLimit.
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

// made reports whether l is the result of NewLearner or a file.
func (l *Learner) made() bool { return l != nil && l.stream.Outputs > 0 }

// Rows returns the number of rows of both densities so far.
func (l *Learner) Rows() int { return model.OrZero(l).stream.Seen }

// Update trains on rows x (n×d) of p and y (m×d) of q. Either may be nil, but not both. If
// rows are rkhs.Weighted, a step depends on the ratios of the weights within each density.
// On an error, which wraps a sentinel of package rkhs, the learner is unchanged.
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

// admit validates rows of one density and appends them to w.
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
	l.stream.Count(rows.X)
	*w = w.With(descent.Waiting{X: rows.X, Weights: rows.Weights})
	return nil
}

// checkWaiting returns rkhs.ErrMemory if the unpaired rows exceed the limit.
func (l *Learner) checkWaiting() error {
	n, m := l.above.X.Rows, l.below.X.Rows
	need := 8 * float64(max(n, m)-min(n, m)) * float64(l.stream.Inputs)
	return input.Memory(pkg, fmt.Sprintf("%d rows of x and %d of y that wait for others", n, m), need, l.stream.Config.MemoryLimit)
}

// begin sets the remaining options from the first rows.
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
	// At the minimum of Log the second derivative of the loss is w, and E_q[w·h] = E_p[h].
	top, diagonal := descent.LargestEigenvalue(c.kernel, first.rows.Between(0, first.above), s.Config.Workers)
	other, more := descent.LargestEigenvalue(c.kernel, first.rows.Between(first.above, first.rows.Rows), s.Config.Workers)
	s.Stepper.First = descent.FirstRate(max(top, other), max(diagonal, more), s.Columns, s.Batch)
	if !(s.Stepper.First > 0) {
		return fmt.Errorf("ratio: the mean of k(x, x) is %v: %w", max(diagonal, more), rkhs.ErrDiverged)
	}
	return nil
}

// firstOf returns the waiting rows that initialise the learner.
func firstOf(s *descent.Stream, w descent.Waiting) input.Weighed {
	x := s.First(w.X)
	return input.Weighed{X: x, Weights: w.Weights.Between(0, x.Rows)}
}

// step performs a step on the first waiting rows of each density and removes them.
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
	if err := s.Apply(s.Stepper.Along(some.rows, l.descent(f, some))); err != nil {
		return err
	}
	l.above, l.below = l.above.Without(n), l.below.Without(m)
	return nil
}

// largestExponential is the cap on exp f in the first step.
const largestExponential = 10

// descent returns −g·l'(f)/B for the scores f.
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

// Model returns the model of all rows so far. It performs steps on the waiting rows in a
// copy of the learner. Report.Residual and Report.Error are NaN. The error wraps rkhs.ErrEmpty
// if there are no rows of p or no rows of q.
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
