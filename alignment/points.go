package alignment

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// pointsWork bounds the 2·n·m² operations of a solution on m points to about the
	// work of factoring exactRows rows.
	pointsWork  = 1.4e12
	mostPoints  = 6600
	leastPoints = 100
	// jitter keeps the Gram matrix of the points positive definite, in units of m times the mean of
	// k(x, x).
	jitter = 1e-12
)

// onPoints solves the problem in the span of randomly drawn rows. With K_mm = UᵀU of the
// points P, the features e(x) = k(x, P)·U⁻¹ are orthonormal, and the problem is
//
//	min_v,b Σ_i w_i·‖y_i − b − e(x_i)·v‖² + weight·‖v‖²
//
// (Smola and Schölkopf, "Sparse greedy matrix approximation for machine learning", 2000).
// It returns nil if the fit was stopped.
func (f *ridge) onPoints(weight float64) (*solution, error) {
	m, err := f.pointCount()
	if err != nil {
		return nil, err
	}
	points := compute.Pick(f.x, rng.New(f.options.Seed, "alignment points", 0).Sample(f.x.Rows, m))
	u := compute.NewMatrix(m, m)
	for from, to := range compute.Chunks(m, panelRows) {
		if f.stopped("Gram matrix", from, m) {
			return nil, nil
		}
		f.kernel.Cross(compute.Columns(compute.Rows(u, from, to), from, m), compute.Rows(points, from, to), compute.Rows(points, from, m))
	}
	mean := compute.Trace(u) / float64(m)
	if !compute.Finite(mean) {
		return nil, fmt.Errorf("alignment: values of the learned kernel have the mean %v: %w", mean, rkhs.ErrDiverged)
	}
	addDiagonal(u, jitter*float64(m)*mean)
	if f.stopped("factor", 0, m) {
		return nil, nil
	}
	if !compute.Cholesky(u, f.options.Workers) {
		return nil, fmt.Errorf("alignment: the learned kernel is not positive definite: %w", rkhs.ErrDiverged)
	}
	s := f.moments(points, u)
	if s == nil {
		return nil, nil
	}
	return s.solve(weight)
}

// pointCount returns m, bounded by work and by memory for three m×m matrices.
func (f *ridge) pointCount() (int, error) {
	n := f.x.Rows
	if err := door.Memory(pkg, "Gram matrices of points", 16*leastPoints*leastPoints, f.options.MemoryLimit); err != nil {
		return 0, err
	}
	byWork, byMemory := math.Sqrt(pointsWork/2/float64(n)), math.Sqrt(float64(f.options.MemoryLimit)/24)
	return min(n, mostPoints, max(leastPoints, int(min(byWork, byMemory)))), nil
}

func addDiagonal(m compute.Matrix, v float64) {
	for i := range m.Rows {
		m.Data[i*m.Stride+i] += v
	}
}

// moments are sums over all rows.
type moments struct {
	*ridge
	points, u     compute.Matrix
	square, cross compute.Matrix // Σ w·e·eᵀ and Σ w·e·yᵀ of centred features and targets
	mean          []float64      // of e
}

// moments returns nil if the fit was stopped. O(n·m²).
func (f *ridge) moments(points, u compute.Matrix) *moments {
	const chunk = panelRows / 2
	m, q, n, workers := points.Rows, f.y.Cols, f.x.Rows, f.options.Workers
	s := &moments{ridge: f, points: points, u: u, square: compute.NewMatrix(m, m), cross: compute.NewMatrix(m, q), mean: make([]float64, m)}
	for from, to := range compute.Chunks(n, chunk) {
		if f.stopped("rows", from, n) {
			return nil
		}
		e := compute.NewMatrix(m, to-from)
		f.kernel.Cross(e, points, compute.Rows(f.x, from, to))
		compute.SolveUpper(u, e, true, workers)
		weights, y := f.weights.Between(from, to), compute.Clone(compute.Rows(f.centred, from, to))
		weights.Scale(y)
		compute.MulNN(s.cross, e, y, workers)
		for i := range m {
			s.mean[i] += weightedSum(compute.Row(e, i), weights) / f.weights.Total(n)
		}
		compute.AddWeighedGram(s.square, compute.Transpose(e), weights, workers)
	}
	compute.Mirror(s.square)
	for i, v := range s.mean {
		blas64.Axpy(-f.weights.Total(n)*v, compute.Vector(s.mean), compute.RowVector(s.square, i))
	}
	return s
}

func weightedSum(v []float64, w compute.Weights) float64 {
	if w == nil {
		return floats.Sum(v)
	}
	return floats.Dot(v, w)
}

// solve returns the solution, or nil if the fit was stopped.
func (s *moments) solve(weight float64) (*solution, error) {
	a, weight, err := s.coefficients(weight)
	if err != nil || a.Rows == 0 {
		return nil, err
	}
	out := &solution{points: s.points, weights: compute.Clone(a), intercept: make([]float64, a.Cols)}
	for j := range a.Cols {
		out.intercept[j] = s.ridge.mean[j] - blas64.Dot(compute.Column(a, j), compute.Vector(s.mean))
	}
	compute.SolveUpper(s.u, out.weights, false, s.options.Workers)
	out.report = Report{Ridge: weight, Status: rkhs.Converged}
	s.certify(&out.report, a)
	return out, nil
}

// coefficients returns v and the weight, which grows tenfold until the equations are
// positive definite. It returns an empty matrix if the fit was stopped.
func (s *moments) coefficients(weight float64) (compute.Matrix, float64, error) {
	for ; weight < math.MaxFloat64/10; weight *= 10 {
		factor := compute.Clone(s.square)
		addDiagonal(factor, weight)
		if s.stopped("factor", 0, factor.Rows) {
			return compute.Matrix{}, 0, nil
		}
		if compute.Cholesky(factor, s.options.Workers) {
			a := compute.Clone(s.cross)
			compute.SolveUpper(factor, a, true, s.options.Workers)
			compute.SolveUpper(factor, a, false, s.options.Workers)
			return a, weight, nil
		}
	}
	return compute.Matrix{}, 0, fmt.Errorf("alignment: the equations of the points have no solution: %w", rkhs.ErrDiverged)
}

// certify sets the objective and the relative residual of the equations for v.
func (s *moments) certify(rep *Report, v compute.Matrix) {
	r := compute.Clone(s.cross)
	floats.Scale(-1, r.Data)
	compute.MulNN(r, s.square, v, s.options.Workers)
	floats.AddScaled(r.Data, rep.Ridge, v.Data)
	rep.Objective = -floats.Dot(s.cross.Data, v.Data)
	if s.weights == nil {
		rep.Objective += floats.Dot(s.centred.Data, s.centred.Data)
	}
	for i, w := range s.weights {
		row := compute.Row(s.centred, i)
		rep.Objective += w * floats.Dot(row, row)
	}
	if size := floats.Norm(s.cross.Data, 2); size > 0 {
		rep.Violation = floats.Norm(r.Data, 2) / size
	}
}
