package ridge

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/centres"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Landmarks precondition smooth kernels and many columns well, neighbours rough kernels in few
// columns. Both together need a few iterations in each case, and tens in the hard cases between.
const (
	fewLandmarks    = 1000
	rowsPerLandmark = 10
	kernelColumns   = 16 // cost of a kernel value in columns
	neighbours      = 32
	// smallResidual is the part of n·lam of the residual of k(x, x) at which landmarks suffice.
	smallResidual = 0.1

	// slowRows is the largest number of rows for which a factorisation, O(n³/3), replaces slow
	// conjugate gradients. These are slow if the residual after slowSteps is above slowResidual:
	// hundreds of steps would follow, and each reads half of the matrix.
	slowRows     = 1 << 14
	slowSteps    = 8
	slowResidual = 0.1
)

// preconditionerLandmarks returns the number of landmarks for n rows of d columns. For q landmarks
// the preconditioner costs O(n·q²) and a step O(n²·d). Halving the steps needs several times the
// landmarks, so q makes the former a few steps. Landmarks use at most a quarter of the memory.
func (o *Options) preconditionerLandmarks(n, d int) int {
	q := math.Sqrt(float64(n) * float64(d+kernelColumns))
	q = max(fewLandmarks, min(q, float64(o.MemoryLimit)/float64(4*8*n)))
	return min(int(q), max(1, n/rowsPerLandmark))
}

// slowness ends conjugate gradients if a factorisation is faster.
type slowness struct {
	factors bool // a factorisation is possible
	ended   bool
}

// ends reports whether a solution with the given report is slow.
func (s *slowness) ends(r Report) bool {
	s.ended = s.factors && r.Iterations == slowSteps && largest(r.Residual) > slowResidual
	return s.ended
}

// preconditioned solves by conjugate gradients for all rows. It returns nil if it was stopped. The
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
	mixed.slow.factors = s.Kept() && n <= slowRows
	found := mixed.iterate(s)
	if mixed.slow.ended && !p.monitor.Stopped() {
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
func (p *problem) nearInverse(s *centres.Regression) (centres.Inverse, error) {
	n, d := p.x.Rows, p.x.PerRow()
	progress := func(phase string) func(int) bool {
		return func(done int) bool { return p.progress(phase, done, n) }
	}
	mean := 0.0
	diag := make([]float64, n)
	p.of.DiagOf(diag, p.x)
	for _, v := range diag {
		mean += v / float64(n)
	}
	least := smallResidual * p.noise / float64(n) / mean
	c, err := centres.Draw(p.of, p.x, p.options.preconditionerLandmarks(n, d), least, p.options.Seed, p.drawing)
	if err != nil {
		return nil, fmt.Errorf("ridge: %w", err)
	}
	if p.monitor.Stopped() {
		return nil, nil
	}
	near := neighbours
	if c.Rest <= smallResidual*p.noise || !s.Screens(near, c.E) {
		near = 0
	}
	if keep := p.options.keeps(n, d, p.y.Cols); (keep || near > 0) && !s.Panels(keep, near, progress("kernel")) {
		return nil, nil
	}
	if inverse := centres.NewNeighbours(s, c.E, progress("neighbours")); inverse != nil {
		return inverse, nil
	}
	return nil, nil
}

// factorisedHalf solves with a Cholesky factor in the memory of the half matrix of s. It also
// computes leave-one-out predictions of the last rows. It returns nil if it was stopped.
func (p *problem) factorisedHalf(s *centres.Regression) *solution {
	f := s.FactoriseKept(func(done int) bool { return p.progress("factor", done, p.x.Rows) })
	if f == nil {
		return nil
	}
	p.slow, p.noise, s.Noise = slowness{}, f.Noise, f.Noise
	s.SetInverse(f)
	found := p.iterate(s)
	if p.held == nil && !p.options.Uncalibrated {
		p.leaveLastOut(s, f, found.weights)
	}
	return found
}

// leaveLastOut is leaveOneOut for the last rows. The inverse of the last block of the factor is the
// last block of its inverse.
func (p *problem) leaveLastOut(s *centres.Regression, f *centres.Factor, weights compute.Matrix) {
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
