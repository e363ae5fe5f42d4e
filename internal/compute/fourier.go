package compute

// FourierPairs sets dst_ij = scale·cos<x_i, w_j> and dst_i,m+j = scale·sin<x_i, w_j>:
// X is n×d, W is m×d, dst is n×2m. With the rows of W drawn from the spectral
// measure of a kernel and scale = 1/√m these are its random Fourier features
// (Rahimi and Recht, 2007). O(n·m·d).
func FourierPairs(dst, x, w Matrix, scale float64, workers int) {
	use64.fourierPairs(of64(dst), of64(x), of64(w), scale, workers)
}

// FourierPairs32 is FourierPairs in single precision.
func FourierPairs32(dst, x, w Matrix32, scale float32, workers int) {
	use32.fourierPairs(of32(dst), of32(x), of32(w), scale, workers)
}

func (e *engine[T]) fourierPairs(dst, x, w matrix[T], scale T, workers int) {
	if dst.rows != x.rows || dst.cols != 2*w.rows {
		panic("compute: sizes of a block of features do not match")
	}
	s := &pairwise[T]{engine: e, x: x, z: w}
	s.finish = func(t tile[T]) {
		sines := e.buffer(group)
		defer sines.free()
		for r := range t.rows {
			src, sin := t.row(r), dst.row(t.i+r, w.rows+t.j, w.rows+t.j+t.cols)
			if cos := dst.row(t.i+r, t.j, t.j+t.cols); t.cols%quantum == 0 {
				e.paired(cos, sin, src, scale)
			} else {
				e.paired(src, sines.data[:len(src)], src, scale)
				copy(cos, src)
				copy(sin, sines.data)
			}
		}
	}
	s.run(workers)
}
