package alignment

import (
	"context"
	"errors"
	"fmt"
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
	seed       uint64
	workers    int
}

func newMachines(k kernel.Kernel, e examples, count int, s *settings) *machines {
	f := &machines{examples: e, kernel: k, count: count, list: slices.Sorted(slices.Values(s.C)), seed: s.Seed, workers: s.Workers}
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

// chooseC returns the C with the fewest errors, of equal ones the smallest, and the
// fraction of errors. Without anything to choose by it is the middle one of the list.
func (f *machines) chooseC(validation examples, r *monitor.Monitor) (c, fraction float64, err error) {
	if len(f.list) == 1 {
		return f.list[0], 0, nil
	}
	const most = 4000
	v, err := f.validate(validation, most, nil, r)
	if err != nil || v.rows == 0 {
		return f.list[len(f.list)/2], 0, err
	}
	best, count := v.best()
	return f.list[best], float64(count) / float64(v.rows), nil
}

// trained are machines on the rows of the list of C.
func (f *machines) trained(r *monitor.Monitor) ([]*svm.Classes, error) {
	const steps = 1000 // a row: most C that need more are too large
	list, err := f.path(r.Context(), f.list[len(f.list)-1], steps*f.x.Rows)
	if len(list) == 0 || err != nil && !errors.Is(err, rkhs.ErrNotConverged) && !r.Stopped() {
		return nil, err
	}
	return list, nil
}

// wrong tells for each of the machines which rows they get wrong. Scores of several are
// taken from one product with the kernel.
func (f *machines) wrong(list []*svm.Classes, check examples) [][]bool {
	const together = 1024 // scores a row
	var all [][]bool
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
			all = append(all, wrongRows(compute.Columns(scores, t*pairs, (t+1)*pairs), check.class, decide(f.count)))
		}
	}
	return all
}

// wrongRows tells which rows of scores are decided for another class.
func wrongRows(scores compute.Matrix, class []int, decide func([]float64) int) []bool {
	wrong := make([]bool, len(class))
	for i, k := range class {
		wrong[i] = decide(compute.Row(scores, i)) != k
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
func (f *machines) solution(c *svm.Classes, r *monitor.Monitor) *solution {
	pairs := f.count * (f.count - 1) / 2
	s := &solution{points: f.x, weights: compute.NewMatrix(f.x.Rows, pairs), report: Report{Status: r.Status()}}
	if c == nil {
		s.intercept = make([]float64, pairs)
		return s
	}
	rep := &s.report
	for _, sol := range c.Pairs {
		rep.Objective += sol.Objective
		rep.Gap += sol.Gap
		rep.Violation = max(rep.Violation, sol.Violation)
		if sol.Status != rkhs.Converged {
			rep.Status = sol.Status
		}
	}
	s.intercept = f.coefficients(s.weights, c)
	return s
}
