// Package nystrom implements the Nyström method. Centres are landmarks with orthonormal functions
// e(x). System, Regression and Normal are the linear systems of kernel ridge regression. The package
// also has their preconditioners and conjugate gradients.
package nystrom

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Centres are landmarks C. With UᵀU = K_CC the functions
//
//	e(x) = k(x, C)·U⁻¹
//
// are orthonormal in the RKHS, and <h, e> = U⁻ᵀh(C) for any h.
type Centres struct {
	Of      gram.Evaluator
	Points  compute.Points // C, q×d
	Inverse compute.Matrix // U⁻¹
}

const (
	// CandidateRows is the number of rows from which New selects centres.
	CandidateRows = 4096
	// chunkRows is the number of rows in a block of kernel values.
	chunkRows = 1024
	// progressEvery is the number of centres between two reports of progress.
	progressEvery = 50
	// smallestResidual is the fraction of the largest k(x, x) below which a residual is rounding.
	smallestResidual = 1e-12
)

// New draws at most q centres from the rows of x, each with probability proportional to the diagonal of
// the residual kernel, until its sum is at most tolerance times the sum of k(x, x). It returns the centres
// and their row numbers. It stops early if progress, which may be nil, returns false.
// O(c·q·(d + q)) for c ≤ 4096 candidates. Source: Chen, Epperly, Tropp and Webber, "Randomly pivoted
// Cholesky", Communications on Pure and Applied Mathematics 78, 2025, algorithm 1.
func New(of gram.Evaluator, x compute.Points, q int, tolerance float64, seed uint64, progress func(done, most int) bool) (*Centres, []int, error) {
	stream := rng.New(seed, "doublysgd centres", 0)
	candidates := stream.Sample(x.Rows, min(x.Rows, CandidateRows))
	z := x.Pick(candidates)
	f, err := newFactorisation(of, z, q)
	if err != nil {
		return nil, nil, err
	}
	p := &pivoting{f}
	p.run(tolerance, stream, progress)
	return p.centres(), compute.PickOf(candidates, p.landmarks()), nil
}

// Progress returns a progress function that reports the phase "centres" to m and stops with it.
func Progress(m *progress.Monitor) func(done, most int) bool {
	return func(done, most int) bool {
		m.Report(rkhs.Progress{Phase: "centres", Done: done, Total: most, Objective: math.NaN(), Gap: math.NaN()})
		return !m.Stopped()
	}
}

// factorisation is a partial Cholesky factorisation K ≈ L·Lᵀ, with the columns of some rows.
type factorisation struct {
	of       gram.Evaluator
	x        compute.Points
	l        compute.Matrix
	residual []float64 // the diagonal of K − L·Lᵀ
	rows     []int     // of the columns
}

// newFactorisation returns a factorisation without columns. There may be q.
func newFactorisation(of gram.Evaluator, x compute.Points, q int) (factorisation, error) {
	f := factorisation{of: of, x: x, residual: make([]float64, x.Rows), l: compute.NewMatrix(x.Rows, min(q, x.Rows))}
	of.DiagOf(f.residual, x)
	if i := slices.IndexFunc(f.residual, func(v float64) bool { return !compute.Finite(v) }); i >= 0 {
		return f, fmt.Errorf("k(x, x) = %v: %w", f.residual[i], rkhs.ErrNotFinite)
	}
	return f, nil
}

// landmarks returns the rows of the columns, or row 0 if k is zero.
func (f *factorisation) landmarks() []int {
	if len(f.rows) == 0 {
		return []int{0}
	}
	return f.rows
}

// centres returns the rows of the columns as centres, or one centre without a function if k is zero.
func (f *factorisation) centres() *Centres {
	if len(f.rows) == 0 {
		return &Centres{f.of, f.x.Pick([]int{0}), compute.NewMatrix(1, 1)}
	}
	return &Centres{f.of, f.x.Pick(f.rows), inverseOf(f.triangle(), f.of.Workers)}
}

// triangle returns U with UᵀU = K at the rows of the columns.
func (f *factorisation) triangle() compute.Matrix {
	return compute.Transpose(compute.Columns(compute.Pick(f.l, f.rows), 0, len(f.rows)))
}

// inverseOf returns the inverse of an upper triangle.
func inverseOf(u compute.Matrix, workers int) compute.Matrix {
	inverse := compute.NewMatrix(u.Rows, u.Rows)
	for i := range u.Rows {
		inverse.Data[i*inverse.Stride+i] = 1
	}
	compute.SolveUpper(u, inverse, false, workers)
	return inverse
}

