package compute

// Family names a built-in kernel function of r² = ‖x−z‖² or of s = <x,z>, with the
// parameters A, B and P of Func.
type Family uint8

const (
	SquaredDistance   Family = iota // r²
	Gaussian                        // exp(−A·r²)
	Matern12                        // exp(−A·r)
	Matern32                        // (1 + A·r)·exp(−A·r)
	Matern52                        // (1 + A·r + (A·r)²/3)·exp(−A·r)
	RationalQuadratic               // (1 + A·r²)^−P
	InnerProduct                    // s
	Polynomial                      // (A·s + B)^P, P a whole number ≥ 1
)

// Func is a member of a family. For functions of r², A must not be negative.
type Func struct {
	Family  Family
	A, B, P float64
}

func (f Func) radial() bool { return f.Family < InnerProduct }

// Kernel sets dst_ij = f(x_i, z_j): X is n×d, Z is m×d, dst is n×m.
// O(n·m·d).
//
// Squared distances stay accurate for data far from the origin. In up to 4 dimensions
// (16 in single precision) they are sums of squared differences. In more dimensions X
// and Z are shifted by a point near the rows of Z, and r² is ‖x‖² + ‖z‖² − 2<x,z>. Where
// this is below 2⁻¹² (2⁻⁶) of ‖x‖² + ‖z‖², r² is recomputed from differences. With unit
// roundoff u, the relative error of r² is at most about 2¹²·d·u (2⁶·d·u), and typically
// a few u. For equal rows r² is zero.
func Kernel(dst, x, z Matrix, f Func, workers int) {
	use64.kernel(of64(dst), of64(x), of64(z), f, false, workers)
}

// KernelSym sets dst_ij = f(x_i, x_j), both triangles: X is n×d, dst is n×n.
// It computes one triangle and copies it to the other, so the result is exactly
// symmetric. The bits are the same as for Kernel. The squared distance of a row to
// itself is exactly zero. O(n²·d/2).
func KernelSym(dst, x Matrix, f Func, workers int) {
	use64.kernel(of64(dst), of64(x), of64(x), f, true, workers)
}

// Kernel32 is Kernel in single precision.
func Kernel32(dst, x, z Matrix32, f Func, workers int) {
	use32.kernel(of32(dst), of32(x), of32(z), f, false, workers)
}

// KernelSym32 is KernelSym in single precision.
func KernelSym32(dst, x Matrix32, f Func, workers int) {
	use32.kernel(of32(dst), of32(x), of32(x), f, true, workers)
}

func (e *engine[T]) kernel(dst, x, z matrix[T], f Func, symmetric bool, workers int) {
	if dst.rows != x.rows || dst.cols != z.rows {
		panic("compute: sizes of a block of kernel values do not match")
	}
	apply := mapping(e, f)
	s := &pairwise[T]{engine: e, x: x, z: z, radial: f.radial(), symmetric: symmetric}
	s.finish = func(t tile[T]) {
		for r := range t.rows {
			row := dst.row(t.i+r, t.j, t.j+t.cols)
			if t.cols%quantum == 0 {
				apply(row, t.row(r))
				continue
			}
			apply(t.row(r), t.row(r))
			copy(row, t.row(r))
		}
	}
	if symmetric {
		s.mirror = dst
	}
	s.run(workers)
}

// mapping returns the elementwise function from r² or s to kernel values.
func mapping[T float](e *engine[T], f Func) func(dst, src []T) {
	a, b, p := T(f.A), T(f.B), T(f.P)
	var g func(dst, src []T, a, b T)
	switch f.Family {
	case SquaredDistance, InnerProduct:
		return func(dst, src []T) { copy(dst, src) }
	case Polynomial:
		if f.P < 1 {
			panic("compute: degree of a polynomial kernel below 1")
		}
		return func(dst, src []T) { e.polynomial(dst, src, a, b, int(f.P)) }
	case RationalQuadratic:
		return func(dst, src []T) { e.rational(dst, src, a, -p) }
	case Gaussian:
		g = e.exp
	case Matern12:
		g = e.matern12
	case Matern32:
		g = e.matern32
	case Matern52:
		g = e.matern52
	default:
		panic("compute: unknown kernel family")
	}
	return func(dst, src []T) { g(dst, src, -a, 0) }
}

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
