package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// Options configures a fit. The zero value of each field selects its default.
type Options struct {
	// C is the weight of the losses. Default: 1.
	C float64
	// Weights are positive weights of the rows: C_i = C·w_i. Default: 1.
	Weights []float64
	// Tolerance is the largest violation of the optimality conditions, in units of the margin.
	// Default: 1e-3, as in LIBSVM.
	Tolerance float64
	// Gap is the largest Solution.Relative. The solver lowers its tolerance until the gap is
	// reached. Default: no bound.
	Gap float64
	// MaxIterations bounds the steps on pairs. Default: the larger of 10⁷ and 100·n.
	MaxIterations int
	// CacheBytes bounds the cache of the Gram matrix. A cache holds at least one working set of
	// rows. Default: 256 MiB.
	CacheBytes int64
	// Start is the initial Beta. Values outside the bounds are moved inside. Default: zero.
	Start []float64
	// Workers bounds the goroutines. It does not affect the result. Default: GOMAXPROCS.
	Workers int
	// Report, if not nil, receives the steps and the violation from time to time. FitClasses
	// calls it from several goroutines.
	Report func(steps int, violation float64)
}

func (o Options) withDefaults(n int) Options {
	o.C = cmp.Or(o.C, 1)
	o.Tolerance = cmp.Or(o.Tolerance, 1e-3)
	o.MaxIterations = cmp.Or(o.MaxIterations, max(1e7, 100*n))
	o.CacheBytes = cmp.Or(o.CacheBytes, 256<<20)
	return o
}

