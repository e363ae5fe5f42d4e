package nystrom

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Factor is the Cholesky factor of A = K + N = UᵀU, N = s²I, or diag(s²/w) with weights w.
type Factor struct {
	Noise   float64 // s²
	weights compute.Weights
	u       compute.Matrix
	panels  Panels // instead of u, or nil
	workers int
}

// Panels store the upper triangle of a square matrix. Each panel holds some rows from the diagonal
// on, so all panels need about half of the memory.
type Panels []compute.Matrix

// NewPanels returns panels for a triangle of n rows.
func NewPanels(n int) Panels {
	var p Panels
	for from, to := range compute.Chunks(n, panelRows) {
		p = append(p, compute.NewMatrix(to-from, n-from))
	}
	return p
}

// NewFactor computes and factorises A in n² numbers. It multiplies the noise by ten until A is positive
// definite to working precision. It returns nil if more, called with the number of finished rows, returns
// false. O(n³/3).
func NewFactor(of gram.Evaluator, x compute.Points, noise float64, weights compute.Weights, more func(done int) bool) *Factor {
	return newFactor(&Factor{Noise: noise, weights: weights, u: compute.NewMatrix(x.Rows, x.Rows), workers: of.Workers}, of, x, more)
}

// NewFactorIn is NewFactor in the memory of panels of n rows. The result does not support InverseDiagonal.
func NewFactorIn(p Panels, of gram.Evaluator, x compute.Points, noise float64, weights compute.Weights, more func(done int) bool) *Factor {
	return newFactor(&Factor{Noise: noise, weights: weights, panels: p, workers: of.Workers}, of, x, more)
}

func newFactor(f *Factor, of gram.Evaluator, x compute.Points, more func(done int) bool) *Factor {
	for compute.Finite(f.Noise) {
		definite, done := f.factorise(of, x, more)
		if !done {
			return nil
		}
		if definite {
			return f
		}
		f.Noise *= 10
	}
	return nil
}

// factorise computes U panel by panel.
func (f *Factor) factorise(of gram.Evaluator, x compute.Points, more func(done int) bool) (definite, done bool) {
	n := x.Rows
	for from, to := range compute.Chunks(n, panelRows) {
		panel := f.rows(from, to, from)
		of.CrossOf(panel, x.Between(from, to), x.Between(from, n))
		for i := range panel.Rows {
			panel.Data[i*panel.Stride+i] += f.Noise / f.weights.At(from+i)
		}
		for above, end := range compute.Chunks(from, panelRows) {
			if !more(from) {
				return false, false
			}
			f.subtract(panel, above, end, from)
		}
		corner := compute.Columns(panel, 0, to-from)
		if !compute.Cholesky(corner, f.workers) {
			return false, true
		}
		if to < n {
			compute.SolveUpper(corner, compute.Columns(panel, to-from, n-from), true, f.workers)
		}
	}
	return true, more(n)
}

// rows returns the rows of one panel, from the given column on.
func (f *Factor) rows(from, to, column int) compute.Matrix {
	if f.panels == nil {
		return compute.Columns(compute.Rows(f.u, from, to), column, f.u.Cols)
	}
	p := f.panels[from/panelRows]
	return compute.Columns(p, column-from, p.Cols)
}

// subtract subtracts the product of a panel above from a panel that begins at column from.
func (f *Factor) subtract(panel compute.Matrix, above, end, from int) {
	rows := f.rows(above, end, from)
	compute.SubtractTN(panel, compute.Columns(rows, 0, panel.Rows), rows, f.workers)
}

// SolveTo sets dst to A⁻¹r; r may be dst. O(n²·k).
func (f *Factor) SolveTo(dst, r compute.Matrix) {
	compute.CopyTo(dst, r)
	if f.panels == nil {
		compute.SolveUpper(f.u, dst, true, f.workers)
		compute.SolveUpper(f.u, dst, false, f.workers)
		return
	}
	n := dst.Rows
	for i, p := range f.panels { // Uᵀ, from the first panel
		from, to := n-p.Cols, n-p.Cols+p.Rows
		own := compute.Rows(dst, from, to)
		compute.SolveUpper(compute.Columns(p, 0, p.Rows), own, true, f.workers)
		if i < len(f.panels)-1 {
			compute.MulTN(compute.Rows(dst, to, n), compute.Columns(p, p.Rows, p.Cols), minus(own), f.workers)
		}
	}
	for i := len(f.panels) - 1; i >= 0; i-- {
		p := f.panels[i]
		from, to := n-p.Cols, n-p.Cols+p.Rows
		own := compute.Rows(dst, from, to)
		if to < n {
			compute.MulNN(own, compute.Columns(p, p.Rows, p.Cols), minus(compute.Rows(dst, to, n)), f.workers)
		}
		compute.SolveUpper(compute.Columns(p, 0, p.Rows), own, false, f.workers)
	}
}

// minus returns −m.
func minus(m compute.Matrix) compute.Matrix {
	m = compute.Clone(m)
	floats.Scale(-1, m.Data)
	return m
}

// InverseDiagonal returns the diagonal of A⁻¹ = U⁻¹·U⁻ᵀ, or nil if more, called with the number of
// finished rows, returns false. O(n³/3).
func (f *Factor) InverseDiagonal(more func(done int) bool) []float64 {
	return compute.InverseDiagonal(f.u, more, f.workers)
}

// LastInverseDiagonal returns the last m elements of the diagonal of A⁻¹, which depend only on the last
// block of U. O(m³).
func (f *Factor) LastInverseDiagonal(m int) []float64 {
	last := compute.NewMatrix(m, m)
	for i, p := range f.panels {
		n := f.panels[0].Cols
		from := n - p.Cols
		for r := max(0, n-m-from); r < p.Rows; r++ {
			row := from + r - (n - m)
			copy(compute.Row(last, row)[row:], compute.Row(f.panels[i], r)[r:])
		}
	}
	return compute.InverseDiagonal(last, func(int) bool { return true }, f.workers)
}
