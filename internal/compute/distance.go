package compute

import (
	"math"
	"unsafe"
)

// limits returns two thresholds. Squared distances in at most columns dimensions are
// sums of squared differences, which cost little more than inner products there. In
// more dimensions ‖x‖² + ‖z‖² − 2<x,z> is used, unless its ratio to ‖x‖² + ‖z‖² is
// below ratio. The thresholds are larger in single precision, which has fewer
// digits to lose.
func limits[T float]() (columns int, ratio T) {
	if unsafe.Sizeof(ratio) == 4 {
		return 16, 0x1p-6
	}
	return 4, 0x1p-12
}

// centreOf sets c to the mean of up to 64 evenly spaced rows of Z. Any point near
// the data is good enough. The centre must depend on Z only, so that each row of X
// gives the same bits in every batch. Components that are not finite become zero.
func centreOf[T float](c []T, z matrix[T]) {
	n := min(z.rows, 64)
	for i := range n {
		for k, v := range z.row(i*z.rows/n, 0, z.cols) {
			c[k] += v / T(n)
		}
	}
	for k, v := range c {
		if v-v != 0 {
			c[k] = 0
		}
	}
}

// distances replaces the inner products in a tile by squared distances.
func (s *pairwise[T]) distances(t tile[T], norms, zNorms []T) {
	e := s.engine
	_, ratio := limits[T]()
	for r := range t.rows {
		row := t.row(r)
		for at := 0; at < len(row); at += e.lanes {
			at += e.distances(row[at:], zNorms[at:len(row)], norms[r], ratio)
			for j := at; j < min(at+e.lanes, t.cols); j++ {
				if !(row[j] >= ratio*(zNorms[j]+norms[r])) {
					row[j] = squaredDistance(s.x.row(t.i+r, 0, s.x.cols), s.z.row(t.j+j, 0, s.z.cols))
				}
			}
		}
	}
}

// squaredDistance sums the squared differences in four chains.
func squaredDistance[T float](x, z []T) T {
	var s [4]float64
	n := len(x) &^ 3
	for k := 0; k < n; k += 4 {
		a, b := x[k:k+4], z[k:k+4]
		for l := range s {
			t := float64(a[l]) - float64(b[l])
			s[l] = math.FMA(t, t, s[l])
		}
	}
	for k := n; k < len(x); k++ {
		t := float64(x[k]) - float64(z[k])
		s[0] = math.FMA(t, t, s[0])
	}
	return T((s[0] + s[1]) + (s[2] + s[3]))
}
