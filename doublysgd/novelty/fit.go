package novelty

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
)

// Fit fits the one-class support vector machine to the rows of x (n×d). If x is
// rkhs.Weighted, Nu is a fraction of the total weight. With q landmarks, the setup costs
// O(n·q·(q + d)). A step with a block of m features costs O(n·q + n·m·d); Fit omits the
// features if the landmarks suffice. A fit that is cancelled, stopped or not converged
// returns its best model with the error.
func Fit(ctx context.Context, x mat.Matrix, opts *Options) (*Model, error) {
	o, err := opts.checked()
	if err != nil {
		return nil, err
	}
	if err := o.refuse(false); err != nil {
		return nil, err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return nil, err
	}
	w, err := input.WeighedRows(pkg, input.Points, "x", x)
	if err != nil {
		return nil, err
	}
	if o.Kernel, err = search.Kernel(pkg, o.Kernel, w.X, 1, o.Seed); err != nil {
		return nil, err
	}
	f := &fit{
		nu: cmp.Or(o.Nu, defaultNu), limit: cmp.Or(o.Iterations, defaultIterations),
		tolerance: cmp.Or(o.Tolerance, defaultTolerance), strict: o.Tolerance > 0,
		monitor: progress.New(ctx, o.Recorder, pkg),
	}
	defer f.monitor.Close()
	if err := f.prepare(o.config(), w.X, input.MeanOne(w.Weights)); err != nil {
		return nil, err
	}
	return f.run()
}

// fit is the state of one fit by the alternating direction method of multipliers. With
// copies z of the values of f at the rows and scaled multipliers −s/rho, s in [0, 1], it
// alternates
//
//	f = argmin (rho/2n)·Σ_i (f(x_i) − z_i − s_i/rho)² + (nu/2)·‖f‖²,
//	(z, r) = argmin 1/n·Σ_i max(0, r − z_i) − nu·r + (rho/2n)·Σ_i (z_i − v_i)²,  v = f − s/rho.
//
// The second step gives s = clip(rho·(r − v), 0, 1) with mean nu. With weights, which have
// mean one, all sums are weighted.
type fit struct {
	nu        float64
	limit     int
	tolerance float64
	strict    bool
	monitor   *progress.Monitor

	space  *descent.Space
	ridge  *descent.Ridge
	rho    float64
	offset float64
	begin  float64 // mean of the initial f
	s      []float64
}

func (f *fit) run() (*Model, error) {
	scores := make([]float64, f.space.X.Rows)
	bound := math.Inf(1)
	for steps, next := 0, 4; ; steps++ {
		phi, values := f.ridge.Solve(f.ridge.Iterates.Mean)
		copy(scores, values.Data)
		if steps == next || steps >= f.limit || f.monitor.Stopped() {
			bound = f.error(scores)
			next += max(4, next/4)
		}
		f.monitor.Report(rkhs.Progress{Phase: "fit", Iteration: steps, Objective: f.objective(scores, phi), ModelOrder: f.space.Centres.Count(), Gap: bound})
		if bound <= f.tolerance || steps >= f.limit || f.monitor.Stopped() {
			return f.model(phi, scores, steps, bound)
		}
		f.step(scores)
	}
}

// prepare initialises f with the mean of k(x_i, ·) and sets rho from its spread.
func (f *fit) prepare(o descent.Config, x compute.Points, weights []float64) error {
	size, err := search.MeanDiagonal(pkg, gram.Evaluator{Kernel: o.Kernel, Workers: o.Workers}, x)
	if err != nil {
		return err
	}
	if !(size > 0) {
		return fmt.Errorf("novelty: the mean of k(x, x) is %v: %w", size, rkhs.ErrDiverged)
	}
	if f.space, err = descent.NewSpace(o, x, 1, descent.Negligible*f.nu, f.monitor); err != nil {
		return err
	}
	f.space.Weights = weights
	n := x.Rows
	f.s = make([]float64, n)
	ones := compute.NewMatrix(n, 1)
	for i := range f.s {
		f.s[i], ones.Data[i] = f.nu, f.space.Weights.At(i)/float64(n)
	}
	first := compute.NewMatrix(n, 1)
	f.space.AddSpanned(first, f.space.Coordinates(ones))
	var spread float64
	f.begin, spread = stat.PopMeanStdDev(first.Data, weights)
	if spread < 1e-3*size {
		spread = 1e-3 * size
	}
	f.rho = 1 / spread
	if f.ridge, err = descent.NewRidge(f.space, compute.NewMatrix(n, 1), f.nu/f.rho); err != nil {
		return fmt.Errorf("novelty: %w", err)
	}
	f.split(first.Data)
	return nil
}

