package compute

// KernelMul sets dst = K·W with K_ij = f(x_i, z_j), without storing K: X is n×d, Z is
// m×d, W is m×q, dst is n×q. Each sum is computed in groups of 192 rows of Z, with 8
// partial sums per group. O(n·m·(d + q)).
func KernelMul(dst, x, z, w Matrix, f Func, workers int) {
	use64.kernelMul(of64(dst), of64(x), of64(z), of64(w), f, workers)
}

// KernelMul32 is KernelMul in single precision, with 16 partial sums per group.
func KernelMul32(dst, x, z, w Matrix32, f Func, workers int) {
	use32.kernelMul(of32(dst), of32(x), of32(z), of32(w), f, workers)
}

func (e *engine[T]) kernelMul(dst, x, z, w matrix[T], f Func, workers int) {
	if dst.rows != x.rows || w.rows != z.rows || dst.cols != w.cols {
		panic("compute: sizes of a product with a kernel do not match")
	}
	dst.clear()
	// Copy W column by column, padded with zeros.
	length := ceil(w.rows, quantum) * quantum
	columns := e.buffer(length * w.cols)
	defer columns.free()
	clear(columns.data)
	for i := range w.rows {
		for c, v := range w.row(i, 0, w.cols) {
			columns.data[c*length+i] = v
		}
	}
	apply := mapping(e, f)
	s := &pairwise[T]{engine: e, x: x, z: z, radial: f.radial()}
	s.finish = func(t tile[T]) {
		for r := range t.rows {
			apply(t.row(r), t.row(r))
			clear(t.row(r)[t.cols:])
		}
		out := e.buffer(e.rows)
		defer out.free()
		for c := range w.cols {
			e.weigh(out.data, t.data, group, columns.data[c*length+t.j:][:len(t.row(0))])
			for r, v := range out.data[:t.rows] {
				dst.data[(t.i+r)*dst.stride+c] += v
			}
		}
	}
	s.run(workers)
}
