package doublysgd

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// run is a fit by revisiting: what is chosen on rows held out is chosen while
// the blocks are swept.
type run struct {
	*job
	v       *revisit
	h       *history
	heldOut float64
	passes  int
}

func (j *job) fitRevisit() (*Model, error) {
	mean, err := kernelMean(kernel.Evaluator{Kernel: j.kernel, Workers: j.Workers}, j.x)
	if err != nil {
		return nil, err
	}
	j.size = cmp.Or(mean, 1)
	order, train := j.split()
	var hinge loss.Scalar
	if train < len(order) && j.choosesLoss() {
		hinge = j.hingeLoss()
		j.minimise(loss.Squared{})
	}
	c := choice{kernel: j.kernel, ridge: cmp.Or(j.Ridge, 1e-6*j.size)}
	if train < len(order) && (j.Kernel == nil || j.Ridge == 0) {
		c = j.search(order)
	}
	v, err := j.newRevisit(c, order, train, j.columns)
	if err != nil {
		return nil, err
	}
	w := &run{job: j, v: v, h: newHistory(v), heldOut: math.NaN()}
	w.grow()
	if hinge != nil && !j.r.Stopped() {
		w.hinge(hinge)
	}
	if train < len(order) && !j.r.Stopped() {
		v.include(len(order))
		w.h = newHistory(v)
		w.finish()
	}
	err = w.converge()
	m, stopped := j.model(v.e, w.report())
	if stopped != nil || m == nil {
		return m, stopped
	}
	if err != nil {
		m.report.Status = rkhs.IterationLimit
	}
	return m, err
}

// chooses reports whether anything is left to be chosen on rows held out.
func (j *job) chooses() bool {
	return j.Kernel == nil || j.Ridge == 0 || j.Features == 0 || j.Passes == 0 && j.Tolerance == 0
}

// split returns an order of the rows and how many of them, from the first, are
// trained on before the others are.
func (j *job) split() (order []int, train int) {
	n := j.x.Rows
	if !j.chooses() || n < 10 {
		order = make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order, n
	}
	return j.permutation(0), n - max(n/10, min(n/3, 2000))
}

// copies of scores, and of coefficients, are held at a time: where they are, the moves
// that led there, and snapshots.
const copies = 6 + historyLength

// newRevisit returns the fit of f = 0 to the rows of an order, of which the first
// are trained on.
func (j *job) newRevisit(c choice, order []int, train, columns int) (*revisit, error) {
	e, err := j.newMap(c.kernel, columns, j.Seed)
	if err != nil {
		return nil, err
	}
	columns = e.m.Columns() // those of kernels with exact features are what they are
	n, q := len(order), j.outputs()
	single := j.Precision == Single && servesSingle(e.block(0), j.x, columns)
	size := int64(8)
	if single {
		size = 4
	}
	given := roundUp(max(j.Features, columns), columns)
	used := size*int64(n)*int64(j.x.Cols) + 8*int64(n)*int64(q)*copies + min(j.CacheSize, size*int64(n)*int64(columns)) +
		3*8*int64(columns)*int64(columns) + 8*int64(given)*int64(q)*copies
	if used > j.MemoryLimit {
		return nil, fmt.Errorf("doublysgd: a fit of %d features in blocks of %d to %d rows of %d columns and %d outputs needs %s, the limit is %s: %w",
			given, columns, n, j.x.Cols, q, mebibytes(used), mebibytes(j.MemoryLimit), rkhs.ErrMemory)
	}
	v := &revisit{e: e, k: j.risk.ordered(order), f: compute.NewMatrix(n, q), r: compute.NewMatrix(n, q), train: train,
		ridge: c.ridge, keep: int((j.MemoryLimit - used) / (8 * int64(columns) * int64(columns))), workers: j.Workers,
		most: 1 + int((j.MemoryLimit-used)/(8*int64(columns)*int64(q)*copies))}
	if single {
		v.d = newSingleDesign(j.x, order, train, columns, j.Workers, j.CacheSize)
	} else {
		v.d = newDoubleDesign(j.x, order, train, columns, j.Workers, j.CacheSize)
	}
	if loss.Kinked(j.Loss) {
		v.kink = newSplitting(v.k, n, q)
		v.kink.include(v.f, 0, train)
	}
	return v, nil
}

// report measures the solution, at the cost of computing all features once.
func (w *run) report() Report {
	r := unknown()
	r.Ridge, r.Rows, r.Passes, r.HeldOut = w.v.ridge, w.v.train, w.passes, w.heldOut
	r.Objective = w.v.meanLoss() + w.v.ridge/2*float64(w.v.e.count())*w.v.e.squaredNorm()
	if w.r.Stopped() {
		return r
	}
	if w.v.kink != nil {
		r.Gradient = w.v.kink.error()
		return r
	}
	norm, start := w.v.gradientNorms(w.r.Stopped)
	r.Gradient = relative(norm, start)
	g := norm * w.v.curvature() / float64(w.v.train)
	r.Gap = g * g / (2 * w.v.ridge * float64(w.v.e.count()))
	return r
}

// choice is what is found from data.
type choice struct {
	kernel kernel.Kernel
	ridge  float64
}
