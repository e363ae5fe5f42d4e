package alignment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Search learns a kernel from rows x (n×d) and targets y (n×q) by the Criterion of the
// options. Targets are numbers, or −1 and 1 for two classes. Nil options select the
// defaults.
//
// The family may have no kernel of positive alignment, for example because equal rows have
// opposite targets. The result is then the kernel with the median distance as its bandwidth
// or, in other families, the start of the search. It has no Iterations. Errors wrap
// rkhs.ErrDomain if all rows or all targets are equal. If the context or the Recorder stops
// the search, it returns the current kernel and the error.
//
// The alignment of m rows with kernels of a distance needs one pass over all pairs of
// rows, O(m²·d), and O(m) memory. Each kernel then costs O(m). LeaveOneOut also factors
// about fifty matrices of at most 2000 rows.
//
// Rows may be rkhs.Weighted. Errors count by the weights. Alignment, a function of pairs of
// rows, repeats the rows if the weights are multiples of the smallest one and at most 4000
// rows result. Otherwise it draws rows by their weights.
func Search(ctx context.Context, x, y mat.Matrix, opts *Options) (*Result, error) {
	return searchOnly(ctx, searching, x, y, opts)
}

// SearchClasses is Search for labels, n×1. The targets have a column for each class, 1 in
// its rows and 0 elsewhere. A single class, and labels that are not whole numbers, give
// rkhs.ErrLabels.
func SearchClasses(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Result, error) {
	return searchOnly(ctx, searchingClasses, x, labels, opts)
}

// searchOnly searches without a second stage.
func searchOnly(ctx context.Context, m mode, x, y mat.Matrix, opts *Options) (*Result, error) {
	r, err := newRun(ctx, m, x, y, opts)
	if err != nil {
		return nil, err
	}
	defer r.monitor.Close()
	if equalRows(r.task.all.x) {
		return nil, fmt.Errorf("alignment: all rows of x are equal: %w", rkhs.ErrDomain)
	}
	if equalRows(r.task.all.y) {
		return nil, fmt.Errorf("alignment: all targets are equal: %w", rkhs.ErrDomain)
	}
	res, err := r.search()
	if err != nil {
		return nil, err
	}
	return res, r.monitor.Err()
}

func equalRows(m compute.Matrix) bool {
	for i := range m.Rows {
		if !slices.Equal(compute.Row(m, i), compute.Row(m, 0)) {
			return false
		}
	}
	return true
}

// align returns the kernel learned from the training rows, with the penalty of the largest
// alignment on the rows to select on.
func (r *run) align(t *task) (*Result, error) {
	if r.options.embedding != nil {
		if err := checkDomain(r.options.embedding, t.all.x); err != nil {
			return nil, err
		}
	}
	if !r.options.selectsShrink || t.check.x.Rows == 0 {
		return r.learn(t.all.pick(t.train), r.options.Shrink[0])
	}
	// A penalty selected on few rows also suits many, at a small part of the cost.
	const trainRows, checkRows = 500, 2000
	few := rng.New(r.options.Seed, "alignment rows for the penalty", 0).Sample(len(t.train), min(trainRows, len(t.train)))
	slices.Sort(few)
	train := t.all.pick(compute.PickOf(t.train, few))
	check := t.check.pick(compute.Indices(min(checkRows, t.check.x.Rows))).repeat(r.options.Seed)
	var best *Result
	largest := math.Inf(-1)
	for _, shrink := range r.options.Shrink {
		res, err := r.learn(train, shrink)
		if err != nil {
			return nil, err
		}
		if a := alignmentOn(check, res.Kernel, r.options.Workers); best == nil || a > largest {
			best, largest = res, a
		}
		if r.monitor.Stopped() {
			break
		}
	}
	return best, nil
}

// onAll learns the kernel from all rows, unless res already is the result on all rows.
func (r *run) onAll(t *task, res *Result) (*Result, error) {
	all := len(t.train) == t.all.x.Rows
	if t.all.weights == nil {
		all = all && res.Rows == len(r.rows(t.all.x.Rows))
	} else {
		all = all && (!r.options.selectsShrink || t.check.x.Rows == 0)
	}
	if all || r.monitor.Stopped() {
		return res, nil
	}
	return r.learn(t.all, res.Shrink)
}

// learn maximises the alignment on validated rows.
func (r *run) learn(from examples, shrink float64) (*Result, error) {
	rows := r.rows(from.x.Rows)
	if from.weights != nil {
		rows = from.byWeight(len(rows), r.options.Seed)
	}
	d := newData(compute.Pick(from.x, rows), compute.Pick(from.y, rows), r.options.Workers, r.monitor.Stopped)
	sp, err := r.space(d, shrink)
	if err != nil {
		return nil, err
	}
	a := newAscent(sp, d, r.options)
	status := r.monitor.Status()
	if d.norm > 0 && !r.monitor.Stopped() {
		status = a.run(r.monitor)
	}
	if r.options.Refit {
		a.refit()
	}
	res := &Result{Kernel: a.sum(from.x), Iterations: a.iterations, Alignment: a.alignment(), Rows: d.x.Rows, Status: status}
	if hasScales(r.options.Family) {
		res.Shrink = shrink
	}
	if err := res.validate(from.x, d.norm); err != nil {
		return nil, err
	}
	return res, nil
}

// rows lists the rows out of n for the search.
func (r *run) rows(n int) []int {
	all, few := 5000, 2000
	if r.options.SearchRows > 0 {
		all, few = r.options.SearchRows, r.options.SearchRows
	} else if !ofDistance(r.options.Family) {
		all = few
	}
	if n <= all {
		return compute.Indices(n)
	}
	return rng.New(r.options.Seed, "alignment search rows", 0).Sample(n, few)
}
