package novelty

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Learner learns from a stream of rows, in batches of any size, what
// Fit learns from rows at hand. It takes doubly stochastic steps: on the t-th
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
// time. How the rows are cut into batches does not change a bit. Fit is more
// accurate on rows that fit the memory. A Learner is not safe for concurrent
// use. Source: Dai et al., "Scalable kernel methods via doubly stochastic gradients",
// NIPS 2014, section 4 and Algorithm 1.
type Learner struct {
	stream descent.Stream
	wait   descent.Waiting

	// Known from the first step on.
	unit   float64 // λ
	offset float64 // r
	sum    float64 // Σ t·r_t over the steps
}

// warmRows is the number of rows by which λ and the bandwidth are chosen.
const warmRows = 256

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
	return &Learner{stream: s}, nil
}

// made reports whether l is of NewLearner or a file.
func (l *Learner) made() bool { return l != nil && l.stream.Outputs > 0 }

// Rows returns the number of rows taken in.
func (l *Learner) Rows() int { return model.OrZero(l).stream.Seen }

// Update takes in rows x (n×d); those of a step count by the ratios of their weights, if they
// are rkhs.Weighted. On an error, which wraps one of package rkhs, the
// learner is left as it was.
func (l *Learner) Update(x mat.Matrix) error {
	if err := input.Fitted(pkg, "Update", l.made()); err != nil {
		return err
	}
	w, err := input.WeighedRows(pkg, input.Points, "x", x)
	if err != nil {
		return err
	}
	if err := l.stream.Admit("x", w.X); err != nil {
		return err
	}
	next := *l
	next.stream.Take(w.X)
	next.wait = l.wait.With(descent.Waiting{X: w.X, Weights: w.Weights})
	if err := next.stream.Steps(next.step, &next.wait); err != nil {
		return err
	}
	*l = next
	return nil
}

// begin chooses on the first rows what the options leave open.
func (l *Learner) begin() error {
	s := &l.stream
	x := s.First(l.wait.X)
	k, f, err := s.Prepare(x)
	if err != nil {
		return err
	}
	top, diagonal := descent.LargestEigenvalue(k, x, s.Config.Workers)
	if !(diagonal > 0) || !compute.Finite(diagonal) || !compute.Finite(top) {
		return fmt.Errorf("novelty: the mean of k(x, x) is %v: %w", diagonal, rkhs.ErrDiverged)
	}
	s.Stepper, l.unit = s.Config.Start(f, s.Columns, 0), top
	// The steps have no unit: a multiple of k has the same multiple of f and of r. What
	// r adds to the Hessian is a constant kernel λ.
	s.Stepper.First = diagonal * descent.FirstRate(2*top, diagonal, s.Columns, s.Batch)
	return nil
}

// step takes a step on the first rows that wait and lets them go.
func (l *Learner) step(most int) error {
	n := min(most, l.wait.X.Rows)
	if l.stream.Stepper == nil {
		if err := l.begin(); err != nil {
			return err
		}
	}
	if err := l.stream.Score(&l.wait, n); err != nil {
		return err
	}
	x, f := l.wait.X.Between(0, n), compute.Rows(l.wait.Scores, 0, n)
	advance := l.descend
	if l.stream.Stepper.Steps == 0 {
		advance = l.start
	}
	if err := advance(x, f, input.MeanOne(l.wait.Weights.Between(0, n))); err != nil {
		return err
	}
	if !compute.Finite(l.offset) {
		return fmt.Errorf("novelty: the offset is %v: %w", l.offset, rkhs.ErrDiverged)
	}
	l.sum += float64(l.stream.Stepper.Steps) * l.offset
	l.wait = l.wait.Without(n)
	return nil
}

// start takes the first step: the multipliers of all rows are nu, as they are on
// average at the minimum.
func (l *Learner) start(x compute.Points, f compute.Matrix, weights compute.Weights) error {
	r := compute.NewMatrix(x.Rows, 1)
	for i := range r.Data {
		r.Data[i] = weights.At(i) / float64(x.Rows)
	}
	m := l.stream.Stepper.Along(x, r)
	if err := l.stream.Move(m); err != nil {
		return err
	}
	l.stream.Stepper.Follow(m, f, x)
	l.offset = quantile(f.Data, weights, l.fraction())
	return nil
}

// descend takes the step of the gradient at scores f.
func (l *Learner) descend(x compute.Points, f compute.Matrix, weights compute.Weights) error {
	g, n := l.stream.Stepper.Rate()/l.stream.Stepper.Shortening(weights), float64(x.Rows)
	r, below := compute.NewMatrix(x.Rows, 1), 0.0
	for i, v := range f.Data {
		if v < l.offset {
			r.Data[i] = g / n * weights.At(i)
			below += weights.At(i)
		}
	}
	if err := l.stream.Move(l.stream.Stepper.Along(x, r)); err != nil {
		return err
	}
	l.offset += g * l.unit * (l.fraction() - below/n)
	return nil
}

// fraction returns nu.
func (l *Learner) fraction() float64 { return l.stream.Config.Ridge }

// Model returns what was learned so far: from all rows, those that wait included, for
// which steps are taken that the learner itself does not take. Of the report a stream
// does not know Rest and Error, which are NaN. Before the first row it is an error that
// wraps rkhs.ErrEmpty.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	if err := input.Fitted(pkg, "Model", l.made()); err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	if l.stream.Seen == 0 {
		return nil, fmt.Errorf("novelty: a model of no rows: %w", rkhs.ErrEmpty)
	}
	c := *l
	if err := c.stream.Drain(ctx, c.step, &c.wait); err != nil {
		return nil, err
	}
	f, report := descent.StreamedFunction(&c.stream)
	return newModel(f, c.sum/c.stream.Stepper.Function.Average.Weight, l.fraction(), report)
}
