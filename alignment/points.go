package alignment

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// onPoints solves the problem in the span of randomly drawn rows. With K_mm = UᵀU of the
// points P, the features e(x) = k(x, P)·U⁻¹ are orthonormal, and the problem is
//
//	min_v,b Σ_i w_i·‖y_i − b − e(x_i)·v‖² + weight·‖v‖²
//
// (Smola and Schölkopf, "Sparse greedy matrix approximation for machine learning", 2000).
// It returns nil if the fit was stopped.
func (f *ridge) onPoints(weight float64) (*solution, error) {
	const jitter = 1e-12 // keeps K_mm positive definite, in units of its trace
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
		panel := compute.Block(u, from, to, from, m)
		f.kernel.Cross(panel, compute.Rows(points, from, to), compute.Rows(points, from, m))
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
	if s := f.moments(points, u); s != nil {
		return s.solve(weight)
	}
	return nil, nil
}

// pointCount returns m. It is bounded by work, about the work of an exact solution of
// exactRows rows, and by memory for three m×m matrices.
func (f *ridge) pointCount() (int, error) {
	const work, least, most = 1.4e12, 100, 6600
	if err := input.Memory(pkg, "Gram matrices of points", 16*least*least, f.options.MemoryLimit); err != nil {
		return 0, err
	}
	n := f.x.Rows
	byWork, byMemory := math.Sqrt(work/2/float64(n)), math.Sqrt(float64(f.options.MemoryLimit)/24)
	return min(n, most, max(least, int(min(byWork, byMemory)))), nil
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
	s := &moments{ridge: f, points: points, u: u, mean: make([]float64, m)}
	s.square, s.cross = compute.NewMatrix(m, m), compute.NewMatrix(m, q)
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

// solve returns the solution, or nil if the fit was stopped. The weight grows tenfold until
// the equations are positive definite.
func (s *moments) solve(weight float64) (*solution, error) {
	for ; weight < math.MaxFloat64/10; weight *= 10 {
		factor := compute.Clone(s.square)
		addDiagonal(factor, weight)
		if s.stopped("factor", 0, factor.Rows) {
			return nil, nil
		}
		if compute.Cholesky(factor, s.options.Workers) {
			v := compute.Clone(s.cross)
			compute.SolveUpper(factor, v, true, s.options.Workers)
			compute.SolveUpper(factor, v, false, s.options.Workers)
			return s.solution(v, weight), nil
		}
	}
	return nil, fmt.Errorf("alignment: the equations of the points have no solution: %w", rkhs.ErrDiverged)
}

// solution returns the function with coefficients v of the features.
func (s *moments) solution(v compute.Matrix, weight float64) *solution {
	out := &solution{points: s.points, weights: compute.Clone(v), intercept: make([]float64, v.Cols), report: s.report(v, weight)}
	compute.SolveUpper(s.u, out.weights, false, s.options.Workers)
	for j := range v.Cols {
		out.intercept[j] = s.ridge.mean[j] - blas64.Dot(compute.Column(v, j), compute.Vector(s.mean))
	}
	return out
}

// report returns the objective and the relative residual of the equations for v.
func (s *moments) report(v compute.Matrix, weight float64) Report {
	r := Report{Ridge: weight, Status: rkhs.Converged, Objective: -floats.Dot(s.cross.Data, v.Data)}
	if s.weights == nil {
		r.Objective += floats.Dot(s.centred.Data, s.centred.Data)
	}
	for i, w := range s.weights {
		row := compute.Row(s.centred, i)
		r.Objective += w * floats.Dot(row, row)
	}
	residual := compute.Clone(s.cross)
	floats.Scale(-1, residual.Data)
	compute.MulNN(residual, s.square, v, s.options.Workers)
	floats.AddScaled(residual.Data, weight, v.Data)
	if size := floats.Norm(s.cross.Data, 2); size > 0 {
		r.Violation = floats.Norm(residual.Data, 2) / size
	}
	return r
}
