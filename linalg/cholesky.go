package linalg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Cholesky is the factor L of K + jitter·I = L·Lᵀ for a Gram matrix K whose
// points come and go: Append adds a row and column at the end, AppendBatch
// several, Delete removes any one. With TrackInverseDiag it also keeps the
// diagonal of the inverse
//
//	G = (K + jitter·I)⁻¹,
//
// which is what removing a point costs: of all functions on the points, the one
// with weights w loses w_j²/G_jj of its squared norm when point j goes and the
// other weights are fitted again.
//
// Every operation is backward stable, so that L·Lᵀ = K + jitter·I holds to
// rounding after any number of updates; no refactorisation is needed.
//
// Memory is n²/2 + 4n numbers. In the steady state, when as many points go as come,
// nothing is allocated. A Cholesky must not be used by several goroutines at a
// time, not even for solving: it owns the scratch space.
type Cholesky struct {
	jitter  float64
	l       compute.Lower
	tracked bool
	diag    []float64

	column  []float64
	inverse []float64
	givens  []rotation
	lost    []int
	batch   []float64
	rhs     []float64
}

// NewCholesky returns the factor of an empty matrix. The jitter is added to the
// diagonal of every point; it panics if it is negative or not finite.
func NewCholesky(jitter float64) *Cholesky {
	if !(jitter >= 0) || math.IsInf(jitter, 1) {
		panic(fmt.Sprintf("linalg: jitter is %v, want a finite number ≥ 0", jitter))
	}
	return &Cholesky{jitter: jitter}
}

// TrackInverseDiag computes the diagonal of the inverse, O(n³/3), and keeps it
// from now on: Append and Delete then take O(n²) more. On an empty factor it
// only switches the tracking on; on one that tracks already it computes the
// diagonal afresh.
func (c *Cholesky) TrackInverseDiag() {
	c.tracked = true
	resize(&c.diag, c.l.N)
	for i := range c.diag {
		c.diag[i] = c.inverseEntry(i)
	}
}

// Len returns the number n of points.
func (c *Cholesky) Len() int { return c.l.N }

// Jitter returns what is added to the diagonal.
func (c *Cholesky) Jitter() float64 { return c.jitter }

// InverseDiag returns the diagonal of G, of length n. It is a view, to be read
// only and until the next update. It panics unless TrackInverseDiag was called.
func (c *Cholesky) InverseDiag() []float64 {
	if !c.tracked {
		panic("linalg: the diagonal of the inverse is not tracked")
	}
	return c.diag
}

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

// cancelled is the factor by which an entry of the inverse diagonal may shrink
// in one deletion before it is computed afresh: the rounding error of the large
// value would stay in the small one.
const cancelled = 1.0 / 16

// rotation is a Givens rotation (x, y) → (cos·x + sin·y, cos·y − sin·x).
type rotation struct{ cos, sin float64 }

// Delete removes point i; the points after it move up by one. If g is not nil,
// it receives column i of the inverse as it was before, from which the weights w
// of a function follow: w −= g·w_i/g_i leaves the projection onto the other
// points.
//
// O((n−i)²) rotations and O(n·(n−i)) numbers moved; when the inverse diagonal is
// tracked or g is wanted, another O(n²). It panics if i is out of range or g
// has not length n.
func (c *Cholesky) Delete(i int, g []float64) {
	n := c.l.N
	checkIndex("point", i, n)
	if g == nil && c.tracked {
		g = resize(&c.inverse, n)
	}
	if g != nil {
		c.inverseColumn(g, i)
	}
	if c.tracked {
		c.trackDelete(i, g)
	}
	c.deleteRow(i)
	c.restoreLost()
}

// restoreLost computes afresh the entries of the inverse diagonal that cancelled.
func (c *Cholesky) restoreLost() {
	for _, j := range c.lost {
		c.diag[j] = c.inverseEntry(j)
	}
	c.lost = c.lost[:0]
}

