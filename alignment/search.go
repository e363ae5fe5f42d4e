package alignment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Search learns a kernel from rows x (n×d) and targets y (n×q): numbers, or −1
// and 1 for two classes, by the Criterion of the options. Nil options mean the
// defaults.
//
// If no kernel of the family agrees with the targets better than the identity
// matrix does, as where equal rows have opposite targets, the kernel is the
// member of the family whose bandwidth is the median distance, or in other
// families the one that is searched from, and Iterations is empty. Errors wrap
// rkhs.ErrDomain if all rows are equal or all targets are, and otherwise those
// of data and options. A search that is cancelled, or stopped by the Recorder,
// returns the kernel so far together with the error.
//
// For m rows and kernels that are functions of a distance alignment takes one pass
// over the pairs of rows, O(m²·d) time, and O(m) memory; each kernel then costs O(m).
// LeaveOneOut besides factorises some fifty matrices of at most 2000 rows.
//
// Rows may be rkhs.Weighted. Errors count the weights; alignment, a function of the pairs of
// rows, is taken over rows repeated where weights are whole multiples of the least, up to
// 4000 of them in all, and over rows drawn by their weights otherwise.
func Search(ctx context.Context, x, y mat.Matrix, opts *Options) (*Result, error) {
	s, err := opts.settings(searching)
	if err != nil {
		return nil, err
	}
	t, err := newTask(x, y, s)
	if err != nil {
		return nil, err
	}
	return searchAlone(ctx, t, s)
}

// SearchClasses is Search for labels, n×1: the targets are one column for each
// class, 1 in its rows and 0 in others. A single class, and labels that are not
// whole numbers, give rkhs.ErrLabels.
func SearchClasses(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Result, error) {
	s, err := opts.settings(searchingClasses)
	if err != nil {
		return nil, err
	}
	t, _, err := newLabelledTask(x, labels, s)
	if err != nil {
		return nil, err
	}
	return searchAlone(ctx, t, s)
}

// searchAlone is a search without a second stage.
func searchAlone(ctx context.Context, t *task, s *settings) (*Result, error) {
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	if equalRows(t.all.x) {
		return nil, fmt.Errorf("alignment: all rows of x are equal: %w", rkhs.ErrDomain)
	}
	if equalRows(t.all.y) {
		return nil, fmt.Errorf("alignment: all targets are equal: %w", rkhs.ErrDomain)
	}
	r := monitor.New(ctx, s.Recorder, pkg)
	defer r.Close()
	res, err := newSearch(s, r).best(t)
	if err != nil {
		return nil, err
	}
	return res, r.Err()
}

// search learns a kernel, by a task of its own or as the first stage of a fit.
type search struct {
	options *settings
	family  family
	monitor *monitor.Monitor
}

func newSearch(s *settings, r *monitor.Monitor) *search {
	return &search{
		options: s,
		family:  family{of: s.Family, low: s.Low, high: s.High, memory: s.MemoryLimit, workers: s.Workers},
		monitor: r,
	}
}

// choose returns the kernel learned from the rows to learn from, with the penalty of
// the largest alignment on the rows to choose by.
func (s *search) choose(t *task) (*Result, error) {
	if s.options.twin != nil {
		if err := check(s.options.twin, t.all.x); err != nil {
			return nil, err
		}
	}
	if !s.options.choosesShrink || t.check.x.Rows == 0 {
		return s.learn(t.all.pick(t.learn), s.options.Shrink[0])
	}
	// The weight that suits few rows suits many, at a small part of the cost.
	const shrinkRows, most = 500, 2000
	few := rng.New(s.options.Seed, "alignment rows for the penalty", 0).Sample(len(t.learn), min(shrinkRows, len(t.learn)))
	slices.Sort(few)
	for k, at := range few {
		few[k] = t.learn[at]
	}
	from := t.all.pick(few)
	check := t.check.first(min(most, t.check.x.Rows), s.options.Seed)
	var best *Result
	largest := math.Inf(-1)
	for _, shrink := range s.options.Shrink {
		res, err := s.learn(from, shrink)
		if err != nil {
			return nil, err
		}
		if a := alignmentWith(res.Kernel, check.x, check.y, s.options.Workers); best == nil || a > largest {
			best, largest = res, a
		}
		if s.monitor.Stopped() {
			break
		}
	}
	return best, nil
}

// onAll learns the kernel again from all rows, if it was learned from some.
func (s *search) onAll(t *task, res *Result) (*Result, error) {
	if s.monitor.Stopped() || !t.divided() && s.sawAll(t, res) {
		return res, nil
	}
	return s.learn(t.all, res.Shrink)
}

// sawAll reports whether a kernel was learned from as many rows as those of a task are.
func (s *search) sawAll(t *task, res *Result) bool {
	if t.all.weights == nil {
		return res.Rows == len(s.rows(t.all.x.Rows))
	}
	return !s.options.choosesShrink || t.check.x.Rows == 0
}

// learn is a search on checked rows, of which all may be equal.
func (s *search) learn(from examples, shrink float64) (*Result, error) {
	rows := s.rows(from.x.Rows)
	if from.weights != nil {
		rows = from.byWeight(len(rows), s.options.Seed)
	}
	d := newData(compute.Pick(from.x, rows), compute.Pick(from.y, rows))
	sp, err := s.family.space(d, shrink, s.monitor.Stopped)
	if err != nil {
		return nil, err
	}
	a := newAscent(sp, d, s.options)
	status := s.monitor.Status()
	if d.norm > 0 && !s.monitor.Stopped() {
		status = a.run(s.monitor)
		a.fallBack(s.monitor)
	}
	if s.options.Refit {
		a.refit()
	}
	res := &Result{Kernel: s.sum(a, from.x), Iterations: a.iterations, Alignment: a.alignment(), Rows: d.x.Rows, Status: status}
	if ofColumns(s.family.of) {
		res.Shrink = shrink
	}
	if err := res.usable(from.x, d.norm); err != nil {
		return nil, err
	}
	return res, nil
}

// rows lists those of n rows that a kernel is learned from.
func (s *search) rows(n int) []int {
	all, few := 5000, 2000
	if s.options.SearchRows > 0 {
		all, few = s.options.SearchRows, s.options.SearchRows
	} else if !ofDistance(s.family.of) {
		all = few
	}
	if n <= all {
		return compute.Indices(n)
	}
	return rng.New(s.options.Seed, "alignment search rows", 0).Sample(n, few)
}

// sum returns the kernel that was found, with the trace n on the n rows of x.
func (s *search) sum(a *ascent, x compute.Matrix) kernel.Sum {
	var sum kernel.Sum
	for t, k := range a.kernels {
		if a.weights[t] > 0 {
			sum = append(sum, kernel.Scale{By: a.weights[t], Of: k})
		}
	}
	if len(sum) == 0 {
		sum = kernel.Sum{kernel.Scale{By: 1, Of: a.fallback()}}
	}
	if s.options.Epsilon > 0 && len(a.iterations) > 0 {
		return sum
	}
	return normalised(sum, x, s.options.Workers)
}

// normalised returns the sum scaled to the trace n on the n rows of x.
func normalised(sum kernel.Sum, x compute.Matrix, workers int) kernel.Sum {
	diag := make([]float64, x.Rows)
	gram.Evaluator{Kernel: sum, Workers: workers}.Diag(diag, x)
	mean := 0.0
	for _, v := range diag {
		mean += v / float64(x.Rows)
	}
	for t, k := range sum {
		k := k.(kernel.Scale)
		sum[t] = kernel.Scale{By: k.By / mean, Of: k.Of}
	}
	return sum
}
