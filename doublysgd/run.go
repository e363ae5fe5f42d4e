package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// run is a fit by revisiting: what is chosen on rows held out is chosen while
// the blocks are visited.
type run struct {
	*task
	unit    float64 // mean of k(x, x), the unit of ridges
	solver  *revisit
	history *history
	heldOut float64
	passes  int
}

// revisit fits by revisiting.
func (t *task) revisit() (*Model, error) {
	mean, err := choose.MeanDiagonal(pkg, kernel.Evaluator{Kernel: t.kernel, Workers: t.options.Workers}, t.x)
	if err != nil {
		return nil, err
	}
	w := &run{task: t, unit: cmp.Or(mean, 1), heldOut: math.NaN()}
	order, train := w.split()
	var hinge loss.Scalar
	if train < len(order) && w.choosesLoss() {
		hinge = w.hingeLoss()
		w.minimise(loss.Squared{})
	}
	c := choice{kernel: t.kernel, ridge: cmp.Or(t.options.Ridge, 1e-6*w.unit)}
	if train < len(order) && (t.options.Kernel == nil || t.options.Ridge == 0) {
		c = w.search(order)
	}
	if w.solver, err = w.newRevisit(c, order, train, t.columns); err != nil {
		return nil, err
	}
	w.history = newHistory(w.solver)
	w.grow()
	if hinge != nil && !w.monitor.Stopped() {
		w.hinge(hinge)
	}
	if train < len(order) && !w.monitor.Stopped() {
		w.solver.include(len(order))
		w.history = newHistory(w.solver)
		w.finish()
	}
	err = w.converge()
	m, stopped := w.model(w.solver.function, w.report())
	if stopped != nil || m == nil {
		return m, stopped
	}
	if err != nil {
		m.report.Status = rkhs.IterationLimit
	}
	return m, err
}

// chooses reports whether anything is left to be chosen on rows held out.
func (w *run) chooses() bool {
	o := w.options
	return o.Kernel == nil || o.Ridge == 0 || o.Features == 0 || o.Passes == 0 && o.Tolerance == 0
}

// split returns an order of the rows and how many of them, from the first, are
// trained on before the others are.
func (w *run) split() (order []int, train int) {
	n := w.x.Rows
	if !w.chooses() || n < 10 {
		order = make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order, n
	}
	return w.permutation(0), n - max(n/10, min(n/3, 2000))
}

// copies of scores, and of coefficients, are held at a time: where they are, the moves
// that led there, and snapshots.
const copies = 6 + historyLength

// newRevisit returns the fit of f = 0 to the rows of an order, of which the first
// are trained on.
func (t *task) newRevisit(c choice, order []int, train, columns int) (*revisit, error) {
	f, err := t.zero(c.kernel, columns)
	if err != nil {
		return nil, err
	}
	columns = f.Map.Columns() // those of kernels with exact features are what they are
	n, q, o := len(order), t.outputs(), t.options
	single := o.Precision == Single && blocks.ServesSingle(f.Block(0), t.x, columns)
	size := int64(8)
	if single {
		size = 4
	}
	given := batches.RoundUp(max(o.Features, columns), columns)
	used := size*int64(n)*int64(t.x.Cols) + 8*int64(n)*int64(q)*copies + min(o.CacheSize, size*int64(n)*int64(columns)) +
		3*8*int64(columns)*int64(columns) + 8*int64(given)*int64(q)*copies
	what := fmt.Sprintf("%d features in blocks of %d at %d rows of %d columns and %d outputs", given, columns, n, t.x.Cols, q)
	if err := door.Memory(pkg, what, float64(used), o.MemoryLimit); err != nil {
		return nil, err
	}
	v := &revisit{function: f, risk: t.risk.Ordered(order), f: compute.NewMatrix(n, q), r: compute.NewMatrix(n, q), train: train,
		ridge: c.ridge, keep: int((o.MemoryLimit - used) / (8 * int64(columns) * int64(columns))), workers: o.Workers,
		most: 1 + int((o.MemoryLimit-used)/(8*int64(columns)*int64(q)*copies))}
	design := blocks.NewDouble
	if single {
		design = blocks.NewSingle
	}
	v.design = design(t.x, order, train, columns, o.Workers, o.CacheSize)
	if loss.Kinked(t.loss) {
		v.kink = newSplitting(v.risk, n, q)
		v.kink.include(v.f, 0, train)
	}
	return v, nil
}

// report measures the solution, at the cost of computing all features once.
func (w *run) report() Report {
	r, v := unknown(), w.solver
	r.Ridge, r.Rows, r.Passes, r.HeldOutLoss = v.ridge, v.train, w.passes, w.heldOut
	r.Objective = v.meanLoss() + v.ridge/2*float64(v.function.Count())*v.function.SquaredNorm()
	if w.monitor.Stopped() {
		return r
	}
	if v.kink != nil {
		r.Gradient = v.kink.error()
		return r
	}
	norm, start := v.gradientNorms(w.monitor.Stopped)
	r.Gradient = relative(norm, start)
	g := norm * v.curvature() / float64(v.train)
	r.Gap = g * g / (2 * v.ridge * float64(v.function.Count()))
	return r
}

// choice is what is found from data.
type choice struct {
	kernel kernel.Kernel
	ridge  float64
}