// check returns an error if an option is invalid for n rows.
func (o Options) check(n int) error {
	if err := input.Ranges("svm", []input.Field{
		{Name: "C", Value: o.C, OK: positive(o.C)},
		{Name: "Tolerance", Value: o.Tolerance, OK: positive(o.Tolerance)},
		{Name: "Gap", Value: o.Gap, OK: o.Gap == 0 || positive(o.Gap)},
		{Name: "MaxIterations", Value: float64(o.MaxIterations), OK: o.MaxIterations > 0},
		{Name: "CacheBytes", Value: float64(o.CacheBytes), OK: o.CacheBytes > 0},
		{Name: "Workers", Value: float64(o.Workers), OK: o.Workers >= 0},
	}); err != nil {
		return err
	}
	for i, w := range o.Weights {
		if !positive(w) || !positive(w*o.C) {
			return fmt.Errorf("svm: Weights[%d] = %v is out of range: %w", i, w, rkhs.ErrOption)
		}
	}
	if i := slices.IndexFunc(o.Start, func(b float64) bool { return !compute.Finite(b) }); i >= 0 {
		return fmt.Errorf("svm: Start[%d] = %v: %w", i, o.Start[i], rkhs.ErrNotFinite)
	}
	if o.Weights != nil && len(o.Weights) != n || o.Start != nil && len(o.Start) != n {
		return fmt.Errorf("svm: %d Weights and %d Start values for %d rows: %w", len(o.Weights), len(o.Start), n, rkhs.ErrShape)
	}
	return nil
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// checkLabels returns an error unless there are n labels ±1 and both occur.
func checkLabels(y []float64, n int) error {
	if len(y) != n {
		return fmt.Errorf("svm: %d labels for %d rows: %w", len(y), n, rkhs.ErrShape)
	}
	if n == 0 {
		return fmt.Errorf("svm: no rows: %w", rkhs.ErrEmpty)
	}
	for i, v := range y {
		if v != 1 && v != -1 {
			return fmt.Errorf("svm: label %v in row %d is not −1 or 1: %w", v, i, rkhs.ErrLabels)
		}
	}
	if slices.Min(y) == slices.Max(y) {
		return fmt.Errorf("svm: all labels are %v: %w", y[0], rkhs.ErrLabels)
	}
	return nil
}

// Fit trains on the rows of x (n×d) with labels y = ±1. Both labels must occur. If ctx stops a
// fit, or the fit does not converge, it returns the best solution so far with an error that
// wraps the error of ctx or rkhs.ErrNotConverged. Invalid labels and options return no solution.
func Fit(ctx context.Context, k kernel.Kernel, x compute.Points, y []float64, o Options) (*Solution, error) {
	return first(Path(ctx, k, x, y, []float64{cmp.Or(o.C, 1)}, o))
}

// Path is Fit for several C. It starts each from the solution for the previous C, which is fast if
// the C ascend. The error is the error of the first solution without convergence. A cancelled path
// ends with the unfinished solution.
func Path(ctx context.Context, k kernel.Kernel, x compute.Points, y []float64, cs []float64, o Options) ([]*Solution, error) {
	if err := checkLabels(y, x.Rows); err != nil {
		return nil, err
	}
	return path(ctx, k, x, margins(y), cs, o)
}

// PathRegression is Path for targets y. It minimises
//
//	‖f‖²/2 + Σ_i C_i·max(0, |y_i − f(x_i) − b| − epsilon)
//
// and ignores Options.Start. Beta_i is between −C_i and C_i, and the Objective is
// Σ_i y_i·β_i − epsilon·Σ_i |β_i| − ½·βᵀKβ.
func PathRegression(ctx context.Context, k kernel.Kernel, x compute.Points, y []float64, epsilon float64, cs []float64, o Options) ([]*Solution, error) {
	o.Start = nil
	if len(y) != x.Rows {
		return nil, fmt.Errorf("svm: %d targets for %d rows: %w", len(y), x.Rows, rkhs.ErrShape)
	}
	if !(epsilon >= 0) {
		return nil, fmt.Errorf("svm: epsilon = %v is out of range: %w", epsilon, rkhs.ErrOption)
	}
	return path(ctx, k, x, tube(y, epsilon), cs, o)
}

// OneClass minimises
//
//	‖f‖²/2 + Σ_i C_i·max(0, r − f(x_i)) − r,   C_i = w_i/(nu·n),
//
// over f and r = −Bias, with weights w of mean one. It ignores Options.C and Options.Start.
// Beta_i is between 0 and C_i, Σ_i β_i = 1, and the Objective is −½·βᵀKβ.
func OneClass(ctx context.Context, k kernel.Kernel, x compute.Points, nu float64, o Options) (*Solution, error) {
	total := nu * float64(x.Rows)
	o.Start = fill(total, x.Rows, o.Weights)
	return first(path(ctx, k, x, support(x.Rows), []float64{1 / total}, o))
}

// fill returns n variables that sum to 1. The first have their upper bound, the weight over total.
func fill(total float64, n int, weights compute.Weights) []float64 {
	beta, left := make([]float64, n), 1.0
	for i := range beta {
		beta[i] = min(left, weights.At(i)/total)
		left -= beta[i]
	}
	return beta
}

// first returns the first element of a list, or nil.
func first[T any](list []*T, err error) (*T, error) {
	if len(list) == 0 {
		return nil, err
	}
	return list[0], err
}

// path solves p for each C.
func path(ctx context.Context, k kernel.Kernel, x compute.Points, p program, cs []float64, o Options) (list []*Solution, err error) {
	if x.Rows == 0 {
		return nil, fmt.Errorf("svm: no rows: %w", rkhs.ErrEmpty)
	}
	if len(cs) == 0 {
		return nil, fmt.Errorf("svm: no C is given: %w", rkhs.ErrOption)
	}
	o = o.withDefaults(x.Rows)
	for _, c := range cs {
		o.C = c
		if err := o.check(x.Rows); err != nil {
			return nil, err
		}
	}
	s, err := prepare(newGramRows(k, x, o), p, o)
	if err != nil {
		return nil, err
	}
	for t, c := range cs {
		if t == 0 {
			s.start(c, o.Start)
		} else {
			s.next(c / cs[t-1])
		}
		status, violation := s.run(ctx)
		list = append(list, s.solution(c, status, violation))
		if ctx.Err() != nil {
			return list, stopped(ctx)
		}
		err = cmp.Or(err, list[t].err())
	}
	return list, err
}

// prepare returns a solver that has the diagonal of the Gram matrix.
func prepare(g gramRows, p program, o Options) (*solver, error) {
	v := newVariables(len(p.linear))
	diag := make([]float64, len(p.linear)/p.copies)
	g.diagonal(diag)
	for i, k := range diag {
		if !compute.Finite(k) {
			return nil, fmt.Errorf("svm: the kernel of row %d with itself is %v: %w", i, k, rkhs.ErrDiverged)
		}
	}
	for i := range v.diag {
		v.diag[i] = diag[p.row(i)]
	}
	return newSolver(g, v, p, o), nil
}

// stopped wraps the error of ctx and its cause.
func stopped(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("svm: fit stopped: %w: %w", ctx.Err(), cause)
	}
	return fmt.Errorf("svm: fit stopped: %w", ctx.Err())
}

// err returns the reason why the solution did not converge, or nil.
func (s *Solution) err() error {
	if math.IsNaN(s.Objective) || math.IsInf(s.Objective, 0) {
		return fmt.Errorf("svm: C = %v: the objective is %v: %w", s.C, s.Objective, rkhs.ErrDiverged)
	}
	if s.Status != rkhs.Converged {
		return fmt.Errorf("svm: C = %v ended with status %v after %d steps at a violation of %.2g: %w",
			s.C, s.Status, s.Iterations, s.Violation, rkhs.ErrNotConverged)
	}
	return nil
}
