package alignment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// machines are the support vector machines on the rows of one kernel, one for each
// pair of classes.
type machines struct {
	examples
	kernel     kernel.Kernel
	count      int       // of classes
	list       []float64 // C, ascending
	cacheBytes int64
	workers    int
}

func newMachines(k kernel.Kernel, e examples, count int, s *settings) *machines {
	f := &machines{examples: e, kernel: k, count: count, list: slices.Sorted(slices.Values(s.C)), workers: s.Workers}
	f.cacheBytes = min(256<<20, s.MemoryLimit/8)
	if count > 2 {
		f.cacheBytes /= 4
	}
	return f
}

// path trains for each C of the list up to c, in steps of pairs up to a limit, or that
// of package svm if it is 0. Each solution is the start for the next, and a large C
// from nothing costs far more than all of them.
func (f *machines) path(ctx context.Context, c float64, limit int) ([]*svm.Classes, error) {
	o := svm.Options{Workers: f.workers, CacheBytes: f.cacheBytes, MaxIterations: limit}
	list, err := svm.PathClasses(ctx, f.kernel, f.x, f.class, f.count, f.list[:1+slices.Index(f.list, c)], o)
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
	list, err := f.path(r.Context(), f.list[len(f.list)-1], steps*f.x.Rows)
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
		r.Report(rkhs.Progress{Phase: "search", Done: t + 1, Total: len(wrong), Iteration: t + 1, Objective: float64(wrong[best]) / n, Gap: math.NaN()})
	}
	return list[best], float64(wrong[best]) / n, nil
}

// wrong counts the errors of each of the machines. Scores of several are taken from
// one product with the kernel.
func (f *machines) wrong(list []*svm.Classes, check examples) []int {
	const together = 1024 // scores a row
	var count []int
	pairs := len(list[0].Pairs)
	for group := range slices.Chunk(list, max(1, together/pairs)) {
		weights := compute.NewMatrix(f.x.Rows, pairs*len(group))
		var intercept []float64
		for t, c := range group {
			intercept = append(intercept, f.coefficients(compute.Columns(weights, t*pairs, (t+1)*pairs), c)...)
		}
		scores := compute.NewMatrix(check.x.Rows, weights.Cols)
		kernel.Evaluator{Kernel: f.kernel, Workers: f.workers}.Mul(scores, check.x, f.x, weights)
		compute.AddRow(scores, intercept)
		for t := range group {
			count = append(count, f.wrongLabels(compute.Columns(scores, t*pairs, (t+1)*pairs), check.class))
		}
	}
	return count
}

// wrongLabels counts the rows of scores that are decided for another class.
func (f *machines) wrongLabels(scores compute.Matrix, class []int) int {
	decide, wrong := decide(f.count), 0
	for i, k := range class {
		if decide(compute.Row(scores, i)) != k {
			wrong++
		}
	}
	return wrong
}

// decide returns how scores decide between so many classes: a column for each pair,
// positive for the larger class.
func decide(count int) func(scores []float64) int {
	return func(scores []float64) int {
		return svm.Vote(count, func(pair int) bool { return scores[pair] > 0 })
	}
}

// coefficients sets a column for each pair and returns the constants, signed so
// that the larger class is the positive one.
func (f *machines) coefficients(dst compute.Matrix, c *svm.Classes) (intercept []float64) {
	intercept = make([]float64, len(c.Pairs))
	for p, pair := range svm.PairsOf(f.count) {
		intercept[p] = -c.Pairs[p].Bias
		k := 0
		for _, class := range pair {
			for i, own := range f.class {
				if own == class {
					compute.Row(dst, i)[p] = -c.Pairs[p].Beta[k]
					k++
				}
			}
		}
	}
	return intercept
}

// solution gathers the coefficients of all pairs with their certificate; without
// machines it is zero.
func (f *machines) solution(c *svm.Classes, r *monitor.Monitor) (weights compute.Matrix, intercept []float64, rep Report) {
	pairs := f.count * (f.count - 1) / 2
	weights, rep.Status = compute.NewMatrix(f.x.Rows, pairs), r.Status()
	if c == nil {
		return weights, make([]float64, pairs), rep
	}
	for _, sol := range c.Pairs {
		rep.Objective += sol.Objective
		rep.Gap += sol.Gap
		rep.Violation = max(rep.Violation, sol.Violation)
		if sol.Status != rkhs.Converged {
			rep.Status = sol.Status
		}
	}
	return weights, f.coefficients(weights, c), rep
}

func converged(c *svm.Classes) bool {
	return !slices.ContainsFunc(c.Pairs, func(s *svm.Solution) bool { return s.Status != rkhs.Converged })
}
