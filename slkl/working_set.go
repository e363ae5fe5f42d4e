package slkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// workingSet fits with LowMemory, without CᵀC. It stores the columns of a working set. In each
// iteration it solves the problem on them, recomputes the correlations of all columns with the
// residual, and adds the columns that violate their optimality condition most. It ends if no column
// does. Columns without weight leave. Memory is O(n·m0 + m0²); a round costs O(n·M·d).
type workingSet struct {
	settings *settings
	columns  *columns
	x        compute.Points
	y        compute.Matrix // centred with an intercept, times √weights
	weights  compute.Weights
	monitor  *progress.Monitor

	meanY    []float64
	set      []int          // ascending
	c        compute.Matrix // n×|set|, the columns, treated like y
	meanC    []float64
	problems []*lasso.Problem // on the working set
	reports  []OutputReport
}

func newWorkingSet(s *settings, cols *columns, k task, r *progress.Monitor) *workingSet {
	cols.normalise()
	l := &workingSet{settings: s, columns: cols, x: k.x, y: compute.Clone(k.y), weights: k.weights, monitor: r}
	l.meanY = l.prepare(l.y)
	return l
}

// prepare centres the columns of m if there is an intercept, multiplies the rows by √weights, and
// returns the means.
func (l *workingSet) prepare(m compute.Matrix) []float64 {
	mean := make([]float64, m.Cols)
	if !l.settings.NoIntercept && m.Cols > 0 {
		mean = centre(m, l.weights, l.settings.Workers)
	}
	l.weights.ScaleByRoots(m)
	return mean
}

func (l *workingSet) fit() (*Model, error) {
	if err := l.hold(nil); err != nil {
		return nil, err
	}
	l.reports = make([]OutputReport, len(l.problems))
	done := false
	for round := 0; ; round++ {
		before := l.objective()
		g, err := l.certify(round)
		if err != nil {
			return nil, err
		}
		done = !slices.ContainsFunc(l.reports, func(r OutputReport) bool { return !l.meets(r) })
		if l.settings.Epsilon > 0 && round > 1 {
			done = before-l.objective() <= l.settings.Epsilon*before
		}
		next := l.next(g)
		if done || l.monitor.Stopped() || slices.Equal(next, l.set) {
			break
		}
		columns := fmt.Sprintf("%d active columns", len(next))
		n, m := float64(l.x.Rows), float64(len(next))
		if err := input.Memory(pkg, columns, 8*(n*m+6*m*m), l.settings.MemoryLimit); err != nil {
			m, _ := l.model()
			return m, err
		}
		if err := l.hold(next); err != nil {
			return nil, err
		}
		l.solve()
	}
	for i := range l.reports {
		r := &l.reports[i]
		limit := r.Status == rkhs.IterationLimit
		r.Status = lasso.Outcome(l.monitor, l.meets(*r) || done && !limit, limit)
	}
	m, err := l.model()
	if err != nil {
		return nil, err
	}
	return m, l.settings.unfinished(l.monitor, l.reports, l.problems)
}

func (l *workingSet) model() (*Model, error) {
	w := solution{columns: l.columns, set: l.set, meanC: l.meanC, meanY: l.meanY, problems: l.problems}
	return newModel(l.settings, w, l.reports)
}

// objective returns the sum of the objectives of all problems.
func (l *workingSet) objective() float64 {
	sum := 0.0
	for _, r := range l.reports {
		sum += r.Objective
	}
	return sum
}

func (l *workingSet) meets(r OutputReport) bool { return r.Gap <= l.settings.Tolerance*r.Objective }

// hold sets the working set and keeps the weights of columns that stay.
func (l *workingSet) hold(set []int) error {
	old, before := l.set, l.problems
	l.set = set
	l.c = compute.NewMatrix(l.x.Rows, len(set))
	l.columns.fill(l.c, l.x, set)
	l.meanC = l.prepare(l.c)
	products := newMoments(len(set), l.y.Cols)
	products.addProducts(l.c, l.y, l.settings.Workers)
	sums := products.sums(true) // l.c and l.y are centred
	if err := sums.Check(); err != nil {
		return err
	}
	l.problems = l.settings.problems(sums, 0)
	for i, p := range before {
		for j, m := range old {
			if k, ok := slices.BinarySearch(set, m); ok {
				l.problems[i].Mu[k] = p.Mu[j]
				copy(compute.Row(l.problems[i].W, k), compute.Row(p.W, j))
			}
		}
	}
	return nil
}

