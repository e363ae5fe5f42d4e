package compute

import "math"

// manhattanElements is the number of elements of Z in a block. A block remains in the cache during the comparison
// with all rows of X.
const manhattanElements = 1 << 14

// AbsoluteDistances sets dst_ij = ‖x_i − z_j‖₁/by, dst n×m, x n×d, z m×d. O(n·m·d).
func AbsoluteDistances(dst, x, z Matrix, by float64) {
	use64.absoluteDistances(of64(dst), of64(x), of64(z), by)
}

func (e *engine[T]) absoluteDistances(dst, x, z matrix[T], by T) {
	k := z.cols
	step := max(1, manhattanElements/max(1, k*e.lanes)) * e.lanes
	zeros, packed, out := e.buffer(k), e.buffer(step*k), e.buffer(step)
	defer zeros.free()
	defer packed.free()
	defer out.free()
	clear(zeros.data)
	for from := 0; from < z.rows; from += step {
		n := min(step, z.rows-from)
		e.pack(packed.data, rowsOf(z), from, n, 0, k, e.lanes, zeros.data)
		for i := range x.rows {
			e.absolute(out.data, x.row(i, 0, k), packed.data, k, ceil(n, e.lanes), by)
			copy(dst.row(i, from, from+n), out.data)
		}
	}
}

// absoluteGo is the portable absolute, for panels of one row.
func absoluteGo[T float](c, a, b []T, k, panels int, by T) {
	for p := range panels {
		row, x := b[p*k:(p+1)*k], a[:k]
		var s0, s1, s2, s3 T
		for len(row) >= 4 && len(x) >= 4 {
			s0 += absolute(x[0] - row[0])
			s1 += absolute(x[1] - row[1])
			s2 += absolute(x[2] - row[2])
			s3 += absolute(x[3] - row[3])
			x, row = x[4:], row[4:]
		}
		for i, v := range x {
			s0 += absolute(v - row[i])
		}
		c[p] = ((s0 + s1) + (s2 + s3)) / by
	}
}

func absolute[T float](v T) T { return T(math.Abs(float64(v))) }
