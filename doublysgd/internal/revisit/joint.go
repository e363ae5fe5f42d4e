package revisit

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/linalg"
	"github.com/rkhs-go/rkhs/loss"
)

// joint minimises the quadratic of a visit over all blocks at once. Block Gauss–Seidel is slow if a
// block has as many columns as there are rows. Over the rows
//
//	A_b = Z_bᵀα,   (H·(Σ_b Z_bZ_bᵀ)·H + lam·I)·α = H·(R + f),   H = I − 11ᵀ/n,
//
// needs O(n²·D + n³/3) once and O(n² + n·D) a step. For weights w = s² both sides are multiplied by
// s, A_b = Z_bᵀSα, and s replaces 1.
type joint struct {
	x       compute.Points // rows in their order
	blocks  int            // how many are in the Gram matrix
	gram    compute.Matrix // Σ_b Z_bZ_bᵀ of these, upper triangle
	single  bool           // whether its terms are in single precision
	factor  compute.Matrix // of the rows trained on, for lam
	lam     float64
	shift   float64 // added to the diagonal, at least lam
	mean    float64 // of the eigenvalues, which the one of s was given
	workers int
}

func newJoint(p *Problem, single bool) *joint {
	n := len(p.Order)
	return &joint{x: p.X.Pick(p.Order), gram: compute.NewMatrix(n, n), single: single, workers: p.Workers}
}

// add adds the new blocks of f to the Gram matrix.
func (j *joint) add(f *blocks.Function, stopped func() bool) {
	if j.blocks < f.Count() {
		of := blocks.Gram{Single: j.single, Workers: j.workers} // releases its memory before the factor
		j.blocks = of.Add(j.gram, f, j.blocks, f.Count(), j.x, stopped)
		j.lam = 0
	}
}

// factorise computes the factor for the training rows and the roots of their weights, or nil.
// Rounding may require a larger ridge, as in blocks.Normal. It adds the mean eigenvalue along s,
// where the solution is zero, to preserve the digits of the diagonal of the inverse.
func (j *joint) factorise(train int, roots compute.Weights, lam float64) {
	if j.lam == lam && j.factor.Rows == train {
		return
	}
	j.lam = lam
	for j.shift = lam; ; j.shift = 4*j.shift + 1e-15*compute.Trace(j.gram) {
		compute.CopyTo(compute.Reshape(&j.factor, train, train), compute.Block(j.gram, 0, train, 0, train))
		compute.Mirror(j.factor)
		if roots == nil {
			linalg.CentreGram(compute.Dense(j.factor), j.workers)
		} else {
			scaleBoth(j.factor, roots)
			projectBoth(j.factor, roots)
		}
		j.mean = compute.Trace(j.factor) / float64(train)
		square := squareOf(roots, train)
		compute.Parallel(train, j.workers, func(i int) {
			row, c := compute.Row(j.factor, i), j.mean/square*roots.At(i)
			for k := range row {
				row[k] += float64(c * roots.At(k))
			}
			row[i] += j.shift
		})
		if compute.Cholesky(j.factor, j.workers) || !compute.Finite(j.shift) {
			return
		}
	}
}

// squareOf returns ‖s‖².
func squareOf(roots compute.Weights, n int) float64 {
	sum := 0.0
	for i := range n {
		sum += float64(roots.At(i) * roots.At(i))
	}
	return sum
}

// step performs a step of all blocks. For a loss that is not quadratic it iterates on the scores of
// the training rows first, once per block, O(n²) each. A stopped step leaves a valid model.
func (j *joint) step(s *Solver) {
	if !j.prepare(s) {
		return
	}
	trained, scores := s.trained(), compute.Clone(compute.Rows(s.scores, 0, s.train))
	goal := s.goal(scores)
	weights := j.solved(s, goal)
	for range j.looks(s) - 1 {
		for i := range scores.Rows { // f = R + f − lam·α/s
			row := compute.Row(scores, i)
			copy(row, compute.Row(goal, i))
			floats.AddScaled(row, -j.shift/s.rootAt(i), compute.Row(weights, i))
		}
		goal = s.goal(scores)
		weights = j.solved(s, goal)
	}
	for i, r := range s.roots() { // the weights enter the correlations
		floats.Scale(1/r, compute.Row(weights, i))
	}
	trained.Centre(weights)
	still := make([]float64, goal.Cols)
	for b := 0; b < s.Function.Count() && !s.stopped(); b++ {
		s.design.Use(b, s.Function.Block(b))
		step := s.correlations(weights)
		blas64.Axpy(-s.Function.Scale, compute.Vector(s.Function.Blocks[b].Data), compute.Vector(step.Data))
		if !s.stopped() {
			s.take(b, step, still)
		}
	}
	floats.Sub(goal.Data, compute.Rows(s.scores, 0, s.train).Data)
	s.shift(trained.Centre(goal))
}

