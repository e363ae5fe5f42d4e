package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Fit trains on the rows of x (n×d) with labels y = ±1, of which there must be
// both. It holds no more of the Gram matrix than CacheBytes. A fit that is
// cancelled or not converged returns the best solution so far together with an
// error that wraps that of ctx or rkhs.ErrNotConverged; labels and options at
// fault return none.
func Fit(ctx context.Context, k kernel.Kernel, x compute.Points, y []float64, o Options) (*Solution, error) {
	list, err := Path(ctx, k, x, y, []float64{cmp.Or(o.C, 1)}, o)
	if len(list) == 0 {
		return nil, err
	}
	return list[0], err
}

// Path is Fit for one C after the other, in the order given, each from the
// solution before it and on one cache; Options.C is not used. Ascending order is
// the fast one. Solutions that did not converge are in the list, and the error is
// that of the first of them; a cancelled path ends with the solution at which it
// stood.
func Path(ctx context.Context, k kernel.Kernel, x compute.Points, y []float64, cs []float64, o Options) ([]*Solution, error) {
	if err := checkLabels(y, x.Rows); err != nil {
		return nil, err
	}
	return path(ctx, k, x, margins(y), cs, o)
}

// path solves a problem for one C after the other.
func path(ctx context.Context, k kernel.Kernel, x compute.Points, p program, cs []float64, o Options) ([]*Solution, error) {
	n := x.Rows
	if n == 0 {
		return nil, fmt.Errorf("svm: no rows: %w", rkhs.ErrEmpty)
	}
	if len(cs) == 0 {
		return nil, fmt.Errorf("svm: no C is given: %w", rkhs.ErrOption)
	}
	o = o.withDefaults(n)
	for _, c := range cs {
		o.C = c
		if err := o.check(n); err != nil {
			return nil, err
		}
	}
	s, err := begin(open(k, x, o), p, o)
	if err != nil {
		return nil, err
	}
	return s.path(ctx, cs)
}

// begin returns a solver that has no bounds yet.
func begin(g gramRows, p program, o Options) (*solver, error) {
	v := newVariables(len(p.linear))
	diag := v.diag[:len(p.linear)/p.copies]
	if p.copies > 1 {
		diag = make([]float64, len(diag))
	}
	g.diagonal(diag)
	for i, k := range diag {
		if k-k != 0 {
			return nil, fmt.Errorf("svm: the kernel of row %d with itself is %v: %w", i, k, rkhs.ErrDiverged)
		}
	}
	for i := range v.diag {
		v.diag[i] = diag[p.row(i)]
	}
	return newSolver(g, v, p, o), nil
}

func (s *solver) path(ctx context.Context, cs []float64) (list []*Solution, err error) {
	for t, c := range cs {
		if t == 0 {
			s.start(c, s.o.Start)
		} else {
			s.next(c / cs[t-1])
		}
		status, violation := s.run(ctx)
		sol := s.solution(c, status, violation)
		list = append(list, sol)
		if ctx.Err() != nil {
			return list, stopped(ctx)
		}
		if err == nil {
			err = sol.err()
		}
	}
	return list, err
}

// stopped wraps the error of ctx and its cause.
func stopped(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("svm: fit stopped: %w: %w", ctx.Err(), cause)
	}
	return fmt.Errorf("svm: fit stopped: %w", ctx.Err())
}

// err returns why the solution is not what was asked for, or nil.
func (s *Solution) err() error {
	if math.IsNaN(s.Objective) || math.IsInf(s.Objective, 0) {
		return fmt.Errorf("svm: C = %v: the objective is %v: %w", s.C, s.Objective, rkhs.ErrDiverged)
	}
	if s.Status != rkhs.Converged {
		return fmt.Errorf("svm: C = %v ended with status %v after %d steps at a violation of %.2g: %w", s.C, s.Status, s.Iterations, s.Violation, rkhs.ErrNotConverged)
	}
	return nil
}