// solve solves the problems on the working set.
func (l *workingSet) solve() {
	results := make([]lasso.Result, len(l.problems))
	compute.Parallel(len(l.problems), l.settings.Workers, func(i int) {
		results[i] = l.problems[i].Solve(l.settings.Penalty*l.settings.Ridge, l.settings.Tolerance/2, l.monitor)
	})
	for i, r := range results {
		rep := &l.reports[i]
		rep.ModelOrder = r.ModelOrder
		rep.Steps += r.Steps
		rep.Solves += r.Solves
		rep.Refactorisations += r.Refactorisations
		rep.Status = r.Status
	}
}

// certify certifies the current weights among all M columns and returns the correlations of all
// columns with the residual, M×q.
func (l *workingSet) certify(round int) (compute.Matrix, error) {
	residual := l.residual()
	g := compute.NewMatrix(l.columns.count(), l.y.Cols)
	weighed := compute.Clone(residual) // correlate uses columns without √weights
	l.weights.ScaleByRoots(weighed)
	l.columns.correlate(g, l.x, weighed)
	if err := lasso.CheckSums(g.Data); err != nil {
		return g, err
	}
	for i, p := range l.problems {
		rep := &l.reports[i]
		gp, r, y := p.Outputs(g), p.Outputs(residual), p.Outputs(l.y)
		if round == 0 {
			largest := 0.0
			for m := range gp.Rows {
				largest = max(largest, blas64.Nrm2(compute.RowVector(gp, m)))
			}
			*rep = newOutputReport(l.settings.Penalty*l.settings.Ridge, largest*largest, l.settings.Ridge, lasso.Result{})
		}
		rr, yr := 0.0, 0.0
		for i := range r.Rows {
			rr += blas64.Dot(compute.RowVector(r, i), compute.RowVector(r, i))
			yr += blas64.Dot(compute.RowVector(r, i), compute.RowVector(y, i))
		}
		w := compute.NewMatrix(l.columns.count(), p.W.Cols)
		for j, m := range l.set {
			copy(compute.Row(w, m), compute.Row(p.W, j))
		}
		c := lasso.Certify(w, gp, rr, yr, l.tau(i))
		rep.certify(c)
		l.monitor.Report(c.Progress(round, len(l.set)))
	}
	return g, nil
}

// tau returns √(lam·nu) of problem i.
func (l *workingSet) tau(i int) float64 { return math.Sqrt(l.settings.Ridge * l.reports[i].Penalty) }

// residual returns Y − CW, times √weights.
func (l *workingSet) residual() compute.Matrix {
	r := compute.Clone(l.y)
	if len(l.set) == 0 {
		return r
	}
	w := compute.NewMatrix(len(l.set), l.y.Cols)
	for _, p := range l.problems {
		compute.CopyTo(p.Outputs(w), p.W)
	}
	blas64.Scal(-1, compute.Vector(w.Data))
	compute.MulNN(r, l.c, w, l.settings.Workers)
	return r
}

// next returns the next working set: the columns with weight, and the same number of other columns that
// violate their condition ‖g_m‖ ≤ tau most.
func (l *workingSet) next(g compute.Matrix) []int {
	violation := make([]float64, l.columns.count()) // in units of tau, the largest of all problems
	for i, p := range l.problems {
		gp, tau := p.Outputs(g), l.tau(i)
		for m := range violation {
			violation[m] = max(violation[m], blas64.Nrm2(compute.RowVector(gp, m))/tau-1)
		}
	}
	var set, out []int
	for j, m := range l.set {
		if weighted(l.problems, j) {
			set = append(set, m)
			violation[m] = 0
		}
	}
	for m, v := range violation {
		if v > 0 {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(i, j int) int {
		return cmp.Or(cmp.Compare(violation[j], violation[i]), cmp.Compare(i, j))
	})
	set = append(set, out[:min(len(out), max(32, len(set)))]...)
	slices.Sort(set)
	return set
}
