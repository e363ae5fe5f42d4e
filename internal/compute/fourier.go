package compute

// FourierPairs sets dst_ij = scale·cos<x_i, w_j> and dst_i,m+j = scale·sin<x_i, w_j>:
// X is n×d, W is m×d, dst is n×2m. With the rows of W drawn from the spectral
// measure of a kernel and scale = 1/√m these are its random Fourier features
// (Rahimi and Recht, 2007). O(n·m·d).
func FourierPairs(dst, x, w Matrix, scale float64, workers int) {
	use64.fourierPairs(of64(dst), of64(x), of64(w), scale, workers)
}

// FourierCos sets dst_ij = scale·cos(<x_i, w_j> + phase_j): X is n×d, W is m×d,
// phase has m elements, dst is n×m. With scale = √(2/m) and phases uniform on
// [0, 2π) these are the other random Fourier features. O(n·m·d).
func FourierCos(dst, x, w Matrix, phase []float64, scale float64, workers int) {
	use64.fourierCos(of64(dst), of64(x), of64(w), phase, scale, workers)
}

// FourierPairs32 is FourierPairs in single precision.
func FourierPairs32(dst, x, w Matrix32, scale float32, workers int) {
	use32.fourierPairs(of32(dst), of32(x), of32(w), scale, workers)
}

// FourierCos32 is FourierCos in single precision.
func FourierCos32(dst, x, w Matrix32, phase []float32, scale float32, workers int) {
	use32.fourierCos(of32(dst), of32(x), of32(w), phase, scale, workers)
}

func (e *engine[T]) fourierPairs(dst, x, w matrix[T], scale T, workers int) {
	if dst.rows != x.rows || dst.cols != 2*w.rows {
		panic("compute: sizes of a block of features do not match")
	}
	s := &sweep[T]{engine: e, x: x, z: w}
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

func (e *engine[T]) fourierCos(dst, x, w matrix[T], phase []T, scale T, workers int) {
	if dst.rows != x.rows || dst.cols != w.rows || len(phase) != w.rows {
		panic("compute: sizes of a block of features do not match")
	}
	padded := e.buffer(ceil(w.rows, quantum) * quantum)
	defer padded.free()
	clear(padded.data[copy(padded.data, phase):])
	s := &sweep[T]{engine: e, x: x, z: w}
	s.finish = func(t tile[T]) {
		for r := range t.rows {
			src := t.row(r)
			shift := padded.data[t.j : t.j+len(src)]
			if to := dst.row(t.i+r, t.j, t.j+t.cols); t.cols%quantum == 0 {
				e.phased(e.cosine, cosOf[T], to, src, shift, scale)
			} else {
				e.phased(e.cosine, cosOf[T], src, src, shift, scale)
				copy(to, src)
			}
		}
	}
	s.run(workers)
}
