package svm

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// solver solves the dual for one C after the other.
type solver struct {
	variables
	program
	o         Options
	gram      gramRows
	active    []int // ascending; e of the others is out of date
	place     []int // of the row of a variable among the active columns
	set       *workingSet
	epochs    []epoch
	sub       *pairs  // space for the problem of a working set
	tolerance float64 // of the violation, at most that of the options
	steps     int
	early     bool // all variables were taken back once before the end
	whole     bool // shrinking is over
	stalled   bool // rounding leaves no progress
}

// newSolver returns a solver for variables whose residuals and bounds are to be
// set.
func newSolver(g gramRows, v variables, p program, o Options) *solver {
	n := len(v.beta)
	s := &solver{variables: v, program: p, o: o, gram: g, tolerance: o.Tolerance, active: compute.Indices(n), place: make([]int, n), set: newWorkingSet(n, g.batch())}
	for i := range s.place {
		s.place[i] = s.row(i)
	}
	s.sub = newPairs(s.set.size)
	return s
}

// start sets the bounds for C and the residuals of the given beta.
func (s *solver) start(c float64, beta []float64) {
	copy(s.beta, beta)
	s.setBounds(s.program, c, s.o.Weights)
	copy(s.e, s.linear)
	s.update(s.active, make([]float64, len(s.beta)))
}

// next passes on to another C: from beta as it is, or from beta times the ratio
// of the two if the dual is larger there. It needs no kernel values: the
// residuals are t − r·(t − e) for the linear term t.
func (s *solver) next(ratio float64) {
	linear, quadratic := 0.0, 0.0
	for i, b := range s.beta {
		linear += b * s.linear[i]
		quadratic += b * (s.linear[i] - s.e[i])
	}
	r := ratio
	if dual := func(r float64) float64 { return r*linear - r*r*quadratic/2 }; ratio > 1 && dual(1) >= dual(ratio) {
		r = 1
	}
	for i, t := range s.linear {
		s.rescale(i, ratio, r)
		s.e[i] = t - r*(t-s.e[i])
	}
	s.tolerance = s.o.Tolerance
	s.steps, s.early, s.whole, s.stalled = 0, false, false, false
}

// update brings the residuals of some variables, in ascending order, up to date that were
// right for the given values of beta.
func (s *solver) update(list []int, before []float64) {
	var changed []int // rows
	var by []float64
	for j, b := range s.beta {
		if b == before[j] {
			continue
		}
		if last := len(changed) - 1; last >= 0 && changed[last] == s.row(j) {
			by[last] += b - before[j]
		} else {
			changed, by = append(changed, s.row(j)), append(by, b-before[j])
		}
	}
	if len(changed) == 0 || len(list) == 0 {
		return
	}
	rows := s.rowsOf(list)
	d := make([]float64, len(rows))
	s.gram.times(d, rows, changed, by)
	t := 0
	for _, i := range list {
		if rows[t] != s.row(i) {
			t++
		}
		s.e[i] -= d[t]
	}
}

// run solves from where the solver stands and returns the violation that is left.
func (s *solver) run(ctx context.Context) (rkhs.Status, float64) {
	for {
		top, bottom := s.extremes(s.active)
		violation := max(top-bottom, 0)
		near := violation <= 10*s.tolerance
		solved := violation <= s.tolerance
		done := solved || s.steps >= s.o.MaxIterations || s.stalled || ctx.Err() != nil
		switch {
		case len(s.epochs) > 0 && (done || near && !s.early):
			// What was taken out at a distance is judged again once before the end.
			s.early = s.early || near
			s.whole, s.stalled = s.stalled, false
			s.restore()
		case solved && s.goesOn(ctx):
			s.tolerance /= 10
		case done:
			return s.outcome(ctx, violation), violation
		default:
			s.shrink(top, bottom)
			s.round(ctx, top, bottom)
			s.report(violation)
		}
	}
}

// goesOn reports whether a solution within the tolerance is not good enough by its gap, of
// which the violation is no bound, and can be bettered.
func (s *solver) goesOn(ctx context.Context) bool {
	return s.o.Gap > 0 && s.tolerance > s.finest() && !s.stalled && s.steps < s.o.MaxIterations && ctx.Err() == nil && s.wide()
}

// wide reports whether the gap is wider than was asked for.
func (s *solver) wide() bool { return s.o.Gap > 0 && s.certificate().relative() > s.o.Gap }

// report tells how far the solver has come.
func (s *solver) report(violation float64) {
	if s.o.Report != nil {
		s.o.Report(s.steps, violation)
	}
}

func (s *solver) outcome(ctx context.Context, violation float64) rkhs.Status {
	switch {
	case violation <= s.o.Tolerance && !s.wide():
		return rkhs.Converged
	case ctx.Err() != nil:
		return rkhs.Cancelled
	case s.stalled || s.steps < s.o.MaxIterations:
		return rkhs.Stalled
	}
	return rkhs.IterationLimit
}

// round solves for one working set.
func (s *solver) round(ctx context.Context, top, bottom float64) {
	w := s.set.choose(s.variables, s.active, top, bottom)
	rows := s.rows(w)
	p := s.subproblem(w, rows)
	o := Options{
		Tolerance:     max(s.tolerance/2, (top-bottom)/10),
		MaxIterations: min(s.o.MaxIterations-s.steps, 100*s.set.size),
		Workers:       1,
	}
	steps := 0
	if len(w) <= storedBatch {
		steps = p.solve(o.Tolerance, o.MaxIterations)
	} else {
		inner := newSolver(&stored{gram: p.k}, p.variables, program{copies: 1}, o)
		inner.run(ctx)
		steps = inner.steps
	}
	s.steps += steps
	s.stalled = steps == 0
	s.apply(w, rows, p)
}

// subproblem copies the variables of w.
func (s *solver) subproblem(w []int, rows [][]float64) *pairs {
	p := s.sub.first(len(w))
	for t, i := range w {
		p.copyFrom(t, s.variables, i)
		// Elements of rows are far apart: each is fetched for its mirror image too.
		row, own := rows[t], compute.Row(p.k, t)
		for u, j := range w[:t+1] {
			v := row[s.place[j]]
			own[u], p.k.Data[u*p.k.Stride+t] = v, v
		}
	}
	return p
}

// apply takes over beta from the solution of a working set and brings the
// residuals up to date.
func (s *solver) apply(w []int, rows [][]float64, p *pairs) {
	const chunk = 2048
	m := len(s.active)
	var by []float64
	var changed [][]float64
	for t, i := range w {
		if d := p.beta[t] - s.beta[i]; d != 0 {
			by, changed = append(by, d), append(changed, rows[t])
			s.beta[i] = p.beta[t]
		}
	}
	compute.Parallel((m+chunk-1)/chunk, s.o.Workers, func(b int) {
		from := b * chunk
		to := min(from+chunk, m)
		first, last := s.place[s.active[from]], s.place[s.active[to-1]]+1
		var sum [chunk]float64
		d := compute.Vector(sum[:last-first])
		for t, row := range changed {
			blas64.Axpy(by[t], compute.Vector(row[first:last]), d)
		}
		for _, i := range s.active[from:to] {
			s.e[i] -= sum[s.place[i]-first]
		}
	})
}
