package search

import (
	"github.com/rkhs-go/rkhs/internal/compute"
)

// leaveOneOut predicts each row of a sample by kernel ridge regression on all other rows,
// f = b + Σ_j k(·, x_j)·a_j with an unpenalised constant b:
//
//	min Σ_i (y_i − f(x_i))² + noise·‖f − b‖².
//
// This is the posterior mean of a Gaussian process with covariance k, variance noise and a
// constant of infinite variance. A row of weight w_i has the noise noise/w_i. With N the
// diagonal matrix of noises, G = K + N, c = G⁻¹1 and
//
//	P = G⁻¹ − c·cᵀ/(1ᵀc)
//
// the leave-one-out residual of row i is exactly (P·y)_i/P_ii (Rasmussen and Williams,
// "Gaussian processes for machine learning", 2006, eq. (5.12)). With G = UᵀU and V = U⁻¹,
// G⁻¹ is V·Vᵀ. Predictions of the last h rows need only the last h rows and columns of V,
// which are the inverse of the last rows and columns of U. The cost is 2n³/3 operations for
// U and h³/3 for V. U overwrites K above the diagonal and V overwrites part of U. The lower
// triangle and the saved diagonal allow K to be restored.
type leaveOneOut struct {
	u       compute.Matrix  // K below the diagonal
	kept    []float64       // diagonal of K
	v       compute.Matrix  // h×h, on and above its diagonal; part of u
	c       []float64       // G⁻¹1
	sum     float64         // 1ᵀc
	py      compute.Matrix  // P·y, n×q
	weights compute.Weights // or nil
	workers int
	picked  []float64 // scratch memory of predictSet
	p, left compute.Matrix
}

func newLeaveOneOut(weights compute.Weights, workers int) *leaveOneOut {
	return &leaveOneOut{weights: weights, workers: workers}
}

// grow allocates memory for n rows and q targets.
func (l *leaveOneOut) grow(n, q int) {
	if len(l.c) != n {
		l.c, l.kept = make([]float64, n), make([]float64, n)
	}
	if l.py.Rows != n || l.py.Cols != q {
		l.py = compute.NewMatrix(n, q)
	}
}

// factorise factorises K + N in the memory of gram and prepares predictions of the last
// held rows. It reports whether K + N is positive definite to working precision.
func (l *leaveOneOut) factorise(gram compute.Matrix, noise float64, y compute.Matrix, held int) bool {
	n := gram.Rows
	l.grow(n, y.Cols)
	l.u = gram
	for i := range n {
		at := i*l.u.Stride + i
		l.kept[i] = l.u.Data[at]
		l.u.Data[at] += noise / l.weights.At(i)
	}
	if !compute.Cholesky(l.u, l.workers) {
		return false
	}
	l.solve(y)
	l.v = compute.Block(l.u, n-held, n, n-held, n)
	compute.InvertUpper(l.v, nil, l.workers)
	return l.sum > 0 && compute.AllFinite(l.py)
}

// restore restores the Gram matrix.
func (l *leaveOneOut) restore() {
	compute.MirrorLower(l.u, l.workers)
	for i, v := range l.kept {
		l.u.Data[i*l.u.Stride+i] = v
	}
}

// solve sets c and P·y.
func (l *leaveOneOut) solve(y compute.Matrix) {
	n, q := y.Rows, y.Cols
	b := compute.NewMatrix(n, q+1)
	compute.CopyTo(compute.Columns(b, 0, q), y)
	for i := range n {
		b.Data[i*b.Stride+q] = 1
	}
	compute.SolveUpper(l.u, b, true, l.workers)
	compute.SolveUpper(l.u, b, false, l.workers)
	for i := range n {
		l.c[i] = b.Data[i*b.Stride+q]
	}
	l.sum = sum(l.c)
	for j := range q {
		constant := 0.0
		for i, c := range l.c {
			constant += float64(c / l.sum * y.Data[i*y.Stride+j])
		}
		for i := range n {
			l.py.Data[i*l.py.Stride+j] = b.Data[i*b.Stride+j] - float64(constant*l.c[i])
		}
	}
}