// solveFactor replaces b by (UᵀU)⁻¹b.
func solveFactor(u, b compute.Matrix, workers int) {
	compute.SolveUpper(u, b, true, workers)
	compute.SolveUpper(u, b, false, workers)
}

// pivoting adds one column at a time.
type pivoting struct{ factorisation }

func (p *pivoting) run(tolerance float64, stream *rng.Stream, progress func(done, most int) bool) {
	largest, all := 0.0, 0.0
	for _, v := range p.residual {
		largest, all = max(largest, v), all+v
	}
	for len(p.rows) < p.l.Cols {
		left := p.clip(smallestResidual * largest)
		if left <= tolerance*all {
			return
		}
		if done := len(p.rows); done > 0 && done%progressEvery == 0 && progress != nil && !progress(done, p.l.Cols) {
			return
		}
		p.addPivot(p.draw(left * stream.Float64()))
	}
}

// clip sets residuals below the limit to zero and returns the sum of all residuals.
func (p *pivoting) clip(limit float64) float64 {
	sum := 0.0
	for i, v := range p.residual {
		if v <= limit {
			p.residual[i] = 0
		}
		sum += p.residual[i]
	}
	return sum
}

// draw returns the first row at which the cumulative sum of the residuals exceeds u.
func (p *pivoting) draw(u float64) int {
	last := 0
	for i, v := range p.residual {
		if v == 0 {
			continue
		}
		last = i
		if u -= v; u < 0 {
			break
		}
	}
	return last
}

// addPivot adds the column of a pivot.
func (p *pivoting) addPivot(pivot int) {
	k, one := len(p.rows), compute.NewMatrix(p.x.Rows, 1)
	p.of.CrossOf(one, p.x, p.x.Between(pivot, pivot+1))
	if k > 0 {
		done := p.l
		done.Cols = k
		part := compute.NewMatrix(p.x.Rows, 1)
		compute.MulNT(part, done, compute.Rows(done, pivot, pivot+1), p.of.Workers)
		for i, v := range part.Data {
			one.Data[i] -= v
		}
	}
	root := math.Sqrt(p.residual[pivot])
	for i := range p.residual {
		v := one.Data[i] / root
		p.l.Data[i*p.l.Stride+k] = v
		p.residual[i] = max(0, p.residual[i]-float64(v*v))
	}
	p.l.Data[pivot*p.l.Stride+k] = root
	p.residual[pivot] = 0
	p.rows = append(p.rows, pivot)
}

// Count returns q.
func (c *Centres) Count() int { return c.Points.Rows }

// At returns e at the rows of x, n×q. O(n·q·(d + q)).
func (c *Centres) At(x compute.Points) compute.Matrix {
	e := compute.NewMatrix(x.Rows, c.Count())
	k := compute.NewMatrix(min(x.Rows, chunkRows), c.Count())
	for from, to := range compute.Chunks(x.Rows, chunkRows) {
		part := compute.Rows(k, 0, to-from)
		c.Of.CrossOf(part, x.Between(from, to), c.Points)
		compute.MulNN(compute.Rows(e, from, to), part, c.Inverse, c.Of.Workers)
	}
	return e
}

// Residual returns the mean of the residual k(x, x) − ‖e(x)‖² over the rows of x, at which e is given.
func (c *Centres) Residual(x compute.Points, e compute.Matrix) float64 {
	if c.Count() == x.Rows {
		return 0 // up to rounding
	}
	diag := make([]float64, x.Rows)
	c.Of.DiagOf(diag, x)
	sum := 0.0
	for i, v := range diag {
		for _, e := range compute.Row(e, i) {
			v -= float64(e * e)
		}
		sum += max(0, v) / float64(x.Rows)
	}
	return sum
}

// Coordinates returns <h, e> for functions h with the given values at the centres, q×k.
func (c *Centres) Coordinates(h compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(c.Count(), h.Cols)
	compute.MulTN(a, c.Inverse, h, c.Of.Workers)
	return a
}

// Weights returns the weights w with k(x, C)·w = e(x)·a.
func (c *Centres) Weights(a compute.Matrix) compute.Matrix {
	w := compute.NewMatrix(c.Count(), a.Cols)
	compute.MulNN(w, c.Inverse, a, c.Of.Workers)
	return w
}
