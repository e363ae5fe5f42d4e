package alignment

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// classify chooses on the rows set aside and fits to all rows.
func (s *settings) classify(t *task, count int, r *monitor.Monitor) (*Model, error) {
	s.prepare(t, len(s.C) > 1)
	learned, err := s.chooseShrink(t, r)
	if err != nil {
		return nil, err
	}
	f := s.newMachines(learned, t.examples(t.learn), count)
	c, validation := s.C[len(s.C)/2], 0.0
	var chosen *svm.Classes
	if t.check.x.Rows > 0 {
		if chosen, validation, err = f.choose(t.check, r); err != nil {
			return nil, err
		}
		if chosen != nil {
			c = chosen.Pairs[0].C
		}
	}
	if len(t.learn) < t.x.Rows && !r.Stopped() {
		if learned, err = s.learn(t.x, t.y, learned.Shrink, r); err != nil {
			return nil, err
		}
		f, chosen = s.newMachines(learned, t.examples(span(t.x.Rows)), count), nil
	}
	if chosen != nil && !converged(chosen) {
		chosen = nil
	}
	if chosen == nil {
		list, err := f.path(f.upTo(c), 0, r)
		if len(list) > 0 {
			chosen = list[len(list)-1]
		} else if !r.Stopped() {
			return nil, err
		}
	}
	m := f.model(chosen, c, validation, r)
	if r.Stopped() {
		return m, r.Err()
	}
	if m.report.Status != rkhs.Converged {
		return m, fmt.Errorf("alignment: support vector machines ended with status %v at a violation of %.2g: %w", m.report.Status, m.report.Violation, rkhs.ErrNotConverged)
	}
	return m, nil
}

func converged(c *svm.Classes) bool {
	for _, p := range c.Pairs {
		if p.Status != rkhs.Converged {
			return false
		}
	}
	return true
}

// machines are the support vector machines on the rows of one kernel.
type machines struct {
	examples
	s       *settings
	learned *Result
	count   int // of classes
}

func (s *settings) newMachines(learned *Result, e examples, count int) *machines {
	return &machines{examples: e, s: s, learned: learned, count: count}
}

// upTo returns the C of the list up to c, ascending: each solution is the start
// for the next, and a large C from nothing costs far more than all of them.
func (f *machines) upTo(c float64) []float64 {
	cs := slices.Sorted(slices.Values(f.s.C))
	return cs[:1+slices.Index(cs, c)]
}

// path trains for each C of an ascending list, in steps of pairs up to a limit,
// or that of package svm if it is 0.
func (f *machines) path(cs []float64, limit int, r *monitor.Monitor) ([]*svm.Classes, error) {
	o := svm.Options{Workers: f.s.Workers, CacheBytes: min(256<<20, f.s.MemoryLimit/8), MaxIterations: limit}
	if f.count > 2 {
		o.CacheBytes /= 4
	}
	list, err := svm.PathClasses(r.Context(), f.learned.kernel(), f.x, f.class, f.count, cs, o)
	if err != nil {
		err = fmt.Errorf("alignment: %w", err)
	}
	return list, err
}

// choose returns the machines with the fewest errors on the rows to choose by,
// of equal ones those of the smallest C, and the fraction of errors. Machines
// that did not converge take part as they are.
func (f *machines) choose(check examples, r *monitor.Monitor) (*svm.Classes, float64, error) {
	const steps = 1000 // a row: most C that need more are too large
	list, err := f.path(f.upTo(slices.Max(f.s.C)), steps*f.x.Rows, r)
	if len(list) == 0 || err != nil && !errors.Is(err, rkhs.ErrNotConverged) && !r.Stopped() {
		if r.Stopped() {
			err = nil
		}
		return nil, 0, err
	}
	best, n := 0, float64(check.x.Rows)
	wrong := f.wrong(list, check)
	for t, w := range wrong {
		if w < wrong[best] {
			best = t
		}
		r.Report(rkhs.Progress{Iteration: t + 1, Objective: float64(wrong[best]) / n, Gap: math.NaN()})
	}
	return list[best], float64(wrong[best]) / n, nil
}

// wrong counts the errors of each of the machines.
func (f *machines) wrong(list []*svm.Classes, check examples) []int {
	const together = 1024 // scores a row
	var count []int
	for group := range slices.Chunk(list, max(1, together/len(list[0].Pairs))) {
		count = append(count, f.wrongTogether(group, check)...)
	}
	return count
}

// wrongTogether takes the scores of several machines from one product with the
// kernel.
func (f *machines) wrongTogether(list []*svm.Classes, check examples) []int {
	pairs := len(list[0].Pairs)
	weights := compute.NewMatrix(f.x.Rows, pairs*len(list))
	var bias []float64
	for t, c := range list {
		bias = append(bias, f.coefficients(columns(weights, t*pairs, pairs), c)...)
	}
	scores := compute.NewMatrix(check.x.Rows, weights.Cols)
	kernel.Evaluator{Kernel: f.learned.kernel(), Workers: f.s.Workers}.Mul(scores, check.x, f.x, weights)
	for i := range scores.Rows {
		floats.Add(row(scores, i), bias)
	}
	count := make([]int, len(list))
	for t := range list {
		for i, k := range votes(columns(scores, t*pairs, pairs), f.count) {
			if k != check.class[i] {
				count[t]++
			}
		}
	}
	return count
}

// columns returns some columns of m; it shares the data of m.
func columns(m compute.Matrix, from, count int) compute.Matrix {
	return compute.Matrix{Rows: m.Rows, Cols: count, Stride: m.Stride, Data: m.Data[from:]}
}

// coefficients sets a column for each pair and returns the constants, signed so
// that the larger class is the positive one.
func (f *machines) coefficients(dst compute.Matrix, c *svm.Classes) []float64 {
	bias := make([]float64, len(c.Pairs))
	for p, pair := range svm.PairsOf(f.count) {
		bias[p] = -c.Pairs[p].Bias
		k := 0
		for _, class := range pair {
			for i, own := range f.class {
				if own == class {
					row(dst, i)[p] = -c.Pairs[p].Beta[k]
					k++
				}
			}
		}
	}
	return bias
}

// model gathers the coefficients of all pairs; without machines it is zero.
func (f *machines) model(c *svm.Classes, weight, validation float64, r *monitor.Monitor) *Model {
	pairs := len(svm.PairsOf(f.count))
	rep := Report{C: weight, Validation: validation, Status: r.Status()}
	weights := compute.NewMatrix(f.x.Rows, pairs)
	if c == nil {
		return newModel(f.s, f.learned, f.x, weights, make([]float64, pairs), rep)
	}
	for _, sol := range c.Pairs {
		rep.Objective += sol.Objective
		rep.Gap += sol.Gap
		rep.Violation = max(rep.Violation, sol.Violation)
		if sol.Status != rkhs.Converged {
			rep.Status = sol.Status
		}
	}
	bias := f.coefficients(weights, c)
	return newModel(f.s, f.learned, f.x, weights, bias, rep)
}
