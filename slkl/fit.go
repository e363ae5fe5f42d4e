package slkl

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Fit learns from rows x (n×d) and targets y (n×q), one regression for each
// column of y. Nil options mean the defaults.
//
// It takes one pass over the rows, O(n·M·(d + M)) time and O(M²) memory for M
// columns, and then solves the problem, whose size does not depend on n. A fit
// that is cancelled, stopped by the Recorder or not converged returns its best
// model together with the error; data and options at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	xs, ys, err := door.Pair("slkl", x, y)
	if err != nil {
		return nil, err
	}
	cols, err := s.columns(x)
	if err != nil {
		return nil, err
	}
	if err := checkKernels(cols.kernels, xs); err != nil {
		return nil, err
	}
	r := monitor.New(ctx, s.Recorder, "slkl")
	defer r.Close()
	if s.LowMemory {
		return fitLowMemory(s, cols, xs, ys, r)
	}
	a, err := newAccumulator(s, cols, ys.Cols)
	if err != nil {
		return nil, err
	}
	a.take(xs, ys, r)
	f, err := newFit(a, r)
	if err != nil {
		return nil, err
	}
	return f.solve()
}

// columns draws the landmarks and sets the kernels.
func (s *settings) columns(x mat.Matrix) (*columns, error) {
	kernels, err := s.baseKernels(x)
	if err != nil {
		return nil, err
	}
	points, err := s.landmarks(x)
	if err != nil {
		return nil, err
	}
	if err := checkKernels(kernels, points); err != nil {
		return nil, err
	}
	return newColumns(s, kernels, points), nil
}

// fit is one run of the solvers on the rows of an accumulator.
type fit struct {
	*Accumulator
	r     *monitor.Monitor
	total *moments
	tasks []*task
}

func newFit(a *Accumulator, r *monitor.Monitor) (*fit, error) {
	f := &fit{Accumulator: a, r: r, total: a.parts[0]}
	if len(a.parts) > 1 {
		f.total = newMoments(a.cols.count(), len(a.parts[0].meanY))
		for _, p := range a.parts {
			f.total.merge(p)
		}
	}
	p := f.total.problem(!a.s.NoIntercept)
	if err := p.check(); err != nil {
		return nil, err
	}
	f.tasks = p.tasks(a.s)
	if len(f.tasks) == 1 {
		f.tasks[0].workers = a.s.Workers
	}
	return f, nil
}

// solve chooses nu where it is not given and solves every task.
func (f *fit) solve() (*Model, error) {
	nu := make([]float64, len(f.tasks))
	for i := range nu {
		nu[i] = f.s.Nu * f.s.Lambda
	}
	if f.s.Nu == 0 {
		nu = f.chooseNu()
	}
	return f.at(nu)
}

// at solves every task for its lam·nu, tasks side by side.
func (f *fit) at(nu []float64) (*Model, error) {
	reports := make([]Report, len(f.tasks))
	compute.Parallel(len(f.tasks), f.s.Workers, func(i int) {
		reports[i] = f.tasks[i].solve(nu[i], f.s.Tolerance, f.r).withLambda(f.s.Lambda)
	})
	m := newModel(f.s, f.cols, f.tasks, f.everything(), f.total.meanC, f.total.meanY, reports)
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, unfinished(f.r, reports, f.s.Epsilon)
}

// path solves for one nu after another.
func (f *fit) path(nu []float64) ([]*Model, error) {
	var models []*Model
	for _, v := range nu {
		all := make([]float64, len(f.tasks))
		for i := range all {
			all[i] = v * f.s.Lambda
		}
		m, err := f.at(all)
		models = append(models, m)
		if err != nil {
			return models, err
		}
	}
	return models, nil
}

// everything lists all columns.
func (f *fit) everything() []int {
	set := make([]int, f.cols.count())
	for m := range set {
		set[m] = m
	}
	return set
}
