package slkl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/slkl/internal/lasso"
)

// workingSet is Fit for the option LowMemory, without CᵀC: it holds the columns of a
// working set, solves the problem on them, computes the correlation of every other
// column with the residual on the fly, and lets those enter that violate their
// optimality condition most, until none does. Columns that lose their weight
// leave. Memory is O(n·m0 + m0²); a round costs O(n·M·d).
type workingSet struct {
	settings   *settings
	columns    *columns
	x          compute.Points
	y          compute.Matrix  // about its mean when there is an intercept, times √weights
	rowWeights compute.Weights // of the rows, or nil
	monitor    *monitor.Monitor

	meanY    []float64
	set      []int          // the working set, ascending
	c        compute.Matrix // n×|set|, its columns, about their means and weighed like y
	meanC    []float64
	problems []*lasso.Problem // on the working set
	reports  []OutputReport
}

func newWorkingSet(s *settings, cols *columns, k task, r *monitor.Monitor) *workingSet {
	cols.normalise()
	l := &workingSet{settings: s, columns: cols, x: k.x, y: compute.Clone(k.y), rowWeights: k.weights, monitor: r, meanY: make([]float64, k.y.Cols)}
	if !s.NoIntercept {
		l.meanY = centre(l.y, l.rowWeights, s.Workers)
	}
	l.rowWeights.ScaleByRoots(l.y)
	return l
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
		done = l.converged()
		if l.settings.Epsilon > 0 && round > 1 {
			done = before-l.objective() <= l.settings.Epsilon*before
		}
		next := l.next(l.violations(g))
		if done || l.monitor.Stopped() || slices.Equal(next, l.set) {
			break
		}
		if err := l.room(len(next)); err != nil {
			m, _ := l.model()
			return m, err
		}
		if err := l.hold(next); err != nil {
			return nil, err
		}
		l.solve()
	}
	return l.finish(done)
}

// finish returns the model, with the status of each output.
func (l *workingSet) finish(done bool) (*Model, error) {
	for i := range l.reports {
		r := &l.reports[i]
		limit := r.Status == rkhs.IterationLimit
		r.Status = lasso.Outcome(l.monitor, l.meets(*r) || done && !limit, limit)
	}
	m, err := l.model()
	if err != nil {
		return nil, err
	}
	return m, unfinished(l.monitor, l.reports, l.problems, false, l.settings.strict)
}

func (l *workingSet) model() (*Model, error) {
	return newModel(l.settings, solution{columns: l.columns, set: l.set, meanC: l.meanC, problems: l.problems}, l.meanY, l.reports)
}

// objective is the sum over the problems.
func (l *workingSet) objective() float64 {
	sum := 0.0
	for _, r := range l.reports {
		sum += r.Objective
	}
	return sum
}

func (l *workingSet) meets(r OutputReport) bool {
	return r.Gap <= l.settings.Tolerance*r.Objective
}

func (l *workingSet) converged() bool {
	return !slices.ContainsFunc(l.reports, func(r OutputReport) bool { return !l.meets(r) })
}

// room refuses a working set that would not fit.
func (l *workingSet) room(columns int) error {
	n, m := float64(l.x.Rows), float64(columns)
	return door.Memory(pkg, fmt.Sprintf("%d active columns", columns), 8*(n*m+6*m*m), l.settings.MemoryLimit)
}