// split performs the step in z and r for v and stores the targets z + s/rho.
func (f *fit) split(v []float64) {
	f.offset = f.findOffset(v)
	for i, v := range v {
		f.s[i] = min(max(f.rho*(f.offset-v), 0), 1)
		f.ridge.Y.Data[i] = v + 2*f.s[i]/f.rho
	}
}

// findOffset returns the r for which clip(rho·(r − v), 0, 1) has mean nu, by bisection. The mean
// increases with r.
func (f *fit) findOffset(v []float64) float64 {
	low, high := slices.Min(v), slices.Max(v)+1/f.rho
	sum := f.clipped(v)
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if sum(mid) < f.nu*float64(len(v)) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// clipped returns the function r ↦ Σ_i w_i·clip(rho·(r − v_i), 0, 1).
func (f *fit) clipped(v []float64) func(r float64) float64 {
	order := compute.Indices(len(v))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	return func(r float64) float64 {
		sum := 0.0
		for _, i := range order {
			if v[i] >= r {
				break
			}
			sum += f.space.Weights.At(i) * min(f.rho*(r-v[i]), 1)
		}
		return sum
	}
}

// relaxation is the over-relaxation of the steps in z recommended by Boyd et al.,
// "Distributed optimization and statistical learning via the alternating direction method of
// multipliers", 2011, section 3.4.3.
const relaxation = 1.6

// step performs a step in z and r at the given scores of f. It also performs a step in the
// random features, unless the residual of the kernel is negligible.
func (f *fit) step(scores []float64) {
	for i, v := range scores {
		u := f.s[i] / f.rho
		z := f.ridge.Y.Data[i] - u
		scores[i] = relaxation*v + (1-relaxation)*z - u
	}
	f.split(scores)
	if f.space.Residual > f.tolerance/10*f.begin {
		f.ridge.Step()
	}
}

// objective returns the objective without the norm of the random features part.
func (f *fit) objective(scores []float64, phi compute.Matrix) float64 {
	sum := 0.0
	for i, v := range scores {
		sum += f.space.Weights.At(i) * max(0, f.offset-v) / float64(len(scores))
	}
	for _, v := range phi.Data {
		sum += f.nu / 2 * v * v
	}
	return sum - f.nu*f.offset
}

// error returns the error of Report.Error. With the function of the multipliers,
// f_s = Σ_i w_i·s_i·k(x_i, ·)/(nu·n), the duality gap is
//
//	1/n·Σ_i w_i·[max(0, r − f(x_i)) − s_i·(r − f(x_i))] + (nu/2)·‖f − f_s‖².
//
// The two parts are scaled to errors of f relative to r. The second uses exact kernel values
// at a sample of the rows.
func (f *fit) error(scores []float64) float64 {
	n := float64(len(scores))
	r := quantile(scores, f.space.Weights, f.nu)
	sample := f.space.Sample()
	h := compute.NewMatrix(len(sample), 1)
	f.space.Centres.Of.MulOf(h, f.space.X.Pick(sample), f.space.X, compute.ColumnOf(f.multipliers()))
	differ, violated := 0.0, 0.0
	for i, row := range sample {
		d := scores[row] - h.Data[i]/(f.nu*n)
		differ += d * d / float64(len(sample))
	}
	for i, v := range scores {
		violated += f.space.Weights.At(i) * (max(0, r-v) - f.s[i]*(r-v)) / n
	}
	return (math.Sqrt(differ) + max(0, violated)/f.nu) / math.Abs(r)
}

// multipliers returns w_i·s_i.
func (f *fit) multipliers() []float64 {
	if f.space.Weights == nil {
		return f.s
	}
	return floats.MulTo(make([]float64, len(f.s)), f.s, f.space.Weights)
}

func (f *fit) model(phi compute.Matrix, scores []float64, steps int, bound float64) (*Model, error) {
	report := descent.NewSpaceReport(f.space, steps, f.nu, bound)
	m, err := newModel(f.ridge.Iterates.Function(phi), inside(quantile(scores, f.space.Weights, f.nu)), f.nu, report)
	if err != nil {
		return nil, err
	}
	return m, m.report.Conclude(pkg, f.monitor, f.tolerance, f.strict)
}
