package slkl

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
)

// lowMemory solves the problem without CᵀC: it holds the columns of a working
// set, solves the problem on them, computes the correlation of every other
// column with the residual on the fly, and lets those enter that violate their
// optimality condition most, until none does. Columns that lose their weight
// leave. Memory is O(n·m0 + m0²); a round costs O(n·M·d).
type lowMemory struct {
	s    *settings
	cols *columns
	x, y compute.Matrix // y about its mean when there is an intercept
	r    *monitor.Monitor

	meanY   []float64
	set     []int          // the working set, ascending
	c       compute.Matrix // n×|set|, its columns, about their means like y
	meanC   []float64
	tasks   []*task // on the working set
	reports []Report
}

// fitLowMemory is Fit for the option LowMemory.
func fitLowMemory(s *settings, cols *columns, x, y compute.Matrix, r *monitor.Monitor) (*Model, error) {
	l := &lowMemory{s: s, cols: cols, x: x, y: compute.NewMatrix(y.Rows, y.Cols), r: r, meanY: make([]float64, y.Cols)}
	for i := range y.Rows {
		copy(row(l.y, i), row(y, i))
	}
	if !s.NoIntercept {
		l.meanY = centre(l.y, s.Workers)
	}
	return l.run()
}

func (l *lowMemory) run() (*Model, error) {
	if err := l.hold(nil); err != nil {
		return nil, err
	}
	l.reports = make([]Report, len(l.tasks))
	done := false
	for round := 0; ; round++ {
		before := l.objective()
		var next []int
		var err error
		if next, done, err = l.review(round); err != nil {
			return nil, err
		}
		if l.s.Epsilon > 0 && round > 1 {
			done = before-l.objective() <= l.s.Epsilon*before
		}
		if done || l.r.Stopped() || slices.Equal(next, l.set) {
			break
		}
		if err := l.room(len(next)); err != nil {
			return l.model(), err
		}
		if err := l.hold(next); err != nil {
			return nil, err
		}
		l.solve()
	}
	for i := range l.reports {
		rep := &l.reports[i]
		limit := rep.Status == rkhs.IterationLimit
		rep.Status = outcome(l.r, l.meets(rep) || done && !limit, limit)
	}
	m := l.model()
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, unfinished(l.r, l.reports, 0)
}

// objective is the sum over the tasks.
func (l *lowMemory) objective() float64 {
	sum := 0.0
	for _, r := range l.reports {
		sum += r.Objective
	}
	return sum
}

func (l *lowMemory) meets(r *Report) bool { return r.Gap <= l.s.Tolerance*r.Objective }

// solve minimises on the working set.
func (l *lowMemory) solve() {
	inner := make([]Report, len(l.tasks))
	compute.Parallel(len(l.tasks), l.s.Workers, func(i int) {
		inner[i] = l.tasks[i].solve(l.s.Nu*l.s.Lambda, l.s.Tolerance/2, l.r)
	})
	for i, in := range inner {
		rep := &l.reports[i]
		rep.ModelOrder = in.ModelOrder
		rep.Steps += in.Steps
		rep.Solves += in.Solves
		rep.Refactorisations += in.Refactorisations
		rep.Status = in.Status
	}
}

func (l *lowMemory) model() *Model {
	return newModel(l.s, l.cols, l.tasks, l.set, l.meanC, l.meanY, l.reports)
}

// room refuses a working set that would not fit.
func (l *lowMemory) room(columns int) error {
	n, m := int64(l.x.Rows), int64(columns)
	if need := 8 * (n*m + 6*m*m); need > l.s.MemoryLimit {
		return fmt.Errorf("slkl: %d active columns need %s, MemoryLimit is %s: %w", m, mebibytes(need), mebibytes(l.s.MemoryLimit), rkhs.ErrMemory)
	}
	return nil
}

// hold makes the working set the given columns, keeping weights.
func (l *lowMemory) hold(set []int) error {
	old, oldTasks := l.set, l.tasks
	l.set = set
	l.c = compute.NewMatrix(l.x.Rows, len(set))
	l.cols.fillSome(l.c, l.x, set)
	l.meanC = make([]float64, len(set))
	if !l.s.NoIntercept && len(set) > 0 {
		l.meanC = centre(l.c, l.s.Workers)
	}
	p := l.problem()
	if err := p.check(); err != nil {
		return err
	}
	l.tasks = p.tasks(l.s)
	for i, t := range oldTasks {
		for j, m := range old {
			if k, ok := slices.BinarySearch(set, m); ok {
				l.tasks[i].mu[k] = t.mu[j]
				copy(row(l.tasks[i].w, k), row(t.w, j))
			}
		}
	}
	return nil
}

func (l *lowMemory) problem() *problem {
	k := len(l.set)
	p := &problem{p: compute.NewMatrix(k, k), cy: compute.NewMatrix(k, l.y.Cols), yy: make([]float64, l.y.Cols)}
	if k > 0 {
		compute.AddGram(p.p, l.c, l.s.Workers)
		compute.MulTN(p.cy, l.c, l.y, l.s.Workers)
	}
	mirror(p.p)
	for i := range l.y.Rows {
		for o, v := range row(l.y, i) {
			p.yy[o] += v * v
		}
	}
	return p
}
