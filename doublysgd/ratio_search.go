package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
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

// choose finds the bandwidth and the ridge that are not given, those of the least loss
// when one row at a time is left out, on up to 1000 rows of each kind.
func (f *ratioFit) choose(x, y, rows compute.Matrix) error {
	given := f.o.kernel
	s := settings{Options: Options{Kernel: given, Seed: f.o.seed}}
	var err error
	if f.o.kernel, err = s.kernel(rows); err != nil {
		return err
	}
	prior := prior{kernel: f.o.kernel}
	if size := prior.kernelMean(rows, f.o.workers); !finite(size) {
		return fmt.Errorf("doublysgd: the mean of k(x, x) is %v: %w", size, rkhs.ErrDiverged)
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
	best, chosen := math.Inf(1), cmp.Or(f.nu, 0.1)
	for _, k := range kernels {
		nu, loss, err := f.bestRidge(k, stack(x, y), x.Rows)
		if err != nil {
			return err
		}
		if loss < best {
			best, chosen, f.o.kernel = loss, nu, k
		}
	}
	f.nu = chosen
	return nil
}

// searchRows draws the rows of one kind that choices are made by.
func (f *ratioFit) searchRows(x compute.Matrix, kind uint64) compute.Matrix {
	return pickRows(x, rng.New(f.o.seed, "doublysgd ratio", kind).Sample(x.Rows, min(x.Rows, ratioSearchRows)))
}

// bestRidge returns the ridge of the least loss, from the largest down until two in a row
// bring nothing, on few centres without the rest of the kernel. Of a ridge that is given
// it returns the loss.
func (f *ratioFit) bestRidge(k kernel.Kernel, x compute.Matrix, above int) (nu, loss float64, err error) {
	c, _, err := newCentres(kernel.Evaluator{Kernel: k, Workers: f.o.workers}, x, ratioSearchCentres, restNegligible, f.o.seed)
	if err != nil {
		return 0, 0, err
	}
	first, last := largestRatioRidge, smallestRatioRidge
	if f.nu > 0 {
		first, last = f.nu, f.nu
	}
	problem := &ratioProblem{form: f.form, e: c.at(x), above: above, rest: make([]float64, x.Rows), worker: f.o.workers}
	phi := compute.NewMatrix(c.count(), 1)
	nu, loss = first, math.Inf(1)
	for worse, try := 0, first; worse < 2 && try > last*0.99 && !f.r.Stopped(); try /= 10 {
		problem.nu = try
		worse++
		if l := problem.leaveOneOut(problem.solve(phi)); l < loss {
			nu, loss, worse = try, l, 0
		}
	}
	return nu, loss, nil
}

// leaveOneOut returns the loss where each row is predicted by the function that the others
// give, to first order in what the row adds to the gradient: for values f at the minimum,
// where the Hessian is H,
//
//	f_i + h_i·l'_i/(1 − h_i·l''_i),   h_i = e(x_i)ᵀH⁻¹e(x_i).
//
// A ratio below zero counts as zero, or else the loss would praise it where rows from p
// are few. Source: Rad and Maleki, "A scalable estimate of the out-of-sample prediction
// error via approximate leave-one-out cross-validation", Journal of the Royal Statistical
// Society B 82, 2020.
func (r *ratioProblem) leaveOneOut(f compute.Matrix) float64 {
	hessian := r.hessian(f)
	if !compute.Cholesky(hessian, r.worker) {
		return math.Inf(1)
	}
	spread := transposed(r.e)
	compute.SolveUpper(hessian, spread, true, r.worker)
	share := make([]float64, f.Rows)
	for i := range spread.Rows {
		for j, v := range row(spread, i) {
			share[j] += v * v
		}
	}
	sum := 0.0
	for i, v := range f.Data {
		_, first, second := r.at(i, v)
		if v += share[i] * first / (1 - share[i]*second); r.form == PlainRatio {
			v = max(0, v)
		}
		loss, _, _ := r.at(i, v)
		sum += loss
	}
	return sum
}