// projector sets dst to P. All rows must be held out. Column c of V has c+1 nonzeros at
// most, which saves two thirds of the operations.
func (l *leaveOneOut) projector(dst compute.Matrix) {
	const block = 128
	compute.Zero(dst)
	for from, n := 0, l.v.Rows; from < n; from += block {
		to := min(from+block, n)
		columns := compute.Transpose(compute.Block(l.v, 0, to, from, to))
		for j := range columns.Rows {
			clear(compute.Row(columns, j)[from+j+1:])
		}
		compute.AddGram(compute.Block(dst, 0, to, 0, to), columns, l.workers)
	}
	for i, c := range l.c {
		row := compute.Row(dst, i)
		for j := i; j < len(row); j++ {
			row[j] -= float64(c * l.c[j] / l.sum)
		}
	}
	compute.Mirror(dst)
}

// predict sets dst to the leave-one-out predictions of the last rows.
func (l *leaveOneOut) predict(dst, y compute.Matrix) {
	first := y.Rows - dst.Rows
	for k := range dst.Rows {
		i := first + k
		tail := compute.Row(l.v, k)[k:]
		p := sumOfSquares(tail) - float64(l.c[i]*l.c[i]/l.sum)
		for j, v := range compute.Row(l.py, i) {
			dst.Data[k*dst.Stride+j] = y.Data[i*y.Stride+j] - v/p
		}
	}
}

// predictSet sets dst to the predictions of a set S of the last rows from all rows outside
// of S. The residuals are P_SS⁻¹·(P·y)_S. It reports whether P_SS has a factor and the
// predictions are finite. O(s²·h + s³/3).
func (l *leaveOneOut) predictSet(dst, y compute.Matrix, rows []int) bool {
	first, s := y.Rows-l.v.Rows, len(rows)
	p, v := compute.Reshape(&l.p, s, s), l.pickedColumns(rows, first)
	compute.Zero(p)
	compute.AddGram(p, v, l.workers)
	for i, r := range rows {
		row := compute.Row(p, i)
		for j, t := range rows {
			row[j] -= float64(l.c[r] * l.c[t] / l.sum)
		}
	}
	if !compute.Cholesky(p, l.workers) {
		return false
	}
	e := compute.Reshape(&l.left, s, y.Cols)
	compute.PickTo(e, l.py, rows)
	compute.SolveUpper(p, e, true, l.workers)
	compute.SolveUpper(p, e, false, l.workers)
	for i, r := range rows {
		row := compute.Row(dst, i)
		for j, v := range compute.Row(e, i) {
			row[j] = y.Data[r*y.Stride+j] - v
		}
	}
	return compute.AllFinite(dst)
}

// pickedColumns returns Vᵀ of the listed rows. The next call overwrites it.
func (l *leaveOneOut) pickedColumns(rows []int, first int) compute.Matrix {
	s, h := len(rows), l.v.Rows
	if len(l.picked) < s*h {
		l.picked = make([]float64, s*h)
	}
	t := compute.Matrix{Rows: h, Cols: s, Stride: s, Data: l.picked[:s*h]}
	for i, r := range rows {
		row := compute.Row(l.v, r-first)
		for j := range r - first {
			t.Data[j*s+i] = 0
		}
		for j := r - first; j < h; j++ {
			t.Data[j*s+i] = row[j]
		}
	}
	return t
}

// sum adds in order, so that results are equal on every processor.
func sum(v []float64) float64 {
	s := 0.0
	for _, t := range v {
		s += t
	}
	return s
}

// sumOfSquares uses four accumulators and rounds each product before adding it.
func sumOfSquares(v []float64) float64 {
	var a, b, c, d float64
	n := len(v) &^ 3
	for k := 0; k < n; k += 4 {
		u := v[k : k+4 : k+4]
		a += float64(u[0] * u[0])
		b += float64(u[1] * u[1])
		c += float64(u[2] * u[2])
		d += float64(u[3] * u[3])
	}
	for _, t := range v[n:] {
		a += float64(t * t)
	}
	return (a + b) + (c + d)
}
