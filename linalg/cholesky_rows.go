package linalg

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// solveBlock is the number of rows of L that a triangular solve with several
// right-hand sides takes at once; all else is matrix products.
const solveBlock = 64

// ForwardRows overwrites each row b of B, which is q×n, with L⁻¹b: for B =
// K(Z, X), the kernel values of new points Z against the present ones, it leaves
// V = B·L⁻ᵀ, and K(Z, Z) − V·Vᵀ is the part of Z that X does not span. O(n²) a
// row, in matrix products on at most workers goroutines for several rows. It
// panics if B has not n columns.
func (c *Cholesky) ForwardRows(b blas64.General, workers int) {
	checkDims("B", b, b.Rows, c.l.n)
	if b.Rows == 1 {
		c.forward(b.Data[:c.l.n], 0)
		return
	}
	for from := 0; from < c.l.n && b.Rows > 0; from += solveBlock {
		to := min(from+solveBlock, c.l.n)
		if from > 0 {
			compute.MulNT(compute.Columns(b, from, to), compute.Columns(b, 0, from), c.negated(from, to), workers)
		}
		for i := range b.Rows {
			x := b.Data[i*b.Stride : i*b.Stride+to]
			for r := from; r < to; r++ {
				row := c.l.row(r)
				x[r] = (x[r] - floats.Dot(row[from:r], x[from:r])) / row[r]
			}
		}
	}
}

// BackwardRows overwrites each row b of B, which is q×n, with L⁻ᵀb. After
// ForwardRows it completes the solution, B·G. O(n²) a row, in matrix products
// on at most workers goroutines. It panics if B has not n columns.
func (c *Cholesky) BackwardRows(b blas64.General, workers int) {
	checkDims("B", b, b.Rows, c.l.n)
	switch b.Rows {
	case 0:
		return
	case 1:
		c.backward(b.Data[:c.l.n])
		return
	}
	for to := c.l.n; to > 0; {
		from := (to - 1) / solveBlock * solveBlock
		for i := range b.Rows {
			x := b.Data[i*b.Stride : i*b.Stride+to]
			for r := to - 1; r >= from; r-- {
				row := c.l.row(r)
				x[r] /= row[r]
				floats.AddScaled(x[from:r], -x[r], row[from:r])
			}
		}
		if from > 0 {
			compute.MulNN(compute.Columns(b, 0, from), compute.Columns(b, from, to), c.negated(from, to), workers)
		}
		to = from
	}
}

// negated returns −L[from:to, 0:from] with a constant stride, as products take it.
func (c *Cholesky) negated(from, to int) compute.Matrix {
	m := compute.Matrix{Rows: to - from, Cols: from, Stride: from, Data: resize(&c.panel, (to-from)*from)}
	for r := range m.Rows {
		floats.ScaleTo(m.Data[r*from:(r+1)*from], -1, c.l.row(from + r)[:from])
	}
	return m
}
