package alignment

import (
	"errors"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Criterion is the objective of the kernel search.
type Criterion int

const (
	// LeaveOneOut selects the kernel of one bandwidth, with columns scaled or not, that has
	// the lowest leave-one-out error of kernel ridge regression. It selects the kernel of
	// the largest alignment instead if that has a lower error on unseen rows, by more than
	// one standard error.
	LeaveOneOut Criterion = iota
	// Alignment selects the kernel of the largest alignment, as the paper does.
	Alignment
)

// String returns the name of the constant.
func (c Criterion) String() string {
	switch c {
	case LeaveOneOut:
		return "LeaveOneOut"
	case Alignment:
		return "Alignment"
	}
	return fmt.Sprintf("Criterion(%d)", int(c))
}

// search returns the kernel of the criterion, with its ridge if that is to be selected.
func (r *run) search() (*Result, error) {
	if families := r.options.isotropicFamilies(); families != nil {
		return r.compare(families)
	}
	res, err := r.align(r.task)
	if err != nil {
		return nil, err
	}
	var found kernel.SearchResult
	if r.options.selectsRidge && !r.monitor.Stopped() {
		found.Curve = r.score(res.simplest())
		found.Trial = best(found.Curve)
		found.Exact = found.Trial
	}
	if res, err = r.onAll(r.task, res); err == nil {
		res.Search = found
	}
	return res, err
}

// compare returns the best kernel of one bandwidth, or the aligned kernel if that is
// significantly better.
func (r *run) compare(families []search.Family) (*Result, error) {
	const leastCheckRows = 10 // to distinguish two kernels
	found := r.tune(families)
	if r.monitor.Stopped() || r.task.check.x.Rows < leastCheckRows {
		return r.isotropic(found)
	}
	scales := r.scales(found.Kernel)
	scaled := r.task.scaled(scales)
	aligned, err := r.align(scaled)
	if errors.Is(err, rkhs.ErrMemory) || errors.Is(err, rkhs.ErrDiverged) {
		return r.isotropic(found)
	}
	if err != nil {
		return nil, err
	}
	trials := r.score(aligned.unscaled(scales).simplest(), found.Trial)
	rival := best(trials[1:])
	found.Curve = append(found.Curve, trials[1:]...)
	if !(rival.Error+rival.StandardError < trials[0].Error) {
		return r.isotropic(found)
	}
	if aligned, err = r.onAll(scaled, aligned); err != nil {
		return nil, err
	}
	aligned = aligned.unscaled(scales)
	found.Trial, found.Exact = rival, rival
	found.Kernel = aligned.simplest()
	aligned.Search = found
	return aligned, nil
}

// tune selects a kernel of one bandwidth by its leave-one-out error.
func (r *run) tune(families []search.Family) kernel.SearchResult {
	s, all := r.options, r.task.all
	opts := search.Options{Families: families, Metric: kernel.NoMetric, Rescore: true, Weights: all.weights,
		MemoryLimit: s.MemoryLimit, Seed: s.Seed, Workers: s.Workers}
	if len(s.Ridge) == 1 {
		opts.Noise = s.Ridge[0]
	}
	found := search.Tune(compute.DensePoints(all.x), all.y, all.class, opts.WithMonitor(r.monitor))
	if len(s.Ridge) > 1 && !r.monitor.Stopped() {
		found.Trial = best(r.score(found.Kernel))
	}
	return found
}

// scales returns the column scales of the best kernel of one bandwidth, or nil. Alignment
// uses them unless the family has its own scales, or Low and High are in the unit of the
// columns.
func (r *run) scales(of kernel.Kernel) []float64 {
	if a, ok := of.(kernel.ARD); ok && !hasScales(r.options.Family) && r.options.Low == 0 && r.options.High == 0 {
		return a.Scales
	}
	return nil
}

// isotropic returns the result of a selection among kernels of one bandwidth.
func (r *run) isotropic(found kernel.SearchResult) (*Result, error) {
	const most = 1000
	k := found.Kernel
	if hasScales(r.options.Family) {
		k = withScales(k, r.task.all.x.Cols)
	}
	some := r.task.all.sample(most, r.options.Seed, 0)
	found.Stopped = r.monitor.Stopped()
	res := &Result{Kernel: kernel.Sum{kernel.Scale{By: 1, Of: k}}, Rows: some.x.Rows, Status: r.monitor.Status(), Search: found}
	res.Alignment = alignmentOn(some.repeat(r.options.Seed), k, r.options.Workers)
	return res, res.validate(r.task.all.x, 0)
}

// score returns the errors of trials and of k with each given ridge, or with the best one
// if no ridge is given. Errors are on the rows to select on. Without such rows they are
// leave-one-out errors.
func (r *run) score(k kernel.Kernel, trials ...kernel.Trial) []kernel.Trial {
	const trainRows, checkRows = 900, 400
	if len(r.options.Ridge) == 0 {
		trials = append(trials, kernel.Trial{Kernel: k})
	}
	for _, ridge := range r.options.Ridge {
		trials = append(trials, kernel.Trial{Kernel: k, Noise: ridge})
	}
	seed := r.options.Seed
	rows := r.task.all.pick(r.task.train).sample(trainRows, seed, 1)
	heldOut := rows.x.Rows
	if r.task.check.x.Rows > 0 {
		check := r.task.check.sample(checkRows, seed, 2)
		heldOut = check.x.Rows
		rows = rows.with(check)
	}
	opts := search.Options{Weights: rows.weights, Seed: seed, Workers: r.options.Workers, Stopped: r.monitor.Stopped}
	return search.Compare(trials, rows.x, rows.y, rows.class, heldOut, opts)
}

// best returns the first trial with the lowest error.
func best(trials []kernel.Trial) kernel.Trial {
	best := trials[0]
	for _, t := range trials[1:] {
		if t.Error < best.Error {
			best = t
		}
	}
	return best
}

// isotropicFamilies returns the families that LeaveOneOut compares with the aligned
// kernel, or nil if there is no comparison.
func (s *settings) isotropicFamilies() []search.Family {
	switch {
	case s.Criterion == Alignment:
		return nil
	case s.anyFamily:
		return search.AllFamilies
	}
	of := s.Family
	if d := gram.Describe(of); d.Scaled {
		of = d.Unscaled
	}
	if d := gram.Describe(of); d.LengthScaled() {
		of = d.WithParameters([]float64{1}) // the embedded kernel, if the type embeds one
	}
	switch of {
	case kernel.Gaussian{Sigma: 1}:
		return []search.Family{search.GaussianFamily}
	case kernel.Laplacian{Sigma: 1}:
		return []search.Family{search.LaplacianByColumns}
	case kernel.Matern{Nu: 1.5, Length: 1}:
		return []search.Family{search.Matern32Family}
	case kernel.Matern{Nu: 0.5, Length: 1}:
		return []search.Family{search.Matern12Family}
	}
	return nil
}

// withScales returns a kernel of one bandwidth as a kernel.ARD of unit length.
func withScales(k kernel.Kernel, columns int) kernel.Kernel {
	scales := make([]float64, columns)
	for j := range scales {
		scales[j] = 1
	}
	if a, ok := k.(kernel.ARD); ok {
		copy(scales, a.Scales)
		k = a.Of
	}
	if d := gram.Describe(k); d.LengthScaled() {
		for j := range scales {
			scales[j] *= d.Parameters[0]
		}
		k = d.WithParameters([]float64{1})
	}
	return kernel.ARD{Scales: scales, Of: k}
}