// trackDelete updates the diagonal of the inverse for the loss of point i, where
// g is column i of the inverse: diag(G) −= g∘g/g_i, and entry i goes. Entries
// that cancel are noted as lost, by the index that they have afterwards.
func (c *Cholesky) trackDelete(i int, g []float64) {
	for j, old := range c.diag {
		c.diag[j] = old - g[j]*g[j]/g[i]
		if j != i && !(c.diag[j] > cancelled*old) {
			at := j
			if j > i {
				at--
			}
			c.lost = append(c.lost, at)
		}
	}
	c.diag = slices.Delete(c.diag, i, i+1)
}

// deleteRow drops row i of L. Each row below moves up by one, and its numbers
// from column i on, which then reach one beyond the diagonal, are rotated back
// into the triangle. Where the rows are long they are taken four at a time: along
// a row each rotation waits for the one before, across rows they are independent.
func (c *Cholesky) deleteRow(i int) {
	const long = 16
	n := c.l.N
	c.givens = slices.Grow(c.givens[:0], n-i)
	for r := i + 1; r < n; {
		if len(c.givens) < long || r+4 > n {
			copy(c.l.Row(r - 1)[:i], c.l.Row(r)[:i])
			c.rotateRow(r, i, 0, c.l.Row(r)[i])
			r++
			continue
		}
		for k := range 4 {
			copy(c.l.Row(r + k - 1)[:i], c.l.Row(r + k)[:i])
		}
		done := len(c.givens)
		for k, x := range c.rotateFour(r, i) {
			c.rotateRow(r+k, i, done, x)
		}
		r += 4
	}
	c.l.Pop()
}

// rotateFour applies the rotations so far to rows r to r+3 from column i on and
// writes each result one row higher. It returns what each row carries into its
// next rotation.
func (c *Cholesky) rotateFour(r, i int) [4]float64 {
	m := len(c.givens) + 1
	dst, s0, s1, s2, s3 := c.l.Row(r - 1)[i:][:m], c.l.Row(r)[i:][:m], c.l.Row(r + 1)[i:][:m], c.l.Row(r + 2)[i:][:m], c.l.Row(r + 3)[i:][:m]
	x0, x1, x2, x3 := s0[0], s1[0], s2[0], s3[0]
	for k, g := range c.givens {
		y0, y1, y2, y3 := s0[k+1], s1[k+1], s2[k+1], s3[k+1]
		dst[k] = g.cos*x0 + g.sin*y0
		s0[k] = g.cos*x1 + g.sin*y1
		s1[k] = g.cos*x2 + g.sin*y2
		s2[k] = g.cos*x3 + g.sin*y3
		x0 = g.cos*y0 - g.sin*x0
		x1 = g.cos*y1 - g.sin*x1
		x2 = g.cos*y2 - g.sin*x2
		x3 = g.cos*y3 - g.sin*x3
	}
	return [4]float64{x0, x1, x2, x3}
}

// rotateRow applies the rotations from number done on to row r, which carries x
// into them, writes the result one row higher, and appends the rotation that
// brings the last number of the row into the triangle.
func (c *Cholesky) rotateRow(r, i, done int, x float64) {
	dst, src := c.l.Row(r - 1)[i:], c.l.Row(r)[i:]
	for k := done; k < len(c.givens); k++ {
		g, y := c.givens[k], src[k+1]
		dst[k] = g.cos*x + g.sin*y
		x = g.cos*y - g.sin*x
	}
	y := src[len(src)-1]
	h := math.Hypot(x, y)
	dst[len(dst)-1] = h
	c.givens = append(c.givens, rotation{x / h, y / h})
}

