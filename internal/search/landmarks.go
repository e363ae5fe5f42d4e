package search

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Landmarks computes Gram matrices of the Nyström kernel k_P(x)ᵀ·K_PP⁻¹·k_P(z) on
// landmarks P, for one kernel after another.
type Landmarks struct {
	Jitter  float64 // relative increase of the diagonal of K_PP, which may be numerically singular
	Workers int
	Stopped func() bool

	aside compute.Matrix
}

// Gram sets dst to the Gram matrix of the Nyström approximation of k between the rows x.
// With at least as many landmarks as rows the approximation is exact. It returns false if
// K_PP is not positive definite or Stopped returned true. O(M³/3 + M²·n + M·n²/2) for M
// landmarks. If 2M > n it needs M² numbers of scratch memory in addition to dst.
func (l *Landmarks) Gram(dst compute.Matrix, k kernel.Kernel, landmarks, x compute.Points) bool {
	e, n, m := gram.Evaluator{Kernel: k, Workers: l.Workers}, x.Rows, landmarks.Rows
	if m >= n {
		e.GramOf(dst, x)
		return true
	}
	done := false
	if 2*m <= n {
		done = l.fewGram(dst, e, landmarks, x)
	} else {
		done = l.manyGram(dst, e, landmarks, x)
	}
	if done {
		compute.Mirror(dst)
	}
	return done
}

// fewGram sets the upper triangle of dst. The factor and the features fit into dst.
func (l *Landmarks) fewGram(dst compute.Matrix, e gram.Evaluator, landmarks, x compute.Points) bool {
	n, m := x.Rows, landmarks.Rows
	u, v := compute.Block(dst, 0, m, 0, m), compute.Rows(dst, n-m, n)
	if !l.factorise(u, e, landmarks) {
		return false
	}
	e.CrossOf(v, landmarks, x)
	compute.SolveUpper(u, v, true, l.Workers)
	if l.Stopped() {
		return false
	}
	gramOfLast(dst, m, l.Workers)
	return true
}

// manyGram sets the upper triangle of dst. Only the features fit into dst; the factor is in l.aside.
func (l *Landmarks) manyGram(dst compute.Matrix, e gram.Evaluator, landmarks, x compute.Points) bool {
	m := landmarks.Rows
	u, v := compute.Reshape(&l.aside, m, m), compute.Columns(dst, 0, m)
	if !l.factorise(u, e, landmarks) {
		return false
	}
	e.CrossOf(v, x, landmarks)
	solveRows(u, v, l.Workers)
	if l.Stopped() {
		return false
	}
	gramOfRows(dst, m, l.Workers)
	return true
}

// factorise sets u to the factor of K_PP. It returns false if there is no factor or the search was stopped.
func (l *Landmarks) factorise(u compute.Matrix, e gram.Evaluator, landmarks compute.Points) bool {
	e.GramOf(u, landmarks)
	for i := range u.Rows {
		compute.Row(u, i)[i] *= 1 + l.Jitter
	}
	return !l.Stopped() && compute.Cholesky(u, l.Workers)
}

// someRows is the number of rows per chunk in scratch memory.
const someRows = 256

// solveRows overwrites each row of v with (Uᵀ)⁻¹ times it.
func solveRows(u, v compute.Matrix, workers int) {
	memory, free := compute.Allocate(v.Cols, someRows)
	defer free()
	for from, to := range compute.Chunks(v.Rows, someRows) {
		columns := compute.Matrix{Rows: v.Cols, Cols: to - from, Stride: to - from, Data: memory.Data[:v.Cols*(to-from)]}
		compute.TransposeTo(columns, compute.Rows(v, from, to))
		compute.SolveUpper(u, columns, true, workers)
		compute.TransposeTo(compute.Rows(v, from, to), columns)
	}
}

// gramOfRows sets the upper triangle of m to V·Vᵀ, where V is the first p columns of m. It
// works from the top down in chunks: each chunk overwrites its own rows from the diagonal on
// and reads only itself and the rows below.
func gramOfRows(m compute.Matrix, p, workers int) {
	memory, free := compute.Allocate(someRows, p)
	defer free()
	for from, to := range compute.Chunks(m.Rows, someRows) {
		rows := compute.Rows(memory, 0, to-from)
		compute.CopyTo(rows, compute.Block(m, from, to, 0, p))
		compute.Zero(compute.Block(m, from, to, from, m.Cols))
		compute.AddRowGram(compute.Block(m, from, to, from, to), rows, workers)
		compute.MulNT(compute.Block(m, from, to, to, m.Cols), rows, compute.Block(m, to, m.Rows, 0, p), workers)
	}
}

// gramOfLast sets the upper triangle of m, n×n, to VᵀV, where V is the last p ≤ n/2 rows of
// m. It computes the last corner at the end, since this overwrites V.
func gramOfLast(m compute.Matrix, p, workers int) {
	n := m.Rows
	h := n - p
	top, left, right := compute.Rows(m, 0, h), compute.Block(m, h, n, 0, h), compute.Block(m, h, n, h, n)
	compute.Zero(top)
	compute.AddGram(compute.Columns(top, 0, h), left, workers)
	compute.MulTN(compute.Columns(top, h, n), left, right, workers)
	corner := compute.Columns(left, 0, p)
	compute.Zero(corner)
	compute.AddGram(corner, right, workers)
	compute.CopyTo(right, corner)
}
