package choose

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Landmarks tells what functions on landmarks P carry of one kernel after the other: the kernel
// k_P(x)ᵀ·K_PP⁻¹·k_P(z).
type Landmarks struct {
	Jitter  float64       // the fraction by which the diagonal of K_PP is raised, which may be singular to working precision
	Memory  *compute.Slab // of what has no room in the result, or nil
	Workers int
	Stopped func() bool

	aside compute.Matrix
}

// Gram sets dst to the Gram matrix of what landmarks carry of k between the rows x, which as many
// landmarks as rows carry all of. It returns false where K_PP has no factor, and when it was stopped.
// O(M³/3 + M²·n + M·n²/2) for M landmarks, and no memory beside that of dst for up to half as many as rows.
func (l *Landmarks) Gram(dst compute.Matrix, k kernel.Kernel, landmarks, x compute.Points) bool {
	e, n, m := kernel.Evaluator{Kernel: k, Workers: l.Workers}, x.Rows, landmarks.Rows
	if m >= n {
		e.GramOf(dst, x)
		return true
	}
	u, v := compute.Block(dst, 0, m, 0, m), compute.Rows(dst, n-m, n)
	if 2*m > n { // dst has no room for both, nor for v beside the product
		if len(l.aside.Data) < m*n {
			l.aside.Data = l.Memory.Numbers(m * n)
		}
		v = compute.Reshape(&l.aside, m, n)
	}
	e.GramOf(u, landmarks)
	for i := range m {
		compute.Row(u, i)[i] *= 1 + l.Jitter
	}
	if l.Stopped() || !compute.Cholesky(u, l.Workers) {
		return false
	}
	e.CrossOf(v, landmarks, x)
	compute.SolveUpper(u, v, true, l.Workers)
	if l.Stopped() {
		return false
	}
	if 2*m > n {
		compute.Zero(dst)
		compute.AddGram(dst, v, l.Workers)
	} else {
		gramOfLast(dst, m, l.Workers)
	}
	compute.Mirror(dst)
	return true
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
