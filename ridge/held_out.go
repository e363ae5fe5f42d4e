package ridge

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// certifiedRows is the number of rows up to which a tolerance ends a fit by default:
	// half of the matrix of so many fits the default of MemoryLimit.
	certifiedRows = 30000
	// leastPatience is the Patience beyond, or a third of the steps if that is more: where the
	// preconditioner is weak, as of a hundred columns, the error falls by stairs, which are the
	// longer the more steps there are. That of the points is none of these, and a step on a
	// million rows takes long.
	leastPatience         = 10
	leastPatienceOnPoints = 2
	stepsPatiently        = 3
	// mostHeldOut and rowsPerHeldOut bound the rows that are held out.
	mostHeldOut    = 1000
	rowsPerHeldOut = 10
	// leastGain is the fraction of the error that a step must gain to count.
	leastGain = 5e-3
	// equalTargets is the part of the variance of targets below which held-out ones are equal.
	equalTargets = 1e-12
)

// heldOut watches the error of an iteration at rows that it does not see.
type heldOut struct {
	x        compute.Points
	y        compute.Matrix
	means    []float64       // that y is less
	classes  []int           // or nil
	weights  compute.Weights // or nil
	scale    []float64       // mean square of each column of y, less its mean; 0 where that is rounding
	patience int             // or zero for that by default
	least    int             // that by default

	latest []float64      // mean square of each output, of the last solution that was seen
	best   compute.Matrix // solution
	errors []float64      // those of best
	lowest float64        // their sum over scale
	mark   float64        // what steps are compared with
	since  int            // steps since the mark was set
	steps  int
}

// holdsOut tells whether the error of rows held out is to end the solution of n rows.
func (o *Options) holdsOut(by way, n int) bool {
	if by == factorising || n < rowsPerHeldOut {
		return false
	}
	return o.Patience > 0 || o.Tolerance == 0 && n > certifiedRows
}

// holdOut takes rows out of the problem if their error is to end its solution, of labels in
// proportion to each.
func (p *problem) holdOut() {
	n := p.x.Rows
	if !p.options.holdsOut(p.way, n) {
		return
	}
	order := rng.New(p.options.Seed, "ridge rows held out", 0).Perm(n)
	count := min(mostHeldOut, n/rowsPerHeldOut)
	in, out := choose.HeldOutGroups(p.x, p.y, order, p.classes, func(rows int) int { return rows * count / n })
	if len(out) == 0 {
		return
	}
	slices.Sort(in)
	p.without(out, in, p.options.Patience)
}

// without takes rows out of the problem, and leaves the others in.
func (p *problem) without(out, in []int, patience int) {
	h := &heldOut{x: p.x.Pick(out), y: compute.Pick(p.y, out), means: slices.Clone(p.means), classes: compute.PickOf(p.classes, out), weights: pickWeights(p.weights, out), patience: patience, least: leastPatience}
	if p.way == onPoints {
		h.least = leastPatienceOnPoints
	}
	p.noise *= float64(len(in)) / float64(p.x.Rows)
	p.x, p.y, p.classes, p.weights, p.held, p.report.Rows = p.x.Pick(in), compute.Pick(p.y, in), compute.PickOf(p.classes, in), pickWeights(p.weights, in), h, len(in)
	p.centre()
	// Held-out rows may lack a class of few rows. They tell nothing about its targets, which are equal but for rounding.
	h.scale = p.meanSquares(compute.Clone(h.y), h.weights)
	for o, v := range p.meanSquares(compute.Clone(p.y), p.weights) {
		if h.scale[o] <= equalTargets*v {
			h.scale[o] = 0
		}
	}
}

// meanSquares returns those of the columns, less their means where a constant is free.
func (p *problem) meanSquares(m compute.Matrix, weights compute.Weights) []float64 {
	if !p.options.NoIntercept {
		centre(m, weights)
	}
	s := weights.Dots(m, m)
	floats.Scale(1/float64(m.Rows), s)
	return s
}

// enough takes the solution x of another step, which is a function with some weights on
// points, and tells whether its error at the rows held out has not been lower for as many
// steps as the patience has.
func (p *problem) enough(x compute.Matrix, points compute.Points, weights compute.Matrix) bool {
	h := p.held
	left := compute.NewMatrix(h.y.Rows, h.y.Cols)
	p.of.MulOf(left, h.x, points, weights)
	for i, v := range h.y.Data {
		left.Data[i] = v - left.Data[i]
	}
	sum := 0.0
	h.latest = p.meanSquares(left, h.weights)
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
	return h.since >= h.patiently()
}

// patiently returns the steps without a gain that end the solution.
func (h *heldOut) patiently() int {
	if h.patience > 0 {
		return h.patience
	}
	return max(h.least, h.steps/stepsPatiently)
}
