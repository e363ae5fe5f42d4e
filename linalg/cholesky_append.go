package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Append adds a point: k holds the n kernel values against the present points,
// diag the kernel value with itself, without jitter. It returns the Schur
// complement
//
//	s = diag + jitter − kᵀ·G·k,
//
// the squared distance (plus jitter) of the point from the span of the others.
// If s is not finite or not above max(tol, 0), the point is refused: ok is false
// and nothing has changed. For a relative test pass tol as a fraction of diag.
// Numbers s below about n·2⁻⁵²·diag are rounding noise.
//
// O(n²/2) multiplications, twice that when the inverse diagonal is tracked. It
// panics if k has not length n.
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

// trackAppend updates the diagonal of the inverse for a new point with Schur
// complement s, where v = L⁻¹k: diag(G) += (G·k)²/s, and 1/s for the point.
func (c *Cholesky) trackAppend(v []float64, s float64) {
	gk := resize(&c.inverse, len(v))
	copy(gk, v)
	c.backward(gk)
	for i, x := range gk {
		c.diag[i] += x * x / s
	}
	c.diag = append(c.diag, 1/s)
}

// AppendBatch adds q points at once, in matrix products: cross is q×n, the kernel
// values of the new points against the present ones (not looked at if n = 0);
// gram is q×q, among the new points without jitter, of which only the upper
// triangle is read. Either all are added, in order, and ok is true; or, if the
// Schur complement of one of them given all before it is not above max(tol, 0),
// none is, ok is false and nothing has changed.
//
// O(q·n² + q²·n + q³), twice that when the inverse diagonal is tracked, on at
// most workers goroutines. It panics if dimensions do not match.
func (c *Cholesky) AppendBatch(cross, gram blas64.General, tol float64, workers int) (ok bool) {
	q, n := gram.Rows, c.l.N
	checkDims("gram", gram, q, q)
	if n > 0 {
		checkDims("cross", cross, q, n)
	}
	if q == 0 {
		return true
	}
	space := resize(&c.batch, 2*q*n+2*q*q)
	v, minus := take(&space, q, n), take(&space, q, n)
	u, unit := take(&space, q, q), take(&space, q, q)
	for i := range q {
		if n > 0 {
			copy(compute.Row(v, i), compute.Row(cross, i))
		}
		copy(compute.Row(u, i), compute.Row(gram, i))
		u.Data[i*u.Stride+i] += c.jitter
	}
	c.ForwardRows(v, workers)
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

// trackBatch updates the diagonal of the inverse for points whose Schur
// complement is UᵀU and whose rows of L are ±v: with X = U⁻ᵀ·v·L⁻¹, diag(G) +=
// diag(XᵀX), and diag((UᵀU)⁻¹) for the points. It overwrites v and unit.
func (c *Cholesky) trackBatch(u, v, unit compute.Matrix, workers int) {
	n := c.l.N
	if n > 0 {
		c.BackwardRows(v, workers)
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

// setIdentity overwrites the square matrix m, which has no gaps between its rows.
func setIdentity(m compute.Matrix) {
	clear(m.Data)
	for i := range m.Rows {
		m.Data[i*m.Stride+i] = 1
	}
}

// take cuts an r×c matrix off the front of space.
func take(space *[]float64, r, c int) compute.Matrix {
	m := compute.Matrix{Rows: r, Cols: c, Stride: c, Data: (*space)[:r*c]}
	*space = (*space)[r*c:]
	return m
}

// AppendFactor adds the points of which s is the factor of the Schur complement
//
//	S = K(Z, Z) + jitter·I − V·Vᵀ,  V = K(Z, X)·L⁻ᵀ as ForwardRows leaves it,
//
// which AppendBatch computes: V becomes the new rows of L, and the factor of S their end. Of a
// factor that tracks it, diag is copied as the diagonal of the inverse of all points. O(q·n). It
// panics if dimensions do not match.
func (c *Cholesky) AppendFactor(v blas64.General, s *Cholesky, diag []float64) {
	n := c.l.N
	if n > 0 && s.l.N > 0 {
		checkDims("V", v, s.l.N, n)
	}
	if c.tracked {
		checkLen("diag", len(diag), n+s.l.N)
		c.diag = append(c.diag[:0], diag...)
	}
	for i := range s.l.N {
		row := c.l.Push()
		if n > 0 {
			copy(row, compute.Row(v, i))
		}
		copy(row[n:], s.l.Row(i))
	}
}