// hold makes the working set the given columns, keeping weights.
func (l *workingSet) hold(set []int) error {
	old, before := l.set, l.problems
	l.set = set
	l.c = compute.NewMatrix(l.x.Rows, len(set))
	l.columns.fill(l.c, l.x, set)
	l.meanC = make([]float64, len(set))
	if !l.settings.NoIntercept && len(set) > 0 {
		l.meanC = centre(l.c, l.rowWeights, l.settings.Workers)
	}
	l.rowWeights.ScaleByRoots(l.c)
	sums := l.sums()
	if err := sums.Check(); err != nil {
		return err
	}
	l.problems = problems(sums, l.settings)
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

func (l *workingSet) sums() *lasso.Sums {
	k := len(l.set)
	s := &lasso.Sums{P: compute.NewMatrix(k, k), CY: compute.NewMatrix(k, l.y.Cols), YY: make([]float64, l.y.Cols)}
	if k > 0 {
		compute.AddGram(s.P, l.c, l.settings.Workers)
		compute.MulTN(s.CY, l.c, l.y, l.settings.Workers)
	}
	compute.Mirror(s.P)
	for i := range l.y.Rows {
		for o, v := range compute.Row(l.y, i) {
			s.YY[o] += v * v
		}
	}
	return s
}

// solve minimises on the working set.
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

// certify certifies the weights at hand against all M columns, whose correlations
// with the residual it returns, M×q.
func (l *workingSet) certify(round int) (compute.Matrix, error) {
	residual := l.residual()
	g := compute.NewMatrix(l.columns.count(), l.y.Cols)
	weighed := residual
	if l.rowWeights != nil { // the columns of all landmarks are not
		weighed = compute.Clone(residual)
		l.rowWeights.ScaleByRoots(weighed)
	}
	l.columns.correlate(g, l.x, weighed)
	if err := lasso.CheckSums(g.Data); err != nil {
		return g, err
	}
	for i, p := range l.problems {
		rep := &l.reports[i]
		if round == 0 {
			largest := largestNorm(l.part(g, p))
			*rep = newOutputReport(l.settings.Penalty*l.settings.Ridge, largest*largest, l.settings.Ridge, lasso.Result{})
		}
		r, y := l.part(residual, p), l.part(l.y, p)
		rr, yr := 0.0, 0.0
		for i := range r.Rows {
			rr += blas64.Dot(compute.RowVector(r, i), compute.RowVector(r, i))
			yr += blas64.Dot(compute.RowVector(r, i), compute.RowVector(y, i))
		}
		c := lasso.Certify(l.weights(p), l.part(g, p), rr, yr, l.tau(i))
		rep.certify(c)
		l.monitor.Report(c.Progress(round, len(l.set)))
	}
	return g, nil
}

// tau is √(lam·nu) of a problem.
func (l *workingSet) tau(i int) float64 {
	return math.Sqrt(l.settings.Ridge * l.reports[i].Penalty)
}

// part returns the columns of m that belong to the outputs of p.
func (l *workingSet) part(m compute.Matrix, p *lasso.Problem) compute.Matrix {
	return compute.Columns(m, p.Output, p.Output+p.W.Cols)
}

// weights returns the weights of p of all M columns.
func (l *workingSet) weights(p *lasso.Problem) compute.Matrix {
	w := compute.NewMatrix(l.columns.count(), p.W.Cols)
	for j, m := range l.set {
		copy(compute.Row(w, m), compute.Row(p.W, j))
	}
	return w
}

// residual returns Y − CW, times √weights.
func (l *workingSet) residual() compute.Matrix {
	r := compute.Clone(l.y)
	if len(l.set) == 0 {
		return r
	}
	w := compute.NewMatrix(len(l.set), l.y.Cols)
	for _, p := range l.problems {
		for j := range l.set {
			for o, v := range compute.Row(p.W, j) {
				compute.Row(w, j)[p.Output+o] = -v
			}
		}
	}
	compute.MulNN(r, l.c, w, l.settings.Workers)
	return r
}

// violations returns for each column by how much the worst of its conditions
// ‖g_m‖ ≤ tau is violated, in units of tau.
func (l *workingSet) violations(g compute.Matrix) []float64 {
	list := make([]float64, l.columns.count())
	for i, p := range l.problems {
		part, tau := l.part(g, p), l.tau(i)
		for m := range list {
			list[m] = max(list[m], blas64.Nrm2(compute.RowVector(part, m))/tau-1)
		}
	}
	return list
}

// next returns the next working set: the columns with weight, and of the others
// those that violate their condition most, as many again.
func (l *workingSet) next(violation []float64) []int {
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

// largestNorm returns the largest norm of a row.
func largestNorm(g compute.Matrix) float64 {
	largest := 0.0
	for m := range g.Rows {
		largest = max(largest, blas64.Nrm2(compute.RowVector(g, m)))
	}
	return largest
}
