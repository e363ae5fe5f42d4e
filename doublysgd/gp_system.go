package doublysgd

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// system is the matrix A = K + s²I of the rows of x, and the preconditioner
//
//	P = e·eᵀ + s²I,   P⁻¹r = (r − e·(eᵀe + s²I)⁻¹eᵀr)/s²
//
// of what centres know of K: P ≼ A. Source: Díaz, Epperly, Frangella, Tropp and Webber,
// "Robust, randomized preconditioning for kernel ridge regression", 2023, section 2.2.
type system struct {
	of     kernel.Evaluator
	x      compute.Matrix
	gram   compute.Matrix // K, where it is kept
	noise  float64        // s²
	e      compute.Matrix // n×q
	trace  float64        // of e·eᵀ
	factor compute.Matrix // Cholesky factor of eᵀe + s²I
}

const unitRoundoff = 0x1p-53

// newSystem returns rkhs.ErrDiverged if s² is lost beside K, which may be kept.
func newSystem(c *centres, x compute.Matrix, noise float64, keep bool) (*system, error) {
	s := &system{of: c.of, x: x, noise: noise, e: c.at(x), factor: compute.NewMatrix(c.count(), c.count())}
	compute.AddGram(s.factor, s.e, s.of.Workers)
	for i := range s.factor.Rows {
		s.trace += s.factor.Data[i*s.factor.Stride+i]
		s.factor.Data[i*s.factor.Stride+i] += noise
	}
	if noise < unitRoundoff*s.trace || !compute.Cholesky(s.factor, s.of.Workers) {
		return nil, fmt.Errorf("doublysgd: the noise %v is lost beside the kernel: %w", noise, rkhs.ErrDiverged)
	}
	if keep {
		s.gram = compute.NewMatrix(x.Rows, x.Rows)
		s.of.Gram(s.gram, x)
	}
	return s, nil
}

// apply sets dst to A·v. O(n²·(d + k)) for k columns.
func (s *system) apply(dst, v compute.Matrix) {
	if s.gram.Rows > 0 {
		clear(dst.Data)
		compute.MulNN(dst, s.gram, v, s.of.Workers)
	} else {
		s.of.Mul(dst, s.x, s.x, v)
	}
	for i, v := range v.Data {
		dst.Data[i] += s.noise * v
	}
}

// precondition sets dst to P⁻¹r. O(n·q·k).
func (s *system) precondition(dst, r compute.Matrix) {
	a := compute.NewMatrix(s.e.Cols, r.Cols)
	compute.MulTN(a, s.e, r, s.of.Workers)
	compute.SolveUpper(s.factor, a, true, s.of.Workers)
	compute.SolveUpper(s.factor, a, false, s.of.Workers)
	clear(dst.Data)
	compute.MulNN(dst, s.e, a, s.of.Workers)
	for i, v := range r.Data {
		dst.Data[i] = (v - dst.Data[i]) / s.noise
	}
}