// Rotate overwrites x = L⁻¹b, as it was before the last Delete, by what it is without the point
// that went; the last number of x is then of no meaning. It must follow that Delete before any
// other update. O(n−i). It panics if x has not the length n of before.
func (c *Cholesky) Rotate(x []float64) {
	checkLen("x", len(x), c.l.N+1)
	x = x[c.l.N-len(c.givens):]
	for k, g := range c.givens {
		x[k], x[k+1] = float64(g.cos*x[k])+float64(g.sin*x[k+1]), float64(g.cos*x[k+1])-float64(g.sin*x[k])
	}
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

// RankOne replaces the matrix by itself plus x·xᵀ, as it changes in the Schur
// complement of a Gram matrix when one of the points that it is taken against
// goes. n²/2 rotations, and a solve more when the inverse diagonal is tracked. It
// panics if x has not length n.
func (c *Cholesky) RankOne(x []float64) {
	checkLen("x", len(x), c.l.N)
	if c.tracked {
		c.trackRankOne(x)
	}
	givens := c.givens[:0]
	for i := range x {
		row, carry := c.l.Row(i), x[i]
		for k, g := range givens {
			row[k], carry = g.cos*row[k]+g.sin*carry, g.cos*carry-g.sin*row[k]
		}
		h := math.Hypot(row[i], carry)
		givens = append(givens, rotation{row[i] / h, carry / h})
		row[i] = h
	}
	c.givens = givens[:0]
	c.restoreLost()
}

// trackRankOne updates the diagonal of the inverse by the formula of Sherman and
// Morrison: with y = G·x, diag(G) −= y∘y/(1 + xᵀy).
func (c *Cholesky) trackRankOne(x []float64) {
	y := resize(&c.inverse, len(x))
	c.SolveVecTo(y, x)
	s := 1.0
	for i, v := range x {
		s += v * y[i]
	}
	for i, old := range c.diag {
		c.diag[i] = old - y[i]*y[i]/s
		if !(c.diag[i] > cancelled*old) {
			c.lost = append(c.lost, i)
		}
	}
}

// Reset removes all points and keeps the memory.
func (c *Cholesky) Reset() {
	c.l.Reset()
	c.diag = c.diag[:0]
}

// SolveVecTo sets dst = G·b for one right-hand side. dst may be b. O(n²). It
// panics if a length is not n.
func (c *Cholesky) SolveVecTo(dst, b []float64) {
	checkLen("dst", len(dst), c.l.N)
	checkLen("b", len(b), c.l.N)
	copy(dst, b)
	c.forward(dst, 0)
	c.backward(dst)
}

// SolveTo sets dst = G·B for the listed columns of B, in the order of the list,
// or for all columns if cols is nil. B is n×q, dst is n×len(cols) or n×q. dst and
// B may overlap. O(n²) a column, in matrix products on at most workers
// goroutines. It panics if dimensions do not match or a column is out of range.
func (c *Cholesky) SolveTo(dst, b blas64.General, cols []int, workers int) {
	n, q := c.l.N, b.Cols
	if cols != nil {
		q = len(cols)
	}
	checkDims("B", b, n, b.Cols)
	checkDims("dst", dst, n, q)
	x := compute.Matrix{Rows: q, Cols: n, Stride: n, Data: resize(&c.rhs, q*n)}
	for r := range q {
		j := r
		if cols != nil {
			j = cols[r]
		}
		checkIndex("column", j, b.Cols)
		for i, row := 0, compute.Row(x, r); i < n; i++ {
			row[i] = b.Data[i*b.Stride+j]
		}
	}
	c.ForwardRows(x, workers)
	c.BackwardRows(x, workers)
	for r := range q {
		for i, v := range compute.Row(x, r) {
			dst.Data[i*dst.Stride+r] = v
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

// ForwardRows overwrites each row b of B, which is q×n, with L⁻¹b: for B =
// K(Z, X), the kernel values of new points Z against the present ones, it leaves
// V = B·L⁻ᵀ, and K(Z, Z) − V·Vᵀ is the part of Z that X does not span. O(n²) a
// row, in matrix products on at most workers goroutines for several rows. It
// panics if B has not n columns.
func (c *Cholesky) ForwardRows(b blas64.General, workers int) {
	checkDims("B", b, b.Rows, c.l.N)
	if b.Rows == 1 {
		c.forward(b.Data[:c.l.N], 0)
		return
	}
	c.l.Forward(b, workers)
}

// BackwardRows overwrites each row b of B, which is q×n, with L⁻ᵀb. After
// ForwardRows it completes the solution, B·G. O(n²) a row, in matrix products
// on at most workers goroutines. It panics if B has not n columns.
func (c *Cholesky) BackwardRows(b blas64.General, workers int) {
	checkDims("B", b, b.Rows, c.l.N)
	if b.Rows == 1 {
		c.backward(b.Data[:c.l.N])
		return
	}
	c.l.Backward(b, workers)
}
