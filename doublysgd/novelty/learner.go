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

// Learner fits the one-class support vector machine to a stream of rows in batches of any
// size. It performs doubly stochastic gradient steps. Step t uses B rows and the features Z
// of one block of m columns:
//
//	v_i = [f(x_i) < r],
//	f ← (1 − g·nu)·f + g·Z(·)Zᵀv/B,
//	r ← r + g·λ·(nu − mean v),   g = g_0/(1 + g_0·nu·t/1.5).
//
// The first rate is g_0 = R²/(2λ + R²/B + 2R²/m). Here R² is the mean of k(x, x), and λ is
// the largest eigenvalue of the Gram matrix divided by its size, which has the magnitude of
// f. The first step sets f to the mean of k(x_i, ·) and r to its quantile. The first 256 rows
// determine λ and, if it is not given, the bandwidth.
//
// The model is the average of the iterates f and r, in which iterate t has weight t. The
// fraction nu of the rows is novel in the iterates. It is somewhat smaller in the average,
// where rows near the margin are inside.
//
// The result does not depend on the batches. Memory is O(Batch·d + Features) for any number
// of rows; time is O(Features·d) per row. Fit is more accurate if the rows fit in memory. A
// Learner is not safe for concurrent use. Source: Dai et al., "Scalable kernel methods via
// doubly stochastic gradients", NIPS 2014, section 4 and Algorithm 1.
type Learner struct {
	stream descent.Stream
	wait   descent.Waiting

	// Set by the first step.
	unit   float64 // λ
	offset float64 // r
	sum    float64 // Σ t·r_t over the steps
}

// warmRows is the number of rows that determine λ and the bandwidth.
const warmRows = 256

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
	return &Learner{stream: s}, nil
}

// made reports whether l is the result of NewLearner or a file.
func (l *Learner) made() bool { return l != nil && l.stream.Outputs > 0 }

// Rows returns the number of rows so far.
func (l *Learner) Rows() int { return model.OrZero(l).stream.Seen }

// Update trains on rows x (n×d). If they are rkhs.Weighted, a step depends on the ratios of
// its weights. On an error, which wraps a sentinel of package rkhs, the learner is unchanged.
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
	next.stream.Count(w.X)
	next.wait = l.wait.With(descent.Waiting{X: w.X, Weights: w.Weights})
	if err := next.stream.Steps(next.step, &next.wait); err != nil {
		return err
	}
	*l = next
	return nil
}

// begin sets the remaining options from the first rows.
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
	// With the factor diagonal the rate is dimensionless: scaling k scales f and r. The step in r
	// adds a constant kernel λ to the Hessian, hence 2·top.
	s.Stepper.First = diagonal * descent.FirstRate(2*top, diagonal, s.Columns, s.Batch)
	return nil
}

// step performs a step on the first waiting rows and removes them.
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

// start performs the first step. All multipliers are nu, their average at the minimum.
func (l *Learner) start(x compute.Points, f compute.Matrix, weights compute.Weights) error {
	r := compute.NewMatrix(x.Rows, 1)
	for i := range r.Data {
		r.Data[i] = weights.At(i) / float64(x.Rows)
	}
	m := l.stream.Stepper.Along(x, r)
	if err := l.stream.Apply(m); err != nil {
		return err
	}
	l.stream.Stepper.Follow(m, f, x)
	l.offset = quantile(f.Data, weights, l.nu())
	return nil
}

// descend performs a gradient step at the scores f.
func (l *Learner) descend(x compute.Points, f compute.Matrix, weights compute.Weights) error {
	g, n := l.stream.Stepper.Rate()/l.stream.Stepper.Shortening(weights), float64(x.Rows)
	r, below := compute.NewMatrix(x.Rows, 1), 0.0
	for i, v := range f.Data {
		if v < l.offset {
			r.Data[i] = g / n * weights.At(i)
			below += weights.At(i)
		}
	}
	if err := l.stream.Apply(l.stream.Stepper.Along(x, r)); err != nil {
		return err
	}
	l.offset += g * l.unit * (l.nu() - below/n)
	return nil
}

// nu returns Options.Nu or its default.
func (l *Learner) nu() float64 { return l.stream.Config.Ridge }

// Model returns the model of all rows so far. It performs steps on the waiting rows in a
// copy of the learner. Report.Residual and Report.Error are NaN. Before the first row the error
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
	return newModel(f, c.sum/c.stream.Stepper.Function.Average.Weight, l.nu(), report)
}
