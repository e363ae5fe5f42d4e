package centres

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Regression is the matrix A = K + s²I of the rows of x as kernel ridge regression needs
// it. With Centred solutions sum to zero, and their residuals are right sides but for
// a constant, which is left free: of such vectors preconditioners keep the sum. Half of K
// is kept where Keep has been called, and computed at each product otherwise.
type Regression struct {
	Of      kernel.Evaluator
	X       compute.Matrix
	Noise   float64 // s²
	Centred bool
	// More tells, a few times a second, whether to go on.
	More func() bool

	panels  []compute.Matrix // of K, the rows of each from its diagonal on
	inverse Inverse
	ones    []float64 // P⁻¹1
	sum     float64   // 1ᵀP⁻¹1
}

// An Inverse is that of a matrix P near A.
type Inverse interface {
	// SolveTo sets dst to P⁻¹r, n×k.
	SolveTo(dst, r compute.Matrix)
}

// panelRows is the number of rows of K between two looks at whether to go on.
const panelRows = 512

// Keep computes half of K, of n²/2 numbers, and keeps it. It reports whether it came to
// its end.
func (s *Regression) Keep() bool {
	n := s.X.Rows
	for from, to := range compute.Chunks(n, panelRows) {
		if !s.More() {
			s.panels = nil
			return false
		}
		panel := compute.NewMatrix(to-from, n-from)
		s.Of.Cross(panel, compute.Rows(s.X, from, to), compute.Rows(s.X, from, n))
		s.panels = append(s.panels, panel)
	}
	return true
}

// SetInverse makes p the preconditioner. Where vectors sum to zero it is
//
//	P⁻¹ − P⁻¹1·1ᵀP⁻¹/(1ᵀP⁻¹1),
//
// the inverse of P on them, which takes constants to zero.
func (s *Regression) SetInverse(p Inverse) {
	s.inverse = p
	if !s.Centred {
		return
	}
	ones, u := compute.NewMatrix(s.X.Rows, 1), compute.NewMatrix(s.X.Rows, 1)
	floats.AddConst(1, ones.Data)
	p.SolveTo(u, ones)
	s.ones, s.sum = u.Data, floats.Sum(u.Data)
}

// Apply sets dst to A·v. O(n²·(d + k)), or O(n²·k) where K is kept.
func (s *Regression) Apply(dst, v compute.Matrix) bool {
	n, workers := s.X.Rows, s.Of.Workers
	compute.Zero(dst)
	for p, at := 0, 0; at < n; p, at = p+1, at+panelRows {
		if !s.More() {
			return false
		}
		to := min(at+panelRows, n)
		if s.panels == nil {
			s.Of.Mul(compute.Rows(dst, at, to), compute.Rows(s.X, at, to), s.X, v)
			continue
		}
		compute.MulNN(compute.Rows(dst, at, to), s.panels[p], compute.Rows(v, at, n), workers)
		compute.MulTN(compute.Rows(dst, to, n), compute.Columns(s.panels[p], to-at, n-at), compute.Rows(v, at, to), workers)
	}
	for i, w := range v.Data {
		dst.Data[i] += float64(s.Noise * w)
	}
	return true
}

// Precondition sets dst to P⁻¹r, or, where vectors sum to zero, to that of SetInverse.
func (s *Regression) Precondition(dst, r compute.Matrix) {
	s.inverse.SolveTo(dst, r)
	if !s.Centred || !(s.sum > 0) {
		return
	}
	for o, sum := range columnSums(dst) {
		for i, u := range s.ones {
			dst.Data[i*dst.Stride+o] -= float64(sum / s.sum * u)
		}
	}
}

// LessConstant turns the diagonal of P⁻¹ into that of what SetInverse makes of it.
func (s *Regression) LessConstant(diag []float64) {
	for i, u := range s.ones {
		diag[i] -= float64(u * u / s.sum)
	}
}

// Size bounds the norm of A by its trace.
func (s *Regression) Size() float64 {
	diag := make([]float64, s.X.Rows)
	s.Of.Diag(diag, s.X)
	return floats.Sum(diag) + s.Noise
}

// LeastNoise is the s² below which it is rounding beside K: 2⁻⁵² of the trace, which
// bounds the norm, or of 1 where K is zero.
func LeastNoise(of kernel.Evaluator, x compute.Matrix) float64 {
	diag := make([]float64, x.Rows)
	of.Diag(diag, x)
	if trace := floats.Sum(diag); trace > 0 {
		return 2 * unitRoundoff * trace
	}
	return 2 * unitRoundoff
}

func columnSums(m compute.Matrix) []float64 {
	sums := make([]float64, m.Cols)
	for i := range m.Rows {
		floats.Add(sums, compute.Row(m, i))
	}
	return sums
}
