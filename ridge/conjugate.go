package ridge

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Landmarks precondition smooth kernels and many columns well, neighbours rough kernels in few columns. With
// both, each case needs a few iterations, and the hard cases between them need tens.
const (
	fewLandmarks    = 1000
	rowsPerLandmark = 10
	kernelColumns   = 16 // cost of a kernel value in columns
	neighbours      = 32
	// Landmarks that support f are drawn from rowsPerPoint rows each. Their preconditioner uses
	// preconditionerRows rows each.
	rowsPerPoint       = 4
	preconditionerRows = 8
	// smallResidual is the part of n·lam of the residual of k(x, x) at which landmarks suffice.
	smallResidual = 0.1
	// slowRows is the largest number of rows for which a factorisation, O(n³/3), replaces slow
	// conjugate gradients. These are slow if the residual after slowSteps is above slowResidual:
	// hundreds of steps would follow, and each reads half of the matrix.
	slowRows     = 1 << 14
	slowSteps    = 8
	slowResidual = 0.1
)

// preconditionerLandmarks returns the number q of landmarks for n rows of d columns. Their cost,
// O(n·q²), is that of a few steps, O(n²·d). They use at most a quarter of the memory.
func (o *Options) preconditionerLandmarks(n, d int) int {
	q := math.Sqrt(float64(n) * float64(d+kernelColumns))
	q = max(fewLandmarks, min(q, float64(o.MemoryLimit)/float64(4*8*n)))
	return min(int(q), max(1, n/rowsPerLandmark))
}

// preconditioned solves by conjugate gradients for all rows, or returns nil if it was stopped. The
// order of the rows is random, so the rows after each row are spread evenly.
func (p *problem) preconditioned() (*solution, error) {
	n := p.x.Rows
	order := rng.New(p.options.Seed, "ridge order of rows", 0).Perm(n)
	mixed := p.pick(order)
	s := mixed.regression()
	inverse, err := mixed.nearInverse(s)
	if inverse == nil || err != nil {
		return nil, err
	}
	s.SetInverse(inverse)
	mixed.replace = s.Kept() && n <= slowRows
	found := mixed.iterate(s)
	if mixed.slow && !p.monitor.Stopped() {
		found = mixed.factorisedHalf(s)
	}
	p.report = mixed.report
	if found == nil {
		return nil, nil
	}
	p.sample = mixed.sample
	weights := compute.NewMatrix(n, p.y.Cols)
	for i, row := range order {
		copy(compute.Row(weights, row), compute.Row(found.weights, i))
	}
	return &solution{points: p.x, weights: weights, intercept: found.intercept}, nil
}

// nearInverse returns the preconditioner, or nil if it was stopped.
func (p *problem) nearInverse(s *nystrom.Regression) (nystrom.Inverse, error) {
	n, d := p.x.Rows, p.x.PerRow()
	progress := func(phase string) func(int) bool {
		return func(done int) bool { return p.progress(phase, done, n) }
	}
	mean := 0.0
	for _, v := range p.diagonal() {
		mean += v / float64(n)
	}
	least := smallResidual * p.noise / float64(n) / mean
	c, err := nystrom.Draw(p.of, p.x, p.options.preconditionerLandmarks(n, d), least, p.options.Seed, p.drawing)
	if err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	if p.monitor.Stopped() {
		return nil, nil
	}
	near := neighbours
	if c.Residual <= smallResidual*p.noise || !s.Screens(near, c.E) {
		near = 0
	}
	if keep := p.options.keeps(n, d, p.y.Cols); (keep || near > 0) && !s.Panels(keep, near, progress("kernel")) {
		return nil, nil
	}
	if inverse := nystrom.NewNeighbours(s, c.E, progress("neighbours")); inverse != nil {
		return inverse, nil
	}
	return nil, nil
}

// factorisedHalf solves with a Cholesky factor in the memory of the half matrix of s. It also predicts
// the last rows by leave-one-out. It returns nil if it was stopped.
func (p *problem) factorisedHalf(s *nystrom.Regression) *solution {
	f := s.FactoriseKept(func(done int) bool { return p.progress("factor", done, p.x.Rows) })
	if f == nil {
		return nil
	}
	p.replace, p.noise, s.Noise = false, f.Noise, f.Noise
	s.SetInverse(f)
	found := p.iterate(s)
	if p.held == nil && !p.options.NoCalibration {
		p.leaveLastOut(s, f, found.weights)
	}
	return found
}

// leaveLastOut is leaveOneOut for the last rows. The inverse of the last block of the factor is the
// last block of its inverse.
func (p *problem) leaveLastOut(s *nystrom.Regression, f *nystrom.Factor, weights compute.Matrix) {
	n := p.x.Rows
	from := max(0, n-calibrate.Enough)
	diag := f.LastInverseDiagonal(n - from)
	s.LessConstantOfLast(diag)
	rows := compute.Indices(n)[from:]
	last := *p
	last.x, last.y = p.x.Between(from, n), compute.Rows(p.y, from, n)
	last.weights, last.classes = p.weights.Between(from, n), compute.PickOf(p.classes, rows)
	times := p.weights.Multiplicity(p.x.FirstCopies(p.y, p.classes))
	last.leaveOut(diag, compute.Rows(weights, from, n), compute.PickOf(times, rows))
	p.sample = last.sample
}

// onPoints solves for f on fewer landmarks than rows. It returns nil if it was stopped.
func (p *problem) onPoints() (*solution, error) {
	n := p.x.Rows
	count := p.options.points(n, p.x.PerRow(), p.y.Cols)
	rows := rng.New(p.options.Seed, "ridge rows for points", 0).Sample(n, min(n, rowsPerPoint*count))
	c, err := nystrom.Draw(p.of, p.x.Pick(rows), count, 0, p.options.Seed, p.drawing)
	if err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	if p.monitor.Stopped() {
		return nil, nil
	}
	if p.weights != nil && !p.options.NoIntercept { // the targets lack their unweighted means
		floats.Add(p.means, centre(p.y, p.weights))
	}
	s := nystrom.NewNormal(c.Centres, p.x, p.weights, p.noise, !p.options.NoIntercept, p.monitor.Stopped)
	if p.options.keepsPoints(n, p.x.PerRow(), p.y.Cols, c.Count()) {
		s.Keep()
	}
	right, ok := s.Right(p.y)
	if !ok {
		return nil, nil
	}
	others := min(preconditionerRows*c.Count(), n-c.Count())
	progress := func(done int) bool { return p.progress("preconditioner", min(done, others), others) }
	if !s.See(compute.PickOf(rows, c.At), others, p.options.Seed, progress) {
		return nil, nil
	}
	solved := p.run(s, right, c.Points, c.Weights)
	p.report.Norm = norms(solved.X)
	if p.held == nil || p.report.Status == rkhs.Converged || solved.Renew() {
		p.report.Error = norms(solved.R)
		p.report.Residual = relative(slices.Clone(p.report.Error), norms(right))
		floats.Scale(1/p.noise, p.report.Error)
	} else { // the residual is unknown
		p.report.Status, p.report.Residual = p.monitor.Status(), nil
	}
	f := &solution{points: c.Points, weights: c.Weights(solved.X), intercept: slices.Clone(p.means)}
	if !p.options.NoIntercept {
		floats.Sub(f.intercept, s.Means(f.weights))
	}
	return f, nil
}
