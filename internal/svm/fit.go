package svm

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// Fit trains on the rows of x (n×d) with labels y = ±1, of which there must be
// both. It never holds the Gram matrix, but for CacheBytes. A fit that is
// cancelled or not converged returns the best solution so far together with an
// error that wraps that of ctx or rkhs.ErrNotConverged; labels and options at
// fault return none.
func Fit(ctx context.Context, k kernel.Kernel, x blas64.General, y []float64, o Options) (*Solution, error) {
	return only(Path(ctx, k, x, y, []float64{o.C}, o))
}

// FitGram is Fit for a Gram matrix (n×n, both triangles) in memory.
func FitGram(ctx context.Context, gram blas64.General, y []float64, o Options) (*Solution, error) {
	return only(PathGram(ctx, gram, y, []float64{o.C}, o))
}

func only(list []*Solution, err error) (*Solution, error) {
	if len(list) == 0 {
		return nil, err
	}
	return list[0], err
}

// Path is Fit for one C after the other, in the order given, each from the
// solution before it and on one cache; Options.C is not used. Ascending order is the fast one.
// Solutions that did not converge are in the list; a cancelled path
// ends with the solution at which it stood.
func Path(ctx context.Context, k kernel.Kernel, x blas64.General, y []float64, cs []float64, o Options) ([]*Solution, error) {
	return path(ctx, x.Rows, y, cs, o, func(o Options) gramRows { return open(k, x, o) })
}

// PathGram is Path for a Gram matrix (n×n, both triangles) in memory.
func PathGram(ctx context.Context, gram blas64.General, y []float64, cs []float64, o Options) ([]*Solution, error) {
	if gram.Rows != gram.Cols {
		return nil, fmt.Errorf("svm: the Gram matrix is %d×%d: %w", gram.Rows, gram.Cols, rkhs.ErrShape)
	}
	return path(ctx, gram.Rows, y, cs, o, func(Options) gramRows { return &stored{gram: gram} })
}

func path(ctx context.Context, n int, y, cs []float64, o Options, source func(Options) gramRows) ([]*Solution, error) {
	if err := checkLabels(y, n); err != nil {
		return nil, err
	}
	for _, c := range cs {
		o.C = c
		o = o.withDefaults(n)
		if err := o.check(n); err != nil {
			return nil, err
		}
	}
	if len(cs) == 0 {
		return nil, nil
	}
	s := newSolver(source(o), y, o)
	var list []*Solution
	var unfinished error
	for _, c := range cs {
		if c == 0 {
			c = 1
		}
		s.begin(c)
		status, violation := s.run(ctx)
		list = append(list, s.solution(c, status, violation))
		if ctx.Err() != nil {
			return list, fmt.Errorf("svm: fit stopped: %w", context.Cause(ctx))
		}
		if status != rkhs.Converged && unfinished == nil {
			unfinished = fmt.Errorf("svm: C = %v ended with status %v after %d steps at a violation of %.2g: %w", c, status, s.steps, violation, rkhs.ErrNotConverged)
		}
	}
	return list, unfinished
}
