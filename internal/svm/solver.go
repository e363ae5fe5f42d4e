package svm

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// workingRows is the number of variables that are solved for together.
const workingRows = 512

// solver solves the dual for one C after the other.
type solver struct {
	variables
	y       []float64
	o       Options
	gram    gramRows
	active  []int // ascending; e of the others is out of date
	place   []int // of a variable in active
	set     *workingSet
	epochs  []epoch
	early   bool // the gradient was made up for once before the end
	sub     pairs
	steps   int
	rounds  int
	stalled bool
}

func newSolver(g gramRows, y []float64, o Options) *solver {
	n := len(y)
	s := &solver{variables: newVariables(n), y: y, o: o, gram: g, active: all(n), place: all(n), set: newWorkingSet(n)}
	g.diagonal(s.diag)
	q := s.set.size
	s.sub = pairs{newVariables(q), compute.NewMatrix(q, q)}
	copy(s.beta, o.Start)
	return s
}

// begin sets the bounds for C and the residuals of beta.
func (s *solver) begin(c float64) {
	before := append([]float64(nil), s.beta...)
	s.setBounds(s.y, c, s.o.Weights)
	if s.rounds == 0 {
		copy(s.e, s.y)
		clear(before)
	}
	s.update(s.active, before)
	s.steps, s.early, s.stalled = 0, false, false
}

// update brings the residuals of some variables up to date that were right for
// the given values of beta.
func (s *solver) update(rows []int, before []float64) {
	var changed []int
	var by []float64
	for j, b := range s.beta {
		if b != before[j] {
			changed, by = append(changed, j), append(by, b-before[j])
		}
	}
	if len(changed) == 0 || len(rows) == 0 {
		return
	}
	d := make([]float64, len(rows))
	s.gram.times(d, rows, changed, by)
	for t, i := range rows {
		s.e[i] -= d[t]
	}
}

// run solves from where the solver stands.
func (s *solver) run(ctx context.Context) (rkhs.Status, float64) {
	for {
		top, bottom := s.extremes(s.active)
		violation := top - bottom
		limit := s.steps >= s.o.MaxIterations
		done := violation <= s.o.Tolerance || limit || s.stalled || ctx.Err() != nil
		if shrunk := len(s.epochs) > 0; shrunk && (done || !s.early && violation <= 10*s.o.Tolerance) {
			s.early = true
			s.restore()
			if !limit && ctx.Err() == nil {
				s.stalled = false
				continue
			}
			top, bottom = s.extremes(s.active)
			violation = top - bottom
		}
		if done {
			return s.outcome(ctx, violation), max(violation, 0)
		}
		s.shrink(top, bottom)
		s.round(top, bottom)
	}
}

func (s *solver) outcome(ctx context.Context, violation float64) rkhs.Status {
	switch {
	case violation <= s.o.Tolerance:
		return rkhs.Converged
	case ctx.Err() != nil:
		return rkhs.Cancelled
	case s.stalled:
		return rkhs.Stalled
	}
	return rkhs.IterationLimit
}

// round solves for one working set.
func (s *solver) round(top, bottom float64) {
	s.rounds++
	w := s.set.choose(s.variables, s.active, top, bottom)
	rows := s.gram.rows(w)
	p := s.subproblem(w, rows)
	steps := p.solve(max(s.o.Tolerance/2, (top-bottom)/10), min(s.o.MaxIterations-s.steps, 100*s.set.size))
	s.steps += steps
	s.stalled = steps == 0
	s.apply(w, rows, p)
}

// subproblem copies the variables of w.
func (s *solver) subproblem(w []int, rows [][]float64) *pairs {
	q := len(w)
	p := &pairs{k: blas64.General{Rows: q, Cols: q, Stride: s.sub.k.Stride, Data: s.sub.k.Data}}
	v := s.sub.variables
	p.variables = variables{v.beta[:q], v.e[:q], v.lo[:q], v.hi[:q], v.diag[:q]}
	for t, i := range w {
		p.copyFrom(t, s.variables, i)
		to := p.row(t)
		for u, j := range w {
			to[u] = rows[t][s.place[j]]
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
		var sum [chunk]float64
		d := blas64.Vector{N: to - from, Inc: 1, Data: sum[:]}
		for t, row := range changed {
			blas64.Axpy(by[t], blas64.Vector{N: to - from, Inc: 1, Data: row[from:to]}, d)
		}
		for t, i := range s.active[from:to] {
			s.e[i] -= sum[t]
		}
	})
}
