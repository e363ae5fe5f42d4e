package linalg

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// SolveVecTo sets dst = G·b. dst may be b. O(n²). It panics if a length is not n.
func (c *Cholesky) SolveVecTo(dst, b []float64) {
	checkLen("dst", len(dst), c.l.N)
	checkLen("b", len(b), c.l.N)
	copy(dst, b)
	c.forward(dst, 0)
	c.backward(dst)
}

// SolveTo sets dst = G·B for the listed columns of B, in this order, or for all columns if cols is
// nil. B is n×q, dst is n×len(cols) or n×q. They may overlap. O(n²) per column, by matrix products on
// at most workers goroutines. It panics if dimensions do not match or a column is out of range.
func (c *Cholesky) SolveTo(dst, b *mat.Dense, cols []int, workers int) {
	to, from := dst.RawMatrix(), b.RawMatrix()
	n, q := c.l.N, from.Cols
	if cols != nil {
		q = len(cols)
	}
	checkDims("B", from, n, from.Cols)
	checkDims("dst", to, n, q)
	x := compute.Matrix{Rows: q, Cols: n, Stride: n, Data: resize(&c.rhs, q*n)}
	for r := range q {
		j := r
		if cols != nil {
			j = cols[r]
		}
		checkIndex("column", j, from.Cols)
		for i, row := 0, compute.Row(x, r); i < n; i++ {
			row[i] = from.Data[i*from.Stride+j]
		}
	}
	c.forwardRows(x, workers)
	c.backwardRows(x, workers)
	for r := range q {
		for i, v := range compute.Row(x, r) {
			to.Data[i*to.Stride+r] = v
		}
	}
}

// inverseColumn sets dst = G·e_j, column j of the inverse. O(n²).
func (c *Cholesky) inverseColumn(dst []float64, j int) {
	checkLen("dst", len(dst), c.l.N)
	c.unit(dst, j)
	c.backward(dst)
}

// inverseEntry computes G_jj = ‖L⁻¹e_j‖² from the factor.
func (c *Cholesky) inverseEntry(j int) float64 {
	z := resize(&c.column, c.l.N)
	c.unit(z, j)
	return floats.Dot(z[j:], z[j:])
}

// unit sets z = L⁻¹e_j, which is zero above j.
func (c *Cholesky) unit(z []float64, j int) {
	clear(z)
	z[j] = 1
	c.forward(z, j)
}

// forward overwrites x with L⁻¹x, where x is zero before index from.
func (c *Cholesky) forward(x []float64, from int) {
	for r := from; r < len(x); r++ {
		row := c.l.Row(r)
		x[r] = (x[r] - floats.Dot(row[from:r], x[from:r])) / row[r]
	}
}

// backward overwrites x with L⁻ᵀx.
func (c *Cholesky) backward(x []float64) {
	for r := len(x) - 1; r >= 0; r-- {
		row := c.l.Row(r)
		x[r] /= row[r]
		floats.AddScaled(x[:r], -x[r], row[:r])
	}
}

// ForwardRows overwrites each row b of the q×n matrix B with L⁻¹b. For the kernel values B = K(Z, X)
// of new points Z and the present points, the result is V = B·L⁻ᵀ, and K(Z, Z) − V·Vᵀ is the Schur
// complement of Z. O(n²) per row, by matrix products on at most workers goroutines. It panics unless
// B has n columns.
func (c *Cholesky) ForwardRows(b *mat.Dense, workers int) { c.forwardRows(b.RawMatrix(), workers) }

func (c *Cholesky) forwardRows(b compute.Matrix, workers int) {
	checkDims("B", b, b.Rows, c.l.N)
	if b.Rows == 1 {
		c.forward(b.Data[:c.l.N], 0)
		return
	}
	c.l.Forward(b, workers)
}

// BackwardRows overwrites each row b of the q×n matrix B with L⁻ᵀb. After ForwardRows the result is
// B·G. O(n²) per row, by matrix products on at most workers goroutines. It panics unless B has n
// columns.
func (c *Cholesky) BackwardRows(b *mat.Dense, workers int) { c.backwardRows(b.RawMatrix(), workers) }

func (c *Cholesky) backwardRows(b compute.Matrix, workers int) {
	checkDims("B", b, b.Rows, c.l.N)
	if b.Rows == 1 {
		c.backward(b.Data[:c.l.N])
		return
	}
	c.l.Backward(b, workers)
}
