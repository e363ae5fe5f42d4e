package linalg

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Append adds a point with the kernel values k with the n present points and diag with itself,
// without jitter. It returns the Schur complement
//
//	s = diag + jitter − kᵀ·G·k,
//
// the squared distance of the point from the span of the other points, plus jitter. If s is not
// finite or not above max(tol, 0), ok is false and the factor is unchanged. For a relative test set
// tol to a fraction of diag. Values below about n·2⁻⁵²·diag are rounding errors.
//
// O(n²/2) multiplications, or O(n²) with a tracked inverse diagonal. It panics unless k has length
// n.
func (c *Cholesky) Append(k []float64, diag, tol float64) (s float64, ok bool) {
	n := c.l.N
	checkLen("k", len(k), n)
	row := c.l.Push()
	copy(row, k)
	c.forward(row[:n], 0)
	s = diag + c.jitter - floats.Dot(row[:n], row[:n])
	if !(s > max(tol, 0)) || math.IsInf(s, 1) {
		c.l.Pop()
		return s, false
	}
	row[n] = math.Sqrt(s)
	if c.tracked {
		c.trackAppend(row[:n], s)
	}
	return s, true
}

// trackAppend updates the diagonal of the inverse for a new point with Schur complement s, where
// v = L⁻¹k: it adds (G·k)²/s and appends 1/s.
func (c *Cholesky) trackAppend(v []float64, s float64) {
	gk := resize(&c.inverse, len(v))
	copy(gk, v)
	c.backward(gk)
	for i, x := range gk {
		c.diag[i] += x * x / s
	}
	c.diag = append(c.diag, 1/s)
}

// AppendBatch adds q points by matrix products. cross is q×n, the kernel values of new and present
// points, and unused for n = 0. gram is q×q, the kernel values of the new points without jitter; only
// its upper triangle is read. If the Schur complement of a point given all points before it is not
// above max(tol, 0), ok is false and the factor is unchanged.
//
// O(q·n² + q²·n + q³), or twice as much with a tracked inverse diagonal, on at most workers
// goroutines. It panics if dimensions do not match.
func (c *Cholesky) AppendBatch(cross, gram *mat.Dense, tol float64, workers int) (ok bool) {
	var k compute.Matrix
	g := gram.RawMatrix()
	q, n := g.Rows, c.l.N
	checkDims("gram", g, q, q)
	if n > 0 {
		k = cross.RawMatrix()
		checkDims("cross", k, q, n)
	}
	if q == 0 {
		return true
	}
	space := resize(&c.batch, 2*q*n+2*q*q)
	v, minus := allocate(&space, q, n), allocate(&space, q, n)
	u, unit := allocate(&space, q, q), allocate(&space, q, q)
	for i := range q {
		if n > 0 {
			copy(compute.Row(v, i), compute.Row(k, i))
		}
		copy(compute.Row(u, i), compute.Row(g, i))
		u.Data[i*u.Stride+i] += c.jitter
	}
	c.forwardRows(v, workers)
	floats.ScaleTo(minus.Data, -1, v.Data)
	if n > 0 {
		compute.MulNT(u, minus, v, workers)
	}
	if !compute.Cholesky(u, workers) || !pivotsAbove(u, tol) {
		return false
	}
	if c.tracked {
		c.trackBatch(u, minus, unit, workers)
	}
	for i := range q {
		row := c.l.Push()
		copy(row, compute.Row(v, i))
		for j := range i + 1 {
			row[n+j] = u.Data[j*u.Stride+i]
		}
	}
	return true
}

// trackBatch updates the diagonal of the inverse for points with the Schur complement UᵀU and the rows
// ±v of L. It adds diag(XᵀX) for X = U⁻ᵀ·v·L⁻¹ and appends diag((UᵀU)⁻¹). It overwrites v and unit.
func (c *Cholesky) trackBatch(u, v, unit compute.Matrix, workers int) {
	n := c.l.N
	if n > 0 {
		c.backwardRows(v, workers)
		compute.SolveUpper(u, v, true, workers)
		addColumnSquares(c.diag, v)
	}
	setIdentity(unit)
	compute.SolveUpper(u, unit, true, workers)
	c.diag = append(c.diag, make([]float64, unit.Rows)...)
	addColumnSquares(c.diag[n:], unit)
}

// pivotsAbove reports whether all squared diagonal entries of U are above tol.
func pivotsAbove(u compute.Matrix, tol float64) bool {
	for i := range u.Rows {
		if p := u.Data[i*u.Stride+i]; !(p*p > tol) {
			return false
		}
	}
	return true
}

// addColumnSquares adds the squared norm of each column of m to dst.
func addColumnSquares(dst []float64, m compute.Matrix) {
	for i := range m.Rows {
		for j, x := range compute.Row(m, i) {
			dst[j] += x * x
		}
	}
}

// setIdentity overwrites the contiguous square matrix m.
func setIdentity(m compute.Matrix) {
	clear(m.Data)
	for i := range m.Rows {
		m.Data[i*m.Stride+i] = 1
	}
}

// allocate returns an r×c matrix at the front of space and advances space.
func allocate(space *[]float64, r, c int) compute.Matrix {
	m := compute.Matrix{Rows: r, Cols: c, Stride: c, Data: (*space)[:r*c]}
	*space = (*space)[r*c:]
	return m
}

// AppendFactor adds q points, given the factor s of their Schur complement
//
//	S = K(Z, Z) + jitter·I − V·Vᵀ
//
// and the result V = K(Z, X)·L⁻ᵀ of ForwardRows. If c tracks the diagonal of the inverse, diag is its
// new value for all points. O(q·n). It panics if dimensions do not match.
func (c *Cholesky) AppendFactor(v *mat.Dense, s *Cholesky, diag []float64) {
	n := c.l.N
	if n > 0 && s.l.N > 0 {
		checkDims("V", v.RawMatrix(), s.l.N, n)
	}
	if c.tracked {
		checkLen("diag", len(diag), n+s.l.N)
		c.diag = append(c.diag[:0], diag...)
	}
	for i := range s.l.N {
		row := c.l.Push()
		if n > 0 {
			copy(row, v.RawRowView(i))
		}
		copy(row[n:], s.l.Row(i))
	}
}
