package alignment

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// machines are support vector machines on the rows of examples, one for each pair of
// classes.
type machines struct {
	*run
	examples
	kernel gram.Evaluator
	count  int       // of classes
	list   []float64 // C, ascending
}

func newMachines(r *run, k kernel.Kernel, e examples) *machines {
	return &machines{
		run:      r,
		examples: e,
		kernel:   gram.Evaluator{Kernel: k, Workers: r.options.Workers},
		count:    len(r.task.labels),
		list:     slices.Sorted(slices.Values(r.options.C)),
	}
}

func pairCount(classes int) int { return classes * (classes - 1) / 2 }

// fitMachines trains machines on all rows. It also returns predictions of unseen rows.
func (r *run) fitMachines(learned *Result) (*Model, calibrate.Sample, error) {
	f := newMachines(r, learned.simplest(), r.task.all)
	c, loss, err := f.selectC(r.task.validation)
	if err != nil {
		return nil, calibrate.Sample{}, err
	}
	list, err := f.path(c, 0)
	if len(list) == 0 && !r.monitor.Stopped() {
		return nil, calibrate.Sample{}, err
	}
	s := f.solution(list)
	s.report.C, s.report.HeldOutLoss = c, loss
	sample := r.unseen(func(train, heldOut examples) (compute.Matrix, bool) {
		f := newMachines(r, f.kernel.Kernel, train)
		list, err := f.path(c, 0)
		if err != nil || len(list) == 0 {
			return compute.Matrix{}, false
		}
		return f.scores(list[len(list)-1:], heldOut.x), true
	})
	return newModel(r.options, learned, s), sample, nil
}

// path trains machines for each C of the list up to c. Each solution starts from the one
// before, which is much faster than a cold start at a large C. limit bounds the steps of
// each machine; 0 selects the default of package svm.
func (f *machines) path(c float64, limit int) ([]*svm.Classes, error) {
	cache := min(256<<20, f.options.MemoryLimit/8)
	if f.count > 2 {
		cache /= 4
	}
	o := svm.Options{Workers: f.options.Workers, CacheBytes: cache, MaxIterations: limit, Weights: f.weights}
	upTo := f.list[:1+slices.Index(f.list, c)]
	list, err := svm.PathClasses(f.monitor.Context(), f.kernel.Kernel, compute.DensePoints(f.x), f.class, f.count, upTo, o)
	if err != nil {
		err = fmt.Errorf("alignment: %w", err)
	}
	return list, err
}

// selectC returns the smallest C with the fewest errors and their fraction, on the
// validation rows or by cross-validation. It returns the middle of the list if there are
// no rows to select on.
func (f *machines) selectC(validation examples) (c, loss float64, err error) {
	c = f.list[len(f.list)/2]
	if len(f.list) == 1 {
		return c, 0, nil
	}
	splits := f.splits(validation)
	wrong, n := make([]float64, len(f.list)), 0.0
	for k, s := range splits {
		train, check := newMachines(f.run, f.kernel.Kernel, s[0]), s[1]
		counts, err := train.errorsOn(check)
		if err != nil {
			return c, 0, err
		}
		if f.monitor.Stopped() {
			return c, 0, nil
		}
		n += check.weights.Total(check.x.Rows)
		for t, w := range counts {
			wrong[t] += w
		}
		f.monitor.Report(rkhs.Progress{Phase: "search", Done: k + 1, Total: len(splits), Iteration: k + 1,
			Objective: slices.Min(wrong) / n, Gap: math.NaN()})
	}
	if n == 0 {
		return c, 0, nil
	}
	least := slices.Min(wrong)
	return f.list[slices.Index(wrong, least)], least / n, nil
}

// splits returns pairs of training rows and rows to select on: all rows with the validation
// rows, or five folds of at most 4000 rows.
func (f *machines) splits(validation examples) (list [][2]examples) {
	const folds, foldRows = 5, 4000
	if validation.x.Rows > 0 {
		return [][2]examples{{f.examples, validation}}
	}
	order := rng.New(f.options.Seed, "alignment folds", 0).Perm(f.x.Rows)
	for _, s := range search.ClassFolds(order, f.class, f.firstCopies(), folds, foldRows) {
		list = append(list, [2]examples{f.pick(s.Learn), f.pick(s.Check)})
	}
	return list
}

// errorsOn returns the weight of wrongly classified rows for each C. Machines that did not
// converge count as they are.
func (f *machines) errorsOn(check examples) ([]float64, error) {
	const steps = 1000 // per row: most values of C that need more are too large
	list, err := f.path(f.list[len(f.list)-1], steps*f.x.Rows)
	if f.monitor.Stopped() {
		return nil, nil
	}
	if len(list) == 0 || err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
		return nil, err
	}
	const together = 1024 // scores in a row of one kernel product
	var wrong []float64
	pairs := pairCount(f.count)
	for group := range slices.Chunk(list, max(1, together/pairs)) {
		scores := f.scores(group, check.x)
		for t := range group {
			wrong = append(wrong, f.wrongLabels(compute.Columns(scores, t*pairs, (t+1)*pairs), check))
		}
	}
	return wrong, nil
}

// scores returns the scores of each element of list for rows x, side by side.
func (f *machines) scores(list []*svm.Classes, x compute.Matrix) compute.Matrix {
	pairs := pairCount(f.count)
	weights := compute.NewMatrix(f.x.Rows, pairs*len(list))
	var intercept []float64
	for t, c := range list {
		intercept = append(intercept, c.Coefficients(compute.Columns(weights, t*pairs, (t+1)*pairs))...)
	}
	scores := compute.NewMatrix(x.Rows, weights.Cols)
	f.kernel.Mul(scores, x, f.x, weights)
	compute.AddRow(scores, intercept)
	return scores
}

// wrongLabels returns the weight of the rows that scores assign to another class.
func (f *machines) wrongLabels(scores compute.Matrix, check examples) float64 {
	class, wrong := vote(f.count), 0.0
	for i, k := range check.class {
		if class(compute.Row(scores, i)) != k {
			wrong += check.weights.At(i)
		}
	}
	return wrong
}

// vote returns the function from the scores of all pairs of classes, positive for the
// larger class, to the class with the most votes.
func vote(count int) func(scores []float64) int {
	return func(scores []float64) int {
		return svm.Vote(count, func(pair int) bool { return scores[pair] > 0 })
	}
}

// solution returns the last machines of a path with their certificate, or the zero
// function for an empty path.
func (f *machines) solution(path []*svm.Classes) *solution {
	pairs := pairCount(f.count)
	s := &solution{points: f.x, weights: compute.NewMatrix(f.x.Rows, pairs), intercept: make([]float64, pairs)}
	s.report.Status = f.monitor.Status()
	if len(path) == 0 {
		return s
	}
	last, rep := path[len(path)-1], &s.report
	for _, sol := range last.Pairs {
		rep.Objective += sol.Objective
		rep.Gap += sol.Gap
		rep.Violation = max(rep.Violation, sol.Violation)
		if sol.Status != rkhs.Converged {
			rep.Status = sol.Status
		}
	}
	s.intercept = last.Coefficients(s.weights)
	return s
}
