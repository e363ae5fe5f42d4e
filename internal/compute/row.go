package compute

// RowDot returns the inner product of x and y, which must have equal lengths. It uses
// four independent partial sums in a fixed order, so the bits are the same on every
// machine.
func RowDot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		p, q := x[i:i+4:i+4], y[i:i+4:i+4]
		a, b, c, d = a+float64(p[0]*q[0]), b+float64(p[1]*q[1]), c+float64(p[2]*q[2]), d+float64(p[3]*q[3])
	}
	for ; i < len(x); i++ {
		a += float64(x[i] * y[i])
	}
	return (a + b) + (c + d)
}

// RowSquaredDistance returns ‖x − y‖², summed in the same order as RowDot.
func RowSquaredDistance(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		p, q := x[i:i+4:i+4], y[i:i+4:i+4]
		u, v, w, t := p[0]-q[0], p[1]-q[1], p[2]-q[2], p[3]-q[3]
		a, b, c, d = a+float64(u*u), b+float64(v*v), c+float64(w*w), d+float64(t*t)
	}
	for ; i < len(x); i++ {
		u := x[i] - y[i]
		a += float64(u * u)
	}
	return (a + b) + (c + d)
}

// AddRowTo adds alpha·x to dst.
func AddRowTo(dst []float64, alpha float64, x []float64) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += float64(alpha * x[i])
	}
}
