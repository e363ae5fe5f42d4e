package alignment

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// Result is the kernel that a search has found, and how.
type Result struct {
	// Kernel is the sum of scaled kernels of the family, as any learner takes it.
	// The Gram matrix of the rows has the trace n, unless Epsilon is given.
	Kernel kernel.Sum
	// Steps are the kernels in the order in which they were found.
	Steps []Step
	// Alignment is the centred alignment of the Gram matrix on the rows of the
	// search with that of the targets.
	Alignment float64
	// Shrink is the weight of the penalty of the bandwidths; 0 where there are not
	// several.
	Shrink float64
	// Rows is the number of rows of the search.
	Rows int
	// Status says how the search ended: Converged, or IterationLimit at
	// MaxKernels, which is a choice and no fault, or Cancelled, or Stopped.
	Status rkhs.Status
}

// kernel returns the sum in the form that costs least.
func (r *Result) kernel() kernel.Kernel {
	if len(r.Kernel) > 1 {
		return r.Kernel
	}
	if k := r.Kernel[0].(kernel.Scale); k.By == 1 {
		return k.Of
	}
	return r.Kernel[0]
}

// Step is one iteration of a search.
type Step struct {
	// Kernel is the member of the family that was added.
	Kernel kernel.Kernel
	// Eta is the weight with which it was added.
	Eta float64
	// Alignment is that of the sum with this kernel in it.
	Alignment float64
	// Evaluations counts the kernels that were tried to find it.
	Evaluations int
}

// Search learns a kernel from rows x (n×d) and targets y (n×q): numbers, or −1
// and 1 for two classes. Nil options mean the defaults.
//
// If no kernel of the family agrees with the targets better than the identity
// matrix does, as where equal rows have opposite targets, the kernel is the
// member of the family whose bandwidth is the median distance, or in other
// families the one that is searched from, and Steps is empty. Errors wrap
// rkhs.ErrDomain if all rows are equal or all targets are, and otherwise those
// of data and options. A search that is cancelled, or stopped by the Recorder,
// returns the kernel so far together with the error.
//
// For m rows and kernels that are functions of a distance it takes one pass over
// the pairs of rows, O(m²·d) time, and O(m) memory; each kernel then costs O(m).
func Search(ctx context.Context, x, y mat.Matrix, opts *Options) (*Result, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	t, err := s.numbers(x, y)
	if err != nil {
		return nil, err
	}
	return s.search(ctx, t)
}

// SearchClasses is Search for labels, n×1: the targets are one column for each
// class, 1 in its rows and 0 in others. A single class, and labels that are not
// whole numbers, give rkhs.ErrLabels.
func SearchClasses(ctx context.Context, x, labels mat.Matrix, opts *Options) (*Result, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	t, _, err := s.labelled(x, labels)
	if err != nil {
		return nil, err
	}
	return s.search(ctx, t)
}

func (s *settings) search(ctx context.Context, t *task) (*Result, error) {
	if equalRows(t.x) {
		return nil, fmt.Errorf("alignment: all rows of x are equal: %w", rkhs.ErrDomain)
	}
	if equalRows(t.y) {
		return nil, fmt.Errorf("alignment: all targets are equal: %w", rkhs.ErrDomain)
	}
	r := monitor.New(ctx, s.Recorder, "alignment")
	defer r.Close()
	res, err := s.kernelOf(t, r)
	if err != nil {
		return nil, err
	}
	return res, r.Err()
}

// kernelOf chooses the penalty and learns from all rows.
func (s *settings) kernelOf(t *task, r *monitor.Monitor) (*Result, error) {
	s.prepare(t, false)
	res, err := s.chooseShrink(t, r)
	if err != nil || len(t.learn) == t.x.Rows || r.Stopped() {
		return res, err
	}
	return s.learn(t.x, t.y, res.Shrink, r)
}

// learn is a search on checked rows, of which all may be equal.
func (s *settings) learn(x, y compute.Matrix, shrink float64, r *monitor.Monitor) (*Result, error) {
	d := s.data(x, y)
	sp, err := s.spaceOf(d, shrink, r.Stopped)
	if err != nil {
		return nil, err
	}
	a := newAscent(sp, d, s.Epsilon)
	status := r.Status()
	if d.norm > 0 && !r.Stopped() {
		status = a.run(s, r)
		a.fallBack(r)
	}
	if s.Refit {
		a.refit()
	}
	res := &Result{Kernel: a.sum(s, x), Steps: a.steps, Alignment: a.alignment(), Rows: d.x.Rows, Status: status}
	if _, ok := s.Family.(kernel.ARD); ok {
		res.Shrink = shrink
	}
	if err := res.usable(x, d.norm); err != nil {
		return nil, err
	}
	return res, nil
}

// usable refuses a kernel whose parameters or values left the range of numbers,
// on rows x whose targets have the norm ‖T‖.
func (r *Result) usable(x compute.Matrix, norm float64) error {
	if norm > 0 && math.IsNaN(r.Alignment) {
		return fmt.Errorf("alignment: targets or features are too large: %w", rkhs.ErrDiverged)
	}
	if err := kernel.Check(r.Kernel, x); err != nil {
		return fmt.Errorf("alignment: the kernel that was found: %w: %w", rkhs.ErrDiverged, err)
	}
	diagonal := make([]float64, x.Rows)
	kernel.Evaluator{Kernel: r.Kernel}.Diag(diagonal, x)
	if sum := floats.Sum(diagonal); math.IsNaN(sum) || math.IsInf(sum, 0) {
		return fmt.Errorf("alignment: values of the kernel that was found have the sum %v: %w", sum, rkhs.ErrDiverged)
	}
	return nil
}

// sum returns the kernel that was found, with the trace n on the rows of x.
func (a *ascent) sum(s *settings, x compute.Matrix) kernel.Sum {
	var sum kernel.Sum
	for t, k := range a.kernels {
		if a.weights[t] > 0 {
			sum = append(sum, kernel.Scale{By: a.weights[t], Of: k})
		}
	}
	if len(sum) == 0 {
		sum = kernel.Sum{kernel.Scale{By: 1, Of: a.fallback()}}
	}
	if s.Epsilon > 0 && len(a.steps) > 0 {
		return sum
	}
	return normalised(sum, x, s.Workers)
}

// normalised returns the sum scaled to the trace n on the n rows of x.
func normalised(sum kernel.Sum, x compute.Matrix, workers int) kernel.Sum {
	diag := make([]float64, x.Rows)
	kernel.Evaluator{Kernel: sum, Workers: workers}.Diag(diag, x)
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
