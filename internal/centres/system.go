package centres

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// System is the matrix A = K + s²I of the rows of x, and the preconditioner
//
//	P = e·eᵀ + s²I,   P⁻¹r = (r − e·(eᵀe + s²I)⁻¹eᵀr)/s²
//
// of what centres know of K: P ≼ A. Source: Díaz, Epperly, Frangella, Tropp and Webber,
// "Robust, randomized preconditioning for kernel ridge regression", 2023, section 2.2.
type System struct {
	Of     kernel.Evaluator
	X      compute.Matrix
	gram   compute.Matrix // K, where it is kept
	noise  float64        // s²
	E      compute.Matrix // n×q
	trace  float64        // of e·eᵀ
	factor compute.Matrix // Cholesky factor of eᵀe + s²I
}

const unitRoundoff = 0x1p-53

// NewSystem returns rkhs.ErrDiverged if s² is lost beside K, which may be kept.
func NewSystem(c *Centres, x compute.Matrix, noise float64, keep bool) (*System, error) {
	s := &System{Of: c.Of, X: x, noise: noise, E: c.At(x), factor: compute.NewMatrix(c.Count(), c.Count())}
	compute.AddGram(s.factor, s.E, s.Of.Workers)
	for i := range s.factor.Rows {
		s.trace += s.factor.Data[i*s.factor.Stride+i]
		s.factor.Data[i*s.factor.Stride+i] += noise
	}
	if noise < unitRoundoff*s.trace || !compute.Cholesky(s.factor, s.Of.Workers) {
		return nil, fmt.Errorf("the noise %v is lost beside the kernel: %w", noise, rkhs.ErrDiverged)
	}
	if keep {
		s.gram = compute.NewMatrix(x.Rows, x.Rows)
		s.Of.Gram(s.gram, x)
	}
	return s, nil
}

// Apply sets dst to A·v. O(n²·(d + k)) for k columns.
func (s *System) Apply(dst, v compute.Matrix) bool {
	if s.gram.Rows > 0 {
		clear(dst.Data)
		compute.MulNN(dst, s.gram, v, s.Of.Workers)
	} else {
		s.Of.Mul(dst, s.X, s.X, v)
	}
	for i, v := range v.Data {
		dst.Data[i] += s.noise * v
	}
	return true
}

// Size returns the trace of e·eᵀ and s².
func (s *System) Size() float64 { return s.trace + s.noise }

// Precondition sets dst to P⁻¹r. O(n·q·k).
func (s *System) Precondition(dst, r compute.Matrix) {
	a := compute.NewMatrix(s.E.Cols, r.Cols)
	compute.MulTN(a, s.E, r, s.Of.Workers)
	compute.SolveUpper(s.factor, a, true, s.Of.Workers)
	compute.SolveUpper(s.factor, a, false, s.Of.Workers)
	clear(dst.Data)
	compute.MulNN(dst, s.E, a, s.Of.Workers)
	for i, v := range r.Data {
		dst.Data[i] = (v - dst.Data[i]) / s.noise
	}
}
