package nystrom

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// System is the matrix A = K + N of the rows of x, N = s²I, or diag(s²/w) with weights w of
// the rows, and the preconditioner
//
//	P = e·eᵀ + N,   P⁻¹r = (Wr − We·(eᵀWe + s²I)⁻¹eᵀWr)/s²,   W = diag(w),
//
// of centres, with P ≼ A. Source: Díaz, Epperly, Frangella, Tropp and Webber,
// "Robust, randomized preconditioning for kernel ridge regression", 2023, section 2.2.
type System struct {
	Of      gram.Evaluator
	X       compute.Points
	gram    compute.Matrix  // K, or empty
	noise   float64         // s²
	weights compute.Weights // of mean one, or nil
	E       compute.Matrix  // n×q
	trace   float64         // of eᵀWe
	factor  compute.Matrix  // Cholesky factor of eᵀWe + s²I
}

const unitRoundoff = 0x1p-53

// NewSystem stores K if keep is set. It returns rkhs.ErrDiverged if s² is below rounding of K.
func NewSystem(c *Centres, x compute.Points, noise float64, weights compute.Weights, keep bool) (*System, error) {
	s := &System{Of: c.Of, X: x, noise: noise, weights: weights, E: c.At(x), factor: compute.NewMatrix(c.Count(), c.Count())}
	compute.AddWeighedGram(s.factor, s.E, weights, s.Of.Workers)
	for i := range s.factor.Rows {
		s.trace += s.factor.Data[i*s.factor.Stride+i]
		s.factor.Data[i*s.factor.Stride+i] += noise
	}
	if noise < unitRoundoff*s.trace || !compute.Cholesky(s.factor, s.Of.Workers) {
		return nil, fmt.Errorf("the noise %v is below rounding of the kernel: %w", noise, rkhs.ErrDiverged)
	}
	if keep {
		s.gram = compute.NewMatrix(x.Rows, x.Rows)
		s.Of.GramOf(s.gram, x)
	}
	return s, nil
}

// Apply sets dst to A·v. O(n²·(d + k)) for k columns.
func (s *System) Apply(dst, v compute.Matrix) bool {
	if s.gram.Rows > 0 {
		clear(dst.Data)
		compute.MulNN(dst, s.gram, v, s.Of.Workers)
	} else {
		s.Of.MulOf(dst, s.X, s.X, v)
	}
	for i := range v.Rows {
		noise, to := s.noise/s.weights.At(i), compute.Row(dst, i)
		for o, u := range compute.Row(v, i) {
			to[o] += noise * u
		}
	}
	return true
}

// Size returns the trace of eᵀWe plus the largest noise of a row.
func (s *System) Size() float64 {
	return s.trace + s.noise/s.weights.Least()
}

// Precondition sets dst to P⁻¹r. O(n·q·k).
func (s *System) Precondition(dst, r compute.Matrix) {
	if s.weights != nil {
		r = compute.Clone(r)
		s.weights.Scale(r)
	}
	a := compute.NewMatrix(s.E.Cols, r.Cols)
	compute.MulTN(a, s.E, r, s.Of.Workers)
	solveFactor(s.factor, a, s.Of.Workers)
	clear(dst.Data)
	compute.MulNN(dst, s.E, a, s.Of.Workers)
	for i := range r.Rows {
		to, by := compute.Row(dst, i), s.weights.At(i)
		for o, v := range compute.Row(r, i) {
			to[o] = (v - by*to[o]) / s.noise
		}
	}
}
