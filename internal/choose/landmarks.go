package choose

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Landmarks tells what functions on landmarks P carry of one kernel after the other: the kernel
// k_P(x)ᵀ·K_PP⁻¹·k_P(z).
type Landmarks struct {
	Jitter  float64 // the fraction by which the diagonal of K_PP is raised, which may be singular to working precision
	Workers int
	Stopped func() bool

	aside compute.Matrix
}

// Gram sets dst to the Gram matrix of what landmarks carry of k between the rows x, which as many
// landmarks as rows carry all of. It returns false where K_PP has no factor, and when it was stopped.
// O(M³/3 + M²·n + M·n²/2) for M landmarks; of more than half as many as rows it takes M² numbers of memory beside dst.
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

// fewGram sets the upper triangle of dst, which has room for the factor and for what landmarks carry.
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

// manyGram sets the upper triangle of dst, which has room for what landmarks carry alone: the factor lies beside it.
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

// factorise sets u to the factor of K_PP, or returns false where that has none or the search was stopped.
func (l *Landmarks) factorise(u compute.Matrix, e gram.Evaluator, landmarks compute.Points) bool {
	e.GramOf(u, landmarks)
	for i := range u.Rows {
		compute.Row(u, i)[i] *= 1 + l.Jitter
	}
	return !l.Stopped() && compute.Cholesky(u, l.Workers)
}

// someRows is the number of rows that are worked on at a time in memory of their own.
const someRows = 256

// solveRows overwrites each row of v with (Uᵀ)⁻¹ times it.
func solveRows(u, v compute.Matrix, workers int) {
	memory, free := compute.Borrow(v.Cols, someRows)
	defer free()
	for from, to := range compute.Chunks(v.Rows, someRows) {
		columns := compute.Matrix{Rows: v.Cols, Cols: to - from, Stride: to - from, Data: memory.Data[:v.Cols*(to-from)]}
		compute.TransposeTo(columns, compute.Rows(v, from, to))
		compute.SolveUpper(u, columns, true, workers)
		compute.TransposeTo(compute.Rows(v, from, to), columns)
	}
}

// gramOfRows sets the upper triangle of m to V·Vᵀ for its first p columns V, some rows after the others: what is to
// be at and right of the diagonal lies beside what rows below are made of.
func gramOfRows(m compute.Matrix, p, workers int) {
	memory, free := compute.Borrow(someRows, p)
	defer free()
	for from, to := range compute.Chunks(m.Rows, someRows) {
		rows := compute.Rows(memory, 0, to-from)
		compute.CopyTo(rows, compute.Block(m, from, to, 0, p))
		compute.Zero(compute.Block(m, from, to, from, m.Cols))
		compute.AddRowGram(compute.Block(m, from, to, from, to), rows, workers)
		compute.MulNT(compute.Block(m, from, to, to, m.Cols), rows, compute.Block(m, to, m.Rows, 0, p), workers)
	}
}

// gramOfLast sets the upper triangle of m, n×n, to VᵀV for its last p rows V, which are no more
// than half of it: the corner of these comes last, beside what it is made of.
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
