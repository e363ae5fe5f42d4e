package ridge

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
)

const (
	certifiedRows  = 30000 // largest number of rows with a default Tolerance: half of K fits 4 GiB
	mostHeldOut    = 1000
	rowsPerHeldOut = 10
	leastGain      = 5e-3  // relative improvement of the error that counts
	equalTargets   = 1e-12 // fraction of the variance below which held-out targets are equal

	// The default Patience is a third of the steps, and at least leastPatience. With a weak
	// preconditioner, as for a hundred columns, the error falls in stairs that grow with the steps.
	// Landmarks have no such stairs, and a step on a million rows is slow.
	leastPatience         = 10
	leastPatienceOnPoints = 2
	stepsPerPatience      = 3
)

// heldOut tracks the error of conjugate gradients on held-out rows.
type heldOut struct {
	rows     problem
	scale    []float64 // mean square of each centred column of targets, or 0 if that is rounding
	patience int       // or 0 for the default
	least    int       // least default patience

	latest []float64      // mean squared errors of the latest solution
	best   compute.Matrix // solution
	errors []float64      // of the best solution
	lowest float64        // sum of errors over scale
	mark   float64        // error to improve on
	since  int            // steps since the mark was set
	steps  int
}

// holdOut removes rows, of each class its share, if their error is to stop the solver.
func (p *problem) holdOut() {
	o, n := p.options, p.x.Rows
	stopsEarly := o.Patience > 0 || o.Tolerance == 0 && n > certifiedRows
	if p.solver == factorising || n < rowsPerHeldOut || !stopsEarly {
		return
	}
	order := rng.New(o.Seed, "ridge rows held out", 0).Perm(n)
	count := min(mostHeldOut, n/rowsPerHeldOut)
	in, out := search.HeldOutGroups(p.x, p.y, order, p.classes, func(rows int) int { return rows * count / n })
	if len(out) == 0 {
		return
	}
	slices.Sort(in)
	p.without(out, in, o.Patience)
}

// without removes the rows out from the problem and keeps the rows in.
func (p *problem) without(out, in []int, patience int) {
	h := &heldOut{rows: p.pick(out), patience: patience, least: leastPatience}
	h.rows.means = slices.Clone(p.means)
	if p.solver == onPoints {
		h.least = leastPatienceOnPoints
	}
	p.noise *= float64(len(in)) / float64(p.x.Rows)
	*p = p.pick(in)
	p.held, p.report.Rows = h, len(in)
	p.centre()
	// Held-out rows may lack a rare class. Its targets are then equal, up to rounding.
	h.scale = p.meanSquares(compute.Clone(h.rows.y), h.rows.weights)
	for o, v := range p.meanSquares(compute.Clone(p.y), p.weights) {
		if h.scale[o] <= equalTargets*v {
			h.scale[o] = 0
		}
	}
}

// meanSquares returns the mean squares of the columns, which it centres if a constant is free.
func (p *problem) meanSquares(m compute.Matrix, weights compute.Weights) []float64 {
	if !p.options.NoIntercept {
		centre(m, weights)
	}
	s := weights.Dots(m, m)
	floats.Scale(1/float64(m.Rows), s)
	return s
}

// stops records the solution x of a step, a function with weights on points. It reports whether the
// patience is over.
func (h *heldOut) stops(p *problem, x compute.Matrix, points compute.Points, weights compute.Matrix) bool {
	residual := compute.NewMatrix(h.rows.y.Rows, h.rows.y.Cols)
	p.of.MulOf(residual, h.rows.x, points, weights)
	floats.SubTo(residual.Data, h.rows.y.Data, residual.Data)
	sum := 0.0
	h.latest = p.meanSquares(residual, h.rows.weights)
	for o, v := range h.latest {
		if h.scale[o] > 0 {
			sum += v / h.scale[o]
		}
	}
	if h.best.Data == nil || sum < h.lowest {
		h.best, h.errors, h.lowest = compute.Clone(x), h.latest, sum
	}
	h.since++
	h.steps++
	if h.mark == 0 || sum < (1-leastGain)*h.mark {
		h.mark, h.since = sum, 0
	}
	return h.since >= h.patienceNow()
}

// patienceNow returns the number of steps without a gain that stops the solver.
func (h *heldOut) patienceNow() int {
	if h.patience > 0 {
		return h.patience
	}
	return max(h.least, h.steps/stepsPerPatience)
}

// unseen returns predictions of unseen rows: leave-one-out predictions, predictions of held-out
// rows, or otherwise predictions of a second fit.
func (p *problem) unseen(f *solution) calibrate.Sample {
	switch {
	case p.options.NoCalibration || p.monitor.Stopped():
		return calibrate.Sample{}
	case p.sample.Rows() > 0 || p.solver == factorising:
		return p.sample
	case p.held != nil:
		return p.held.sample(p, f)
	}
	return p.refitted()
}

// refitted returns predictions of some rows by a fit to all other rows.
func (p *problem) refitted() (sample calibrate.Sample) {
	n := p.x.Rows
	for _, set := range calibrate.Sets(n, n, p.classes, calibrate.Refits(1), p.options.Seed, p.x.FirstCopies(p.y, p.classes)) {
		part := *p
		part.means = slices.Clone(p.means)
		part.without(set, calibrate.Others(n, set), 0)
		f, err := part.solve()
		if err != nil || p.monitor.Stopped() {
			return calibrate.Sample{}
		}
		sample = sample.With(part.held.sample(&part, f))
	}
	return sample
}

// sample returns the predictions of the held-out rows by a solution.
func (h *heldOut) sample(p *problem, f *solution) calibrate.Sample {
	r := &h.rows
	s := calibrate.Sample{X: r.x, Scores: compute.NewMatrix(r.y.Rows, r.y.Cols), Targets: compute.Clone(r.y), Class: r.classes, Weights: r.weights}
	p.of.MulOf(s.Scores, r.x, f.points, f.weights)
	compute.AddRow(s.Scores, f.intercept)
	compute.AddRow(s.Targets, r.means)
	return s
}
