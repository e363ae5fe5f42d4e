package ridge

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// The preconditioner. Centres alone do for smooth kernels of which they leave little, or in many
// columns, neighbours alone for rough ones in few; of both a few iterations are left in each case,
// and tens in the hard ones between.
const (
	fewCentres     = 1000
	rowsPerCentre  = 10
	kernelColumns  = 16 // that a value of the kernel costs beside those of the rows
	neighbours     = 32
	centresEnough  = 0.1 // of n·lam, that centres need not go below
	centresSuffice = 0.1 // of n·lam, that they leave of k(x, x) where neighbours add nothing
)

// preconditionerCentres returns the number of centres for n rows of d columns. Of more than a
// thousand, q of them cost O(n·q²) where a step costs O(n²·d): q goes by where that is some steps,
// since each halving of the steps needs several times the centres. Their functions take a quarter
// of the memory at most.
func (o *Options) preconditionerCentres(n, d int) int {
	q := math.Sqrt(float64(n) * float64(d+kernelColumns))
	q = max(fewCentres, min(q, float64(o.MemoryLimit)/float64(4*8*n)))
	return min(int(q), max(1, n/rowsPerCentre))
}

// preconditioned solves by conjugate gradients for all rows, or returns nil if it was
// stopped. The rows are taken in a random order, in which those behind a row are spread
// evenly.
func (p *problem) preconditioned() (*solution, error) {
	n := p.x.Rows
	order := rng.New(p.options.Seed, "ridge order of rows", 0).Perm(n)
	mixed := *p
	mixed.x, mixed.y, mixed.weights, mixed.classes = p.x.Pick(order), compute.Pick(p.y, order), pickWeights(p.weights, order), compute.PickOf(p.classes, order)
	s := mixed.regression()
	inverse, err := mixed.nearInverse(s)
	if inverse == nil || err != nil {
		return nil, err
	}
	s.SetInverse(inverse)
	mixed.slow.factors = s.Kept() && n <= slowRows
	found := mixed.iterate(s)
	if mixed.slow.ended && !p.monitor.Stopped() {
		found = mixed.factorisedHalf(s)
	}
	if found == nil {
		p.report = mixed.report
		return nil, nil
	}
	p.report, p.sample = mixed.report, mixed.sample
	weights := compute.NewMatrix(n, p.y.Cols)
	for i, row := range order {
		copy(compute.Row(weights, row), compute.Row(found.weights, i))
	}
	return &solution{points: p.x, weights: weights, intercept: found.intercept}, nil
}

// nearInverse returns the preconditioner, or nil if it was stopped.
func (p *problem) nearInverse(s *centres.Regression) (centres.Inverse, error) {
	n := p.x.Rows
	rows := func(phase string) func(int) bool {
		return func(done int) bool { return p.more(phase, done, n) }
	}
	mean := 0.0
	diag := make([]float64, n)
	p.of.DiagOf(diag, p.x)
	for _, v := range diag {
		mean += v / float64(n)
	}
	c, err := centres.Draw(p.of, p.x, p.options.preconditionerCentres(n, p.x.PerRow()), centresEnough*p.noise/float64(n)/mean, p.options.Seed,
		func(done, most int) bool { return p.more("centres", done, most) })
	if err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	if p.monitor.Stopped() {
		return nil, nil
	}
	near := neighbours
	if c.Rest <= centresSuffice*p.noise || !s.Screens(near, c.E) {
		near = 0
	}
	if keep := p.options.keeps(n, p.x.PerRow(), p.y.Cols); (keep || near > 0) && !s.Panels(keep, near, rows("kernel")) {
		return nil, nil
	}
	if inverse := centres.NewNeighbours(s, c.E, rows("neighbours")); inverse != nil {
		return inverse, nil
	}
	return nil, nil
}
