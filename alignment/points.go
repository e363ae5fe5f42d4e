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

// The number of points goes down with the number of rows so that the operations stay at
// 2·n·m², of which there are about as many as in a factor of exactRows rows.
const (
	pointsWork  = 1.4e12
	mostPoints  = 6600
	leastPoints = 100
	// jitter keeps the matrix of the points positive definite, in units of the mean of
	// k(x, x): points that add less than that to the others are rounding.
	jitter = 1e-12
)

// onPoints solves the problem among the functions of the span of some rows, drawn at
// random: with K_mm = UᵀU of the points, features e(x) = k(x, P)·U⁻¹ are orthonormal, and
//
//	min_w,b Σ_i ‖y_i − b − e(x_i)·w‖² + weight·‖w‖²,
//
// each loss times the weight of its row if there are any. It returns nil if it was stopped. Source: Smola and Schölkopf, "Sparse greedy matrix
// approximation for machine learning", 2000.
func (f *ridge) onPoints(weight float64) (*solution, error) {
	m, err := f.pointCount()
	if err != nil {
		return nil, err
	}
	points := compute.Pick(f.x, rng.New(f.options.Seed, "alignment points", 0).Sample(f.x.Rows, m))
	p := &ridge{examples: examples{x: points}, kernel: f.kernel, options: f.options, monitor: f.monitor}
	u := compute.NewMatrix(m, m)
	if !p.gram(u) {
		return nil, nil
	}
	mean := compute.Trace(u) / float64(m)
	if !compute.Finite(mean) {
		return nil, fmt.Errorf("alignment: values of the learned kernel have the mean %v: %w", mean, rkhs.ErrDiverged)
	}
	for i := range m {
		u.Data[i*m+i] += jitter * float64(m) * mean
	}
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

// gram sets the upper triangle of u, or reports false if it was stopped.
func (f *ridge) gram(u compute.Matrix) bool {
	n := f.x.Rows
	for from, to := range compute.Chunks(n, panelRows) {
		if f.stopped("Gram matrix", from, n) {
			return false
		}
		f.kernel.Cross(compute.Columns(compute.Rows(u, from, to), from, n), compute.Rows(f.x, from, to), compute.Rows(f.x, from, n))
	}
	return true
}

// pointCount is bounded by work and by memory, which holds two matrices of the points.
func (f *ridge) pointCount() (int, error) {
	n := f.x.Rows
	if err := door.Memory(pkg, "Gram matrices of points", 16*leastPoints*leastPoints, f.options.MemoryLimit); err != nil {
		return 0, err
	}
	byWork, byMemory := math.Sqrt(pointsWork/2/float64(n)), math.Sqrt(float64(f.options.MemoryLimit)/24)
	return min(n, mostPoints, max(leastPoints, int(min(byWork, byMemory)))), nil
}

// moments are the sums over rows that the solution on points follows from.
type moments struct {
	*ridge
	points, u     compute.Matrix
	square, cross compute.Matrix // Σ e·eᵀ, Σ e·yᵀ of centred features and targets, by weight
	mean          []float64      // of e
}

// moments goes over all rows, in chunks. It returns nil if it was stopped.
func (f *ridge) moments(points, u compute.Matrix) *moments {
	const chunk = panelRows / 2
	m, q, n := points.Rows, f.y.Cols, f.x.Rows
	s := &moments{ridge: f, points: points, u: u, square: compute.NewMatrix(m, m), cross: compute.NewMatrix(m, q), mean: make([]float64, m)}
	for from, to := range compute.Chunks(n, chunk) {
		if f.stopped("rows", from, n) {
			return nil
		}
		e := compute.NewMatrix(m, to-from)
		f.kernel.Cross(e, points, compute.Rows(f.x, from, to))
		compute.SolveUpper(u, e, true, f.options.Workers)
		some, y := f.weights.Between(from, to), compute.Clone(compute.Rows(f.centred, from, to))
		some.Scale(y)
		compute.MulNN(s.cross, e, y, f.options.Workers)
		f.addMeans(s.mean, e, from)
		compute.AddWeighedGram(s.square, compute.Transpose(e), some, f.options.Workers)
	}
	compute.Mirror(s.square)
	for i, v := range s.mean {
		blas64.Axpy(-f.weights.Total(f.x.Rows)*v, compute.Vector(s.mean), compute.RowVector(s.square, i))
	}
	return s
}

// addMeans adds what features e, m×rows, of the rows from one on are of the means of all.
func (f *ridge) addMeans(mean []float64, e compute.Matrix, from int) {
	for i := range mean {
		if f.weights == nil {
			mean[i] += floats.Sum(compute.Row(e, i)) / float64(f.x.Rows)
			continue
		}
		mean[i] += floats.Dot(compute.Row(e, i), f.weights[from:from+e.Cols]) / f.weights.Total(f.x.Rows)
	}
}

// solve returns the solution, or nil if it was stopped. The features are centred, and with
// them the constant is known.
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

// coefficients returns those of the features, with a weight that is larger, tenfold each
// time, if the equations are singular with it; none if it was stopped.
func (s *moments) coefficients(weight float64) (compute.Matrix, float64, error) {
	for ; weight < math.MaxFloat64/10; weight *= 10 {
		factor := compute.Clone(s.square)
		for i := range factor.Rows {
			factor.Data[i*factor.Stride+i] += weight
		}
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

// certify sets the objective, Σ‖y − b − e·a‖² + weight·‖a‖², and the relative residual of
// the equations.
func (s *moments) certify(rep *Report, a compute.Matrix) {
	r := compute.Clone(s.cross)
	blas64.Scal(-1, compute.Vector(r.Data))
	compute.MulNN(r, s.square, a, s.options.Workers)
	floats.AddScaled(r.Data, rep.Ridge, a.Data)
	rep.Objective = -floats.Dot(s.cross.Data, a.Data)
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
