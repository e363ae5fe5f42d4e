package compute

import "math"

// Symmetric represents the matrix K_ij = f(x_i, x_j) of the rows of X in single precision.
// Its products compute half of K, one cache-sized block at a time, and never store K. X
// is packed once.
type Symmetric struct {
	pairs pairwise[float32]
	apply func(dst, src []float32)
	left  []float32 // all rows packed as first factors, in blocks of rowBlock
	norms []float32
}

const (
	// stripeRows is the number of rows of K between two calls of stopped, a multiple of
	// rowBlock. squareCols is the width of the block of K that a worker computes for
	// rowBlock rows. Both are multiples of the tile widths of all engines.
	stripeRows = 5 * rowBlock
	squareCols = 4 * group
)

// NewSymmetric packs X, n×d. The result keeps a reference to X, which must not change. O(n·d).
func NewSymmetric(x Matrix32, f Func, workers int) *Symmetric {
	n, d, e := x.Rows, x.Cols, use32
	s := &Symmetric{pairs: pairwise[float32]{engine: e, x: of32(x), z: of32(x), radial: f.radial(), m: n}, apply: mapping(e, f)}
	p := &s.pairs
	p.start(make([]float32, d))
	p.packed, p.norms = make([]float32, (n+e.cols)*(d+1)), make([]float32, n+group)
	Parallel(ceil(n, group), workers, p.packSecond)
	rows := ceil(n, rowBlock) * rowBlock
	s.left, s.norms = make([]float32, rows*d+1), make([]float32, rows)
	Parallel(ceil(n, rowBlock), workers, func(i int) {
		i0 := i * rowBlock
		p.packFirst(s.left[i0*d:], s.norms[i0:], i0, min(rowBlock, n-i0))
	})
	return s
}

// AddMul adds gain·K·W to dst; dst and W are n×q. Long sums are accumulated in double
// precision. It returns false, with dst incomplete, if stopped returns true.
// O(n²·(d/2 + q)).
//
// Each stripe of rows consists of a square on the diagonal and blocks to its right. The
// blocks also contribute their transposes.
func (s *Symmetric) AddMul(dst, w Matrix, gain float64, stopped func() bool, workers int) bool {
	n, q := s.pairs.x.rows, w.Cols
	vectors := s.pairs.engine.buffer(n * q)
	defer vectors.free()
	v := matrix[float32]{n, q, q, vectors.data}
	size := narrowTo(v, w)
	for from := 0; from < n; from += stripeRows {
		if stopped() {
			return false
		}
		to := min(from+stripeRows, n)
		parts := make([]Matrix, 1+ceil(n-to, squareCols))
		Parallel(len(parts), workers, func(p int) {
			left, right := to+(p-1)*squareCols, min(to+p*squareCols, n)
			if p == 0 {
				left, right = from, to
			}
			parts[p] = NewMatrix(to-from, q)
			s.square(parts[p], Rows(dst, left, right), v, gain*size, from, left)
		})
		for _, part := range parts {
			for i, a := range part.Data {
				dst.Data[(from+i/q)*dst.Stride+i%q] += a
			}
		}
	}
	return true
}

// narrowTo sets v to W divided by its largest absolute value and returns that value, or 1
// if W is zero.
func narrowTo(v matrix[float32], w Matrix) (size float64) {
	for i := range w.Rows {
		for _, a := range Row(w, i) {
			size = max(size, math.Abs(a))
		}
	}
	if size == 0 {
		size = 1
	}
	for i := range w.Rows {
		for j, a := range Row(w, i) {
			v.data[i*v.stride+j] = float32(a / size)
		}
	}
	return size
}

// square processes the block of K with the rows of part, from row from on, and the rows
// of dst, from column left on. It adds gain times the product of the block with v to
// part. For a block right of the diagonal it also adds gain times the product of the
// transpose with v to dst.
func (s *Symmetric) square(part, dst Matrix, v matrix[float32], gain float64, from, left int) {
	e, d, q, cols := s.pairs.engine, s.pairs.x.cols, v.cols, dst.Rows
	held, strip, sums := e.buffer(rowBlock*squareCols), e.buffer(rowBlock*group), e.buffer(q*(rowBlock+cols))
	defer held.free()
	defer strip.free()
	defer sums.free()
	mirrored := matrix[float32]{q, cols, cols, sums.data[q*rowBlock:]}
	mirrored.clear()
	for at := 0; at < part.Rows; at += rowBlock {
		i0, rows := from+at, min(rowBlock, part.Rows-at)
		pairs := s.pairs
		pairs.finish = func(t tile[float32]) {
			for r := range t.rows {
				to := held.data[(t.i-i0+r)*squareCols+t.j-left:]
				s.apply(to[:len(t.row(r))], t.row(r))
			}
		}
		width := cols
		if pairs.panels() > 1 {
			width = group
		}
		for j, end := range Chunks(cols, width) {
			pairs.block(block[float32]{i0, rows, left + j, left + end, s.left[i0*d:], s.norms[i0:], strip.data})
		}
		k, sum := matrix[float32]{rows, cols, squareCols, held.data}, matrix[float32]{rows, q, q, sums.data}
		sum.clear()
		e.multiply(sum, rowsOf(k), columnsOf(v.block(left, left+cols, 0, q)), false, 1)
		for i, a := range sum.data[:rows*q] {
			part.Data[at*q+i] += gain * float64(a)
		}
		if left != from {
			e.multiply(mirrored, columnsOf(v.block(i0, i0+rows, 0, q)), columnsOf(k), false, 1)
		}
	}
	if left == from {
		return
	}
	for j := range q {
		for i, a := range mirrored.row(j, 0, cols) {
			dst.Data[i*dst.Stride+j] += float64(gain * float64(a))
		}
	}
}
