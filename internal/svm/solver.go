package svm

import (
	"context"
	"slices"

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
	active    []int // ascending; other residuals are out of date
	position  []int // of the row of a variable among the active columns
	set       *workingSet
	epochs    []epoch
	sub       *pairs  // memory for the problem of a working set
	tolerance float64 // of the violation, at most Options.Tolerance
	steps     int
	early     bool // all variables were restored once before the end
	whole     bool // shrinking is over
	stalled   bool // rounding prevents progress
}

// newSolver returns a solver without residuals and bounds.
func newSolver(g gramRows, v variables, p program, o Options) *solver {
	n := len(v.beta)
	set := newWorkingSet(n, g.batch())
	s := &solver{
		variables: v, program: p, o: o, gram: g, tolerance: o.Tolerance,
		active: compute.Indices(n), position: make([]int, n), set: set, sub: newPairs(set.size),
	}
	for i := range s.position {
		s.position[i] = s.row(i)
	}
	return s
}

// start sets the bounds for C and the residuals for beta.
func (s *solver) start(c float64, beta []float64) {
	copy(s.beta, beta)
	s.setBounds(s.program, c, s.o.Weights)
	copy(s.e, s.linear)
	s.update(s.active, make([]float64, len(s.beta)))
}

// next changes C by a factor. It starts from beta, or from ratio·beta if the dual is larger
// there. It needs no kernel values: the residuals for r·beta are t − r·(t − e) with the linear
// term t.
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

// update changes the residuals of the listed variables, which ascend, from the values for before
// to the values for beta.
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

// run solves from the present state and returns the final violation.
func (s *solver) run(ctx context.Context) (rkhs.Status, float64) {
	for {
		top, bottom := s.extremes(s.active)
		violation := max(top-bottom, 0)
		near := violation <= 10*s.tolerance
		solved := violation <= s.tolerance
		done := solved || s.steps >= s.o.MaxIterations || s.stalled || ctx.Err() != nil
		switch {
		case len(s.epochs) > 0 && (done || near && !s.early):
			// Variables that were removed early are checked once before the end.
			s.early = s.early || near
			s.whole, s.stalled = s.stalled, false
			s.restore()
		case solved && s.continues(ctx):
			s.tolerance /= 10
		case done:
			return s.outcome(ctx, violation), violation
		default:
			s.shrink(top, bottom)
			s.round(ctx, top, bottom)
			if s.o.Report != nil {
				s.o.Report(s.steps, violation)
			}
		}
	}
}

// continues reports whether the gap of a solution within the tolerance is too wide and can be
// reduced.
func (s *solver) continues(ctx context.Context) bool {
	return s.o.Gap > 0 && s.tolerance > s.finest() && !s.stalled && s.steps < s.o.MaxIterations &&
		ctx.Err() == nil && s.wide()
}

// wide reports whether the gap exceeds Options.Gap.
func (s *solver) wide() bool { return s.o.Gap > 0 && s.certificate().relative() > s.o.Gap }

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

// round optimises one working set.
func (s *solver) round(ctx context.Context, top, bottom float64) {
	w := s.set.pick(s.variables, s.active, top, bottom)
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
		inner := newSolver(stored{p.k}, p.variables, program{copies: 1}, o)
		inner.run(ctx)
		steps = inner.steps
	}
	s.steps += steps
	s.stalled = steps == 0
	s.apply(w, rows, p)
}

// rows returns the row of the Gram matrix of each of the variables w.
func (s *solver) rows(w []int) [][]float64 {
	if s.copies == 1 {
		return s.gram.rows(w)
	}
	var distinct []int
	at, first := make([]int, len(w)), map[int]int{}
	for t, i := range w {
		r := s.row(i)
		if _, known := first[r]; !known {
			first[r] = len(distinct)
			distinct = append(distinct, r)
		}
		at[t] = first[r]
	}
	return compute.PickOf(s.gram.rows(distinct), at)
}

// subproblem returns the problem of the variables w.
func (s *solver) subproblem(w []int, rows [][]float64) *pairs {
	p := s.sub.first(len(w))
	for t, i := range w {
		p.copyFrom(t, s.variables, i)
		// Elements of a row are distant in memory. Fetch each once, for both triangles.
		row, own := rows[t], compute.Row(p.k, t)
		for u, j := range w[:t+1] {
			v := row[s.position[j]]
			own[u], p.k.Data[u*p.k.Stride+t] = v, v
		}
	}
	return p
}

// apply copies beta from the solution of a working set and updates the residuals.
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
		first, last := s.position[s.active[from]], s.position[s.active[to-1]]+1
		var sum [chunk]float64
		d := compute.Vector(sum[:last-first])
		for t, row := range changed {
			blas64.Axpy(by[t], compute.Vector(row[first:last]), d)
		}
		for _, i := range s.active[from:to] {
			s.e[i] -= sum[s.position[i]-first]
		}
	})
}

// epoch holds variables that shrink removed at once, and the beta of their residuals.
type epoch struct {
	variables []int
	beta      []float64
}

// shrink removes variables that probably remain at a bound. These are variables that can only
// fall with a residual above top, and variables that can only rise with a residual below bottom.
// It does so only if these are a quarter of the active variables.
func (s *solver) shrink(top, bottom float64) {
	if s.whole || !s.gram.shrinks() || len(s.active) <= s.set.size {
		return
	}
	var out, stay []int
	for _, i := range s.active {
		if !s.up(i) && s.e[i] > top || !s.down(i) && s.e[i] < bottom {
			out = append(out, i)
		} else {
			stay = append(stay, i)
		}
	}
	if len(out) < len(s.active)/4 {
		return
	}
	s.epochs = append(s.epochs, epoch{out, slices.Clone(s.beta)})
	s.activate(stay)
}

// restore activates all variables.
func (s *solver) restore() {
	for _, e := range s.epochs {
		s.update(e.variables, e.beta)
	}
	s.epochs = nil
	s.activate(compute.Indices(len(s.beta)))
}

func (s *solver) activate(list []int) {
	s.active = list
	rows, t := s.rowsOf(list), 0
	for _, i := range list {
		if rows[t] != s.row(i) {
			t++
		}
		s.position[i] = t
	}
	s.set.keep(list)
	s.gram.restrict(rows)
}
