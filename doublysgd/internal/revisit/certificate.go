package revisit

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// MeanLoss returns the mean loss on the training rows.
func (s *Solver) MeanLoss() float64 {
	return s.trained().Value(s.scores) / s.weight
}

// Objective returns F/n.
func (s *Solver) Objective() float64 {
	return s.MeanLoss() + s.Ridge/2*float64(s.Function.Count())*s.Function.SquaredNorm()
}

// Exact reports whether one pass reaches the minimum.
func (s *Solver) Exact() bool {
	return loss.Quadratic(s.risk.Loss()) && (s.joint != nil || s.Function.Count() == 1)
}

// Residual returns the larger relative residual of the method of multipliers, zero for losses
// without kinks.
func (s *Solver) Residual() float64 {
	if s.kink == nil {
		return 0
	}
	return s.kink.error()
}

// Certificate returns the norm of the gradient at the best constant relative to A = 0, and a bound
// of the excess of F/n over its minimum. For losses with kinks it returns Residual and NaN. A
// stopped solver returns NaN.
func (s *Solver) Certificate() (gradient, gap float64) {
	if s.kink != nil {
		return s.Residual(), math.NaN()
	}
	norm, start := s.gradientNorms()
	g := norm * s.curvature() / s.weight
	return relative(norm, start), g * g / (2 * s.Ridge * float64(s.Function.Count()))
}

// GradientAtZero returns the norm of the gradient over c at A = 0 and the best constant, zero for
// losses with kinks.
func (s *Solver) GradientAtZero() float64 {
	if s.kink != nil {
		return 0
	}
	_, atZero := s.gradientNorms()
	return atZero
}

// Within reports whether the relative gradient is within the tolerance after a pass with the given
// norm of right-hand sides. It computes the gradient only if that norm is small enough.
func (s *Solver) Within(tolerance, norm, atZero float64) bool {
	if s.kink != nil {
		return s.Residual() <= tolerance
	}
	if norm > tolerance*atZero {
		return false
	}
	if !s.refresh() {
		return false
	}
	now, _ := s.gradientNorms()
	return now <= tolerance*atZero
}

// gradientNorms returns the norms of the gradient over c at the current A and at A = 0, each at the
// best constant. It computes all features once. A stopped solver returns NaN.
func (s *Solver) gradientNorms() (now, atZero float64) {
	s.FitConstant()
	s.residual()
	s.trained().Centre(compute.Rows(s.r, 0, s.train))
	zero, q := s.residualAtZero(), s.r.Cols
	both := compute.NewMatrix(s.r.Rows, 2*q)
	for i := range both.Rows {
		copy(compute.Row(both, i), compute.Row(s.r, i))
		copy(compute.Row(both, i)[q:], compute.Row(zero, i))
	}
	for b := 0; b < s.Function.Count() && !s.stopped(); b++ {
		s.design.Use(b, s.Function.Block(b))
		g := s.correlations(both)
		for i := range g.Rows {
			for o, w := range compute.Row(g, i) {
				if o >= q {
					atZero += w * w
					continue
				}
				w -= s.lam() * s.Function.Scale * s.Function.Blocks[b].Data[i*q+o]
				now += w * w
			}
		}
	}
	if s.stopped() {
		return math.NaN(), math.NaN()
	}
	return math.Sqrt(now), math.Sqrt(atZero)
}

// residualAtZero returns the centred R at A = 0 and the best constant.
func (s *Solver) residualAtZero() compute.Matrix {
	f, r := compute.NewMatrix(s.scores.Rows, s.scores.Cols), compute.NewMatrix(s.scores.Rows, s.scores.Cols)
	trained, part := s.trained(), compute.Rows(r, 0, s.train)
	compute.AddRow(f, trained.Shift(compute.Rows(f, 0, s.train)))
	trained.Descent(part, compute.Rows(f, 0, s.train), 1/s.curvature())
	trained.Centre(part)
	return r
}
