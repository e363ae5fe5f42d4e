package alignment

import (
	"errors"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Criterion is what a kernel is chosen by.
type Criterion int

const (
	// LeaveOneOut compares leave-one-out errors of kernel ridge regression: those of
	// kernels of one bandwidth, columns brought to one scale or not, and that of the
	// kernel of the largest alignment, on rows that it was not learned from. The latter
	// is taken where it is better by more than one standard error.
	LeaveOneOut Criterion = iota
	// Alignment takes the kernel of the largest alignment, as the paper does.
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

// best returns the kernel of the criterion, and its ridge where that is to be chosen.
func (s *search) best(t *task) (*Result, error) {
	if families := s.options.isotropicFamilies(); families != nil {
		return s.compared(t, families)
	}
	res, err := s.choose(t)
	if err != nil {
		return nil, err
	}
	var choice kernel.Choice
	if s.options.choosesRidge && !s.monitor.Stopped() {
		choice.Curve = s.rate(t, s.trials(res.simplest()))
		choice.Trial = least(choice.Curve)
		choice.Exact = choice.Trial
	}
	if res, err = s.onAll(t, res); err == nil {
		res.Choice = choice
	}
	return res, err
}

// compared returns the kernel of one bandwidth or the aligned one.
func (s *search) compared(t *task, families []choose.Family) (*Result, error) {
	opts := choose.Options{Families: families, Metric: kernel.NoMetric, Enlarge: true, Weights: t.all.weights, MemoryLimit: s.options.MemoryLimit, Seed: s.options.Seed, Workers: s.options.Workers}
	if len(s.options.Ridge) == 1 {
		opts.Noise = s.options.Ridge[0]
	}
	choice := choose.Tune(compute.DensePoints(t.all.x), t.all.y, t.all.class, opts.Watched(s.monitor))
	if len(s.options.Ridge) > 1 && !s.monitor.Stopped() {
		choice.Trial = least(s.rate(t, s.trials(choice.Kernel)))
	}
	if s.monitor.Stopped() || t.check.x.Rows < leastCheckRows {
		return s.isotropic(t, choice)
	}
	scales := s.scales(choice.Kernel)
	aligned, err := s.choose(t.over(scales))
	if errors.Is(err, rkhs.ErrMemory) || errors.Is(err, rkhs.ErrDiverged) {
		return s.isotropic(t, choice)
	}
	if err != nil {
		return nil, err
	}
	trials := s.rate(t, append([]kernel.Trial{choice.Trial}, s.trials(aligned.over(scales).simplest())...))
	rival := least(trials[1:])
	choice.Curve = append(choice.Curve, trials[1:]...)
	if !(rival.Error+rival.StandardError < trials[0].Error) {
		return s.isotropic(t, choice)
	}
	if aligned, err = s.onAll(t.over(scales), aligned); err != nil {
		return nil, err
	}
	aligned = aligned.over(scales)
	choice.Trial, choice.Exact = rival, rival
	choice.Kernel = aligned.simplest()
	aligned.Choice = choice
	return aligned, nil
}

// scales returns those of the columns under which the kernel of one bandwidth does best,
// for alignment to begin with, or nil if it is to take rows as they are given: where each
// column gets a scale of its own anyway, and where bounds are in the unit of the columns.
func (s *search) scales(of kernel.Kernel) []float64 {
	if a, ok := of.(kernel.ARD); ok && !ofColumns(s.family.of) && s.options.Low == 0 && s.options.High == 0 {
		return a.Scales
	}
	return nil
}

// isotropic returns the result of a choice among kernels of one bandwidth.
func (s *search) isotropic(t *task, choice kernel.Choice) (*Result, error) {
	const most = 1000
	k := s.family.ofColumns(choice.Kernel, t.all.x.Cols)
	sum := kernel.Sum{kernel.Scale{By: 1, Of: k}}
	e := t.all.pick(rng.New(s.options.Seed, "alignment rows compared", 0).Sample(t.all.x.Rows, min(most, t.all.x.Rows)))
	choice.Stopped = s.monitor.Stopped()
	res := &Result{Kernel: sum, Rows: e.x.Rows, Status: s.monitor.Status(), Choice: choice}
	if e.weights != nil {
		e = e.pick(e.byWeight(e.x.Rows, s.options.Seed))
	}
	res.Alignment = alignmentWith(k, e.x, e.y, s.options.Workers)
	return res, res.usable(t.all.x, 0)
}

// trials are those of a kernel with each of the ridges that are given, or with the one
// that suits it best.
func (s *search) trials(k kernel.Kernel) []kernel.Trial {
	if len(s.options.Ridge) == 0 {
		return []kernel.Trial{{Kernel: k}}
	}
	var list []kernel.Trial
	for _, r := range s.options.Ridge {
		list = append(list, kernel.Trial{Kernel: k, Noise: r})
	}
	return list
}

// The rows on which kernels are compared: to learn from, and to predict.
const (
	compareRows, compareHeld = 900, 400
	// leastCheckRows is the number of rows below which they cannot tell two kernels apart.
	leastCheckRows = 10
)

// rate compares trials on rows to choose by, or on all rows, each left out by itself, where
// none are set aside.
func (s *search) rate(t *task, trials []kernel.Trial) []kernel.Trial {
	some := func(e examples, most int, number uint64) examples {
		return e.pick(rng.New(s.options.Seed, "alignment rows compared", number).Sample(e.x.Rows, min(most, e.x.Rows)))
	}
	e, held := some(t.all.pick(t.learn), compareRows, 1), t.check.x.Rows
	if held == 0 {
		held = e.x.Rows
	} else {
		check := some(t.check, compareHeld, 2)
		held = check.x.Rows
		e = examples{x: compute.Stack(e.x, check.x), y: compute.Stack(e.y, check.y), class: append(e.class, check.class...), weights: joined(e, check)}
	}
	return choose.Compare(trials, e.x, e.y, e.class, held, choose.Options{Weights: e.weights, Seed: s.options.Seed, Workers: s.options.Workers, Stopped: s.monitor.Stopped})
}

// least returns the trial of the least error, the first of equal ones.
func least(trials []kernel.Trial) kernel.Trial {
	best := trials[0]
	for _, t := range trials[1:] {
		if t.Error < best.Error {
			best = t
		}
	}
	return best
}

// isotropicFamilies returns those of package choose that the aligned kernel is compared
// with, or nil if it is with none.
func (s *settings) isotropicFamilies() []choose.Family {
	switch {
	case s.Criterion == Alignment:
		return nil
	case s.open:
		return choose.AllFamilies
	}
	of := s.Family
	if d := gram.Describe(of); d.Scaled {
		of = d.Unscaled
	}
	if l, ok := lengthScaled(of); ok {
		of = l.WithParameters([]float64{1}) // of a type that embeds a kernel, that kernel
	}
	switch k := of.(type) {
	case kernel.Gaussian:
		return []choose.Family{choose.GaussianFamily}
	case kernel.Laplacian:
		return []choose.Family{choose.LaplacianByColumns}
	case kernel.Matern:
		switch k.Nu {
		case 1.5:
			return []choose.Family{choose.Matern32Family}
		case 0.5:
			return []choose.Family{choose.Matern12Family}
		}
	}
	return nil
}

// ofColumns returns a kernel of one bandwidth as one of a bandwidth for each of d
// columns, if the family is of those.
func (f family) ofColumns(k kernel.Kernel, d int) kernel.Kernel {
	if !ofColumns(f.of) {
		return k
	}
	scales := make([]float64, d)
	for j := range scales {
		scales[j] = 1
	}
	if a, ok := k.(kernel.ARD); ok {
		copy(scales, a.Scales)
		k = a.Of
	}
	if l, ok := lengthScaled(k); ok {
		for j := range scales {
			scales[j] *= l.Parameters[0]
		}
		k = l.WithParameters([]float64{1})
	}
	return kernel.ARD{Scales: scales, Of: k}
}