// looks returns the number of evaluations of the loss in a step.
func (j *joint) looks(s *Solver) int {
	if s.kink != nil || loss.Quadratic(s.risk.Loss()) {
		return 1
	}
	return s.Function.Count()
}

// prepare computes the factor and returns false if the solver is stopped.
func (j *joint) prepare(s *Solver) bool {
	j.add(s.Function, s.stopped)
	if s.stopped() {
		return false
	}
	j.factorise(s.train, s.roots(), s.lam())
	return true
}

// solved returns α for R + f.
func (j *joint) solved(s *Solver, goal compute.Matrix) compute.Matrix {
	weights := compute.Clone(goal)
	s.trained().Centre(weights)
	s.roots().Scale(weights)
	compute.SolveUpper(j.factor, weights, true, j.workers)
	compute.SolveUpper(j.factor, weights, false, j.workers)
	return weights
}

// goal returns R + f for scores of the training rows; for the squared loss, the targets.
func (s *Solver) goal(scores compute.Matrix) compute.Matrix {
	goal := compute.NewMatrix(s.train, scores.Cols)
	if s.kink != nil {
		s.kink.residual(goal, scores)
	} else {
		s.trained().Descent(goal, scores, 1/s.curvature())
	}
	floats.Add(goal.Data, scores.Data)
	return goal
}

// rootAt returns the root of the weight of a row.
func (s *Solver) rootAt(i int) float64 { return math.Sqrt(s.risk.Weights.At(i)) }

// leaveOneOut returns leave-one-out predictions for a quadratic loss, or false. With P the inverse of
// the matrix on the complement of s, the residual of row i is lam·α_i/s_i, and its leave-one-out
// residual α_i/(s_i·P_ii) (Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// eq. (5.12)). O(n³/3).
func (j *joint) leaveOneOut(s *Solver) (scores compute.Matrix, ok bool) {
	if !j.prepare(s) {
		return scores, false
	}
	diagonal := compute.InverseDiagonal(j.factor, func(int) bool { return !s.stopped() }, j.workers)
	if diagonal == nil {
		return scores, false
	}
	scores = s.goal(compute.Rows(s.scores, 0, s.train))
	left, roots := j.solved(s, scores), s.roots()
	along := squareOf(roots, s.train) * (j.mean + j.shift)
	for i, p := range diagonal {
		root := roots.At(i)
		floats.Scale(j.shift/root, compute.Row(left, i))
		diagonal[i] = j.shift * (p - root*root/along)
	}
	trained := s.trained()
	first := j.x.Between(0, s.train).FirstCopies(trained.Y, trained.Class)
	calibrate.LeaveOut(left, diagonal, trained.Weights.Multiplicity(first))
	floats.Sub(scores.Data, left.Data)
	return scores, compute.AllFinite(scores)
}

// roots returns the roots of the weights of the training rows, or nil.
func (s *Solver) roots() compute.Weights {
	var roots compute.Weights
	for _, w := range s.trained().Weights {
		roots = append(roots, math.Sqrt(w))
	}
	return roots
}

// scaleBoth multiplies the rows and the columns of m.
func scaleBoth(m compute.Matrix, by []float64) {
	for i, s := range by {
		row := compute.Row(m, i)
		floats.Mul(row, by)
		floats.Scale(s, row)
	}
}

// projectBoth sets the symmetric m to H·m·H for H = I − ssᵀ/‖s‖².
func projectBoth(m compute.Matrix, s []float64) {
	size, t := floats.Dot(s, s), make([]float64, len(s))
	for i := range t {
		t[i] = floats.Dot(compute.Row(m, i), s) / size
	}
	both := floats.Dot(s, t) / size
	for i := range t {
		row := compute.Row(m, i)
		floats.AddScaled(row, -s[i], t)
		floats.AddScaled(row, float64(both*s[i])-t[i], s)
	}
}
