package doublysgd

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// noveltyFit is one fit to rows that have passed the door. With values z of f at the
// rows and scaled multipliers −s/rho, s in [0, 1], its steps are
//
//	f = argmin (rho/2n)·Σ_i (f(x_i) − z_i − s_i/rho)² + (nu/2)·‖f‖²,
//	(z, r) = argmin 1/n·Σ_i max(0, r − z_i) − nu·r + (rho/2n)·Σ_i (z_i − v_i)²,  v = f − s/rho,
//
// of which the second has s = clip(rho·(r − v), 0, 1) with mean nu.
type noveltyFit struct {
	o         preconditionOptions
	nu        float64
	limit     int
	tolerance float64
	strict    bool
	r         *monitor.Monitor

	p      *preconditioned
	ridge  *ridge
	rho    float64
	offset float64
	begin  float64 // mean of what f begins as
	s      []float64
}

func (f *noveltyFit) run(x compute.Matrix) (*Novelty, error) {
	if err := f.prepare(x); err != nil {
		return nil, err
	}
	scores := make([]float64, x.Rows)
	bound := math.Inf(1)
	for steps, next := 0, 4; ; steps++ {
		phi, values := f.ridge.solve(f.ridge.rest.mean)
		copy(scores, values.Data)
		if steps == next || steps >= f.limit || f.r.Stopped() {
			bound = f.error(scores)
			next += max(4, next/4)
		}
		f.r.Report(rkhs.Progress{Iteration: steps, Objective: f.objective(scores, phi), ModelOrder: f.p.c.count(), Gap: bound})
		if bound <= f.tolerance || steps >= f.limit || f.r.Stopped() {
			return f.model(phi, scores, steps, bound)
		}
		f.step(scores)
	}
}

// prepare sets rho by the spread of the mean of k(x_i, ·), which is what f begins as.
func (f *noveltyFit) prepare(x compute.Matrix) error {
	o := f.o
	size, err := kernelMean(kernel.Evaluator{Kernel: o.kernel, Workers: o.workers}, x)
	if err != nil {
		return err
	}
	if !(size > 0) {
		return fmt.Errorf("doublysgd: the mean of k(x, x) is %v: %w", size, rkhs.ErrDiverged)
	}
	if f.p, err = o.newPreconditioned(o.kernel, x, 1, restNegligible*f.nu); err != nil {
		return err
	}
	n := x.Rows
	f.s = make([]float64, n)
	ones := compute.NewMatrix(n, 1)
	for i := range f.s {
		f.s[i], ones.Data[i] = f.nu, 1/float64(n)
	}
	first := compute.NewMatrix(n, 1)
	f.p.addSpanned(first, f.p.coordinates(ones))
	var spread float64
	f.begin, spread = stat.PopMeanStdDev(first.Data, nil)
	if spread < 1e-3*size {
		spread = 1e-3 * size
	}
	f.rho = 1 / spread
	if f.ridge, err = f.p.newRidge(compute.NewMatrix(n, 1), f.nu/f.rho, true); err != nil {
		return err
	}
	f.split(first.Data)
	return nil
}

// split takes the step in z and r for v, of which it keeps the targets z + s/rho.
func (f *noveltyFit) split(v []float64) {
	f.offset = f.level(v)
	for i, v := range v {
		f.s[i] = min(max(f.rho*(f.offset-v), 0), 1)
		f.ridge.y.Data[i] = v + 2*f.s[i]/f.rho
	}
}

// level returns r with mean clip(rho·(r − v), 0, 1) = nu: a rising function of r, linear
// between v_i and v_i + 1/rho.
func (f *noveltyFit) level(v []float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	low, high := sorted[0], sorted[len(v)-1]+1/f.rho
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		sum := 0.0
		for _, v := range sorted {
			if v >= mid {
				break
			}
			sum += min(f.rho*(mid-v), 1)
		}
		if sum < f.nu*float64(len(v)) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// relaxation makes the steps in z longer, as section 3.4.3 of Boyd et al., "Distributed
// optimization and statistical learning via the alternating direction method of
// multipliers", 2011, advises.
const relaxation = 1.6

// step takes one step in z and r for the values of f, and one in the rest if it may
// matter: f is at most about as far from that on the centres as rest.
func (f *noveltyFit) step(scores []float64) {
	for i, v := range scores {
		u := f.s[i] / f.rho
		z := f.ridge.y.Data[i] - u
		scores[i] = relaxation*v + (1-relaxation)*z - u
	}
	f.split(scores)
	if f.p.rest > f.tolerance/10*f.begin {
		f.ridge.step()
	}
}

// objective returns that of the problem, without the norm in the features.
func (f *noveltyFit) objective(scores []float64, phi compute.Matrix) float64 {
	sum := 0.0
	for _, v := range scores {
		sum += max(0, f.offset-v) / float64(len(scores))
	}
	for _, v := range phi.Data {
		sum += f.nu / 2 * v * v
	}
	return sum - f.nu*f.offset
}

// error returns what the conditions of optimality lack, relative to r: with the
// function f_s = Σ_i s_i·k(x_i, ·)/(nu·n) of the multipliers, in exact kernel values on a
// sample of the rows, the duality gap is
//
//	1/n·Σ_i [max(0, r − f(x_i)) − s_i·(r − f(x_i))] + (nu/2)·‖f − f_s‖².
func (f *noveltyFit) error(scores []float64) float64 {
	n := float64(len(scores))
	r := quantile(scores, f.nu)
	sample := f.p.sample()
	h := compute.NewMatrix(len(sample), 1)
	f.p.c.of.Mul(h, gather(f.p.x, sample), f.p.x, compute.Matrix{Rows: len(f.s), Cols: 1, Stride: 1, Data: f.s})
	differ, violated := 0.0, 0.0
	for i, row := range sample {
		d := scores[row] - h.Data[i]/(f.nu*n)
		differ += d * d / float64(len(sample))
	}
	for i, v := range scores {
		violated += (max(0, r-v) - f.s[i]*(r-v)) / n
	}
	return (math.Sqrt(differ) + max(0, violated)/f.nu) / math.Abs(r)
}

// quantile returns the r that minimises mean max(0, r − v) − nu·r: no more than nu·n of
// the values lie below it.
func quantile(v []float64, nu float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	return sorted[min(int(nu*float64(len(v))), len(v)-1)]
}

const marginRounding = 1e-6

func (f *noveltyFit) model(phi compute.Matrix, scores []float64, steps int, bound float64) (*Novelty, error) {
	// Rows at the margin itself are inside whichever way f is rounded.
	r := quantile(scores, f.nu)
	m := &Novelty{
		centred: centred{f: f.ridge.rest.composite(phi), report: f.p.report(steps, f.nu, bound)},
		offset:  r - marginRounding*math.Abs(r), nu: f.nu,
	}
	if !finite(m.offset) {
		return nil, fmt.Errorf("doublysgd: the offset is %v: %w", m.offset, rkhs.ErrDiverged)
	}
	if err := m.f.check(); err != nil {
		return nil, err
	}
	return m, m.report.conclude(f.r, f.tolerance, f.strict)
}
