package doublysgd

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	ratioSearchRows    = 1000 // of each kind at most
	ratioSearchCentres = 100
	largestRatioRidge  = 10.0
	smallestRatioRidge = 1e-6
)

// choose finds the bandwidth and the ridge that are not given, on up to 1000 rows of each
// kind: of those whose loss when one row at a time is left out is within one standard
// error of the least, those of the largest ridge: where rows of p have few of q beside
// them the loss praises the growth of the ratio on the word of few rows.
func (f *ratioFit) choose(x, y, rows compute.Matrix) error {
	given := f.o.kernel
	s := settings{Options: Options{Kernel: given, Seed: f.o.seed}}
	var err error
	if f.o.kernel, err = s.kernel(rows); err != nil {
		return err
	}
	if _, err := kernelMean(kernel.Evaluator{Kernel: f.o.kernel, Workers: f.o.workers}, rows); err != nil {
		return err
	}
	if given != nil && f.nu > 0 {
		return nil
	}
	kernels := []kernel.Kernel{f.o.kernel}
	if g, ok := f.o.kernel.(kernel.Gaussian); ok && given == nil {
		for _, factor := range []float64{1. / 4, 1. / 2, 2} {
			kernels = append(kernels, kernel.Gaussian{Sigma: factor * g.Sigma})
		}
	}
	x, y = f.searchRows(x, 0), f.searchRows(y, 1)
	var trials []ratioTrial
	for _, k := range kernels {
		more, err := f.trials(k, stack(x, y), x.Rows)
		if err != nil {
			return err
		}
		trials = append(trials, more...)
	}
	f.nu = cmp.Or(f.nu, 0.1)
	if t := simplest(trials, x.Rows); t.kernel != nil {
		f.o.kernel, f.nu = t.kernel, t.nu
	}
	return nil
}

// ratioTrial is a kernel and a ridge with the losses of the rows.
type ratioTrial struct {
	kernel kernel.Kernel
	nu     float64
	losses []float64
	loss   float64 // their sum
}

// simplest returns the trial of the largest ridge within one standard error of the best,
// where the first rows are of one kind; none if no trial has a finite loss.
func simplest(trials []ratioTrial, above int) ratioTrial {
	best := ratioTrial{loss: math.Inf(1)}
	for _, t := range trials {
		if t.loss < best.loss {
			best = t
		}
	}
	chosen := best
	for _, t := range trials {
		if simpler := t.nu > chosen.nu || t.nu == chosen.nu && t.loss < chosen.loss; simpler && t.loss-best.loss <= t.error(best, above) {
			chosen = t
		}
	}
	return chosen
}

// error returns the standard error of the difference of the losses of two trials, in which
// rows are independent.
func (t ratioTrial) error(of ratioTrial, above int) float64 {
	differences := make([]float64, len(t.losses))
	for i, v := range t.losses {
		differences[i] = v - of.losses[i]
	}
	n, m := float64(above), float64(len(differences)-above)
	_, p := stat.PopMeanVariance(differences[:above], nil)
	_, q := stat.PopMeanVariance(differences[above:], nil)
	return math.Sqrt(n*p + m*q)
}

// searchRows draws the rows of one kind that choices are made by.
func (f *ratioFit) searchRows(x compute.Matrix, kind uint64) compute.Matrix {
	return gather(x, rng.New(f.o.seed, "doublysgd ratio", kind).Sample(x.Rows, min(x.Rows, ratioSearchRows)))
}

// trials tries ridges, from the largest down until two in a row bring nothing, or that
// which is given, on few centres without the rest of the kernel.
func (f *ratioFit) trials(k kernel.Kernel, x compute.Matrix, above int) ([]ratioTrial, error) {
	c, _, err := newCentres(kernel.Evaluator{Kernel: k, Workers: f.o.workers}, x, ratioSearchCentres, restNegligible, f.o.seed)
	if err != nil {
		return nil, err
	}
	first, last := largestRatioRidge, smallestRatioRidge
	if f.nu > 0 {
		first, last = f.nu, f.nu
	}
	problem := &ratioProblem{form: f.form, e: c.at(x), above: above, rest: make([]float64, x.Rows), worker: f.o.workers}
	phi := compute.NewMatrix(c.count(), 1)
	var trials []ratioTrial
	for best, worse, nu := math.Inf(1), 0, first; worse < 2 && nu > last*0.99 && !f.r.Stopped(); nu /= 10 {
		problem.nu = nu
		losses := problem.leaveOneOut(problem.solve(phi))
		t := ratioTrial{k, nu, losses, floats.Sum(losses)}
		trials = append(trials, t)
		worse++
		if t.loss < best {
			best, worse = t.loss, 0
		}
	}
	return trials, nil
}

// leaveOneOut returns the loss of each row at the function that the others give, to first order in what the row adds to the gradient: for values f at the minimum,
// where the Hessian is H,
//
//	f_i + h_i·l'_i/(1 − h_i·l''_i),   h_i = e(x_i)ᵀH⁻¹e(x_i).
//
// Source: Rad and Maleki, "A scalable estimate of the out-of-sample prediction error via
// approximate leave-one-out cross-validation", Journal of the Royal Statistical Society B
// 82, 2020.
func (r *ratioProblem) leaveOneOut(f compute.Matrix) []float64 {
	losses := make([]float64, f.Rows)
	hessian := r.hessian(f)
	if !compute.Cholesky(hessian, r.worker) {
		losses[0] = math.Inf(1)
		return losses
	}
	spread := transposed(r.e)
	compute.SolveUpper(hessian, spread, true, r.worker)
	share := make([]float64, f.Rows)
	for i := range spread.Rows {
		for j, v := range row(spread, i) {
			share[j] += v * v
		}
	}
	for i, v := range f.Data {
		_, first, second := r.at(i, v)
		losses[i], _, _ = r.at(i, r.credible(i, v+share[i]*first/(1-share[i]*second)))
	}
	return losses
}

// credible returns the value f of row i as far as it counts. The loss would praise a ratio
// below zero where rows of p are few, and a large one where rows of q are: their mean is 1
// over q, of which m rows show no ratio larger than m.
func (r *ratioProblem) credible(i int, f float64) float64 {
	most := float64(r.e.Rows - r.above)
	switch {
	case i < r.above && r.form == LogRatio:
		return min(f, math.Log(most))
	case r.form == LogRatio:
		return f
	case i < r.above:
		f = min(f, most)
	}
	return max(0, f)
}
