package alignment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
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
	o := svm.Options{Workers: f.workers, CacheBytes: f.cacheBytes, MaxIterations: limit, Weights: f.weights}
	list, err := svm.PathClasses(ctx, f.kernel, compute.DensePoints(f.x), f.class, f.count, f.list[:1+slices.Index(f.list, c)], o)
	if err != nil {
		err = fmt.Errorf("alignment: %w", err)
	}
	return list, err
}

// chooseC returns the C with the fewest errors, of equal ones the smallest, and the
// fraction of errors: on the validation rows, or in folds if there are none. Without
// anything to choose by it is the middle one of the list.
func (f *machines) chooseC(validation examples, r *monitor.Monitor) (c, fraction float64, err error) {
	c = f.list[len(f.list)/2]
	if len(f.list) == 1 {
		return c, 0, nil
	}
	splits := f.splits(validation)
	wrong, n := make([]float64, len(f.list)), 0.0
	for k, s := range splits {
		counts, err := s.learn.errorsOn(s.check, r)
		if err != nil {
			return c, 0, err
		}
		if r.Stopped() {
			return c, 0, nil
		}
		n += s.check.weights.Total(s.check.x.Rows)
		for t, w := range counts {
			wrong[t] += w
		}
		r.Report(rkhs.Progress{Phase: "search", Done: k + 1, Total: len(splits), Iteration: k + 1, Objective: slices.Min(wrong) / n, Gap: math.NaN()})
	}
	if n == 0 {
		return c, 0, nil
	}
	least := slices.Min(wrong)
	return f.list[slices.Index(wrong, least)], least / n, nil
}

// errorsOn counts the errors of the machines of each C, by the weights of their rows. Machines that did not converge
// take part as they are. After a stop there are none.
func (f *machines) errorsOn(check examples, r *monitor.Monitor) ([]float64, error) {
	const steps = 1000 // a row: most C that need more are too large
	list, err := f.path(r.Context(), f.list[len(f.list)-1], steps*f.x.Rows)
	if r.Stopped() {
		return nil, nil
	}
	if len(list) == 0 || err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
		return nil, err
	}
	return f.wrong(list, check), nil
}

// learnAndCheck is a division of rows.
type learnAndCheck struct {
	learn *machines
	check examples
}

// Folds of cross-validation, and the number of rows that they have in all.
const folds, foldRows = 5, 4000

// splits returns the rows with those of the validation, or folds.
func (f *machines) splits(validation examples) []learnAndCheck {
	if validation.x.Rows > 0 {
		return []learnAndCheck{{f, validation}}
	}
	var list []learnAndCheck
	order := rng.New(f.seed, "alignment folds", 0).Perm(f.x.Rows)
	for _, s := range choose.ClassFolds(order, f.class, compute.DensePoints(f.x).FirstCopies(f.y, f.class), folds, foldRows) {
		part := *f
		part.examples = f.pick(s.Learn)
		list = append(list, learnAndCheck{&part, f.pick(s.Check)})
	}
	return list
}

// wrong counts the errors of each of the machines. Scores of several are taken from
// one product with the kernel.
func (f *machines) wrong(list []*svm.Classes, check examples) []float64 {
	const together = 1024 // scores a row
	var count []float64
	pairs := len(list[0].Pairs)
	for group := range slices.Chunk(list, max(1, together/pairs)) {
		weights := compute.NewMatrix(f.x.Rows, pairs*len(group))
		var intercept []float64
		for t, c := range group {
			intercept = append(intercept, c.Coefficients(compute.Columns(weights, t*pairs, (t+1)*pairs))...)
		}
		scores := compute.NewMatrix(check.x.Rows, weights.Cols)
		gram.Evaluator{Kernel: f.kernel, Workers: f.workers}.Mul(scores, check.x, f.x, weights)
		compute.AddRow(scores, intercept)
		for t := range group {
			count = append(count, f.wrongLabels(compute.Columns(scores, t*pairs, (t+1)*pairs), check))
		}
	}
	return count
}

// wrongLabels returns the weight of the rows of scores that are decided for another class.
func (f *machines) wrongLabels(scores compute.Matrix, check examples) float64 {
	decide, wrong := decide(f.count), 0.0
	for i, k := range check.class {
		if decide(compute.Row(scores, i)) != k {
			wrong += check.weights.At(i)
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
	s.intercept = c.Coefficients(s.weights)
	return s
}
