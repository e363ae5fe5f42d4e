package features

import "github.com/rkhs-go/rkhs/internal/compute"

// haltonPoints sets the rows of u, in the given order, to the first points of the Halton sequence,
// moved by one random shift modulo 1, which makes each point uniform.
func haltonPoints(u compute.Matrix, order []int, s *source) {
	shift := make([]float64, u.Cols)
	compute.Uniforms(shift, s.next(), 0)
	for j, base := range primes(u.Cols) {
		for i, row := range order {
			v := radicalInverse(uint64(i), base) + shift[j]
			if v >= 1 {
				v--
			}
			u.Data[row*u.Stride+j] = max(v, leastUniform)
		}
	}
}

// radicalInverse mirrors the digits of n at the point.
func radicalInverse(n, base uint64) float64 {
	mirrored, size := uint64(0), uint64(1)
	for ; n > 0; n /= base {
		mirrored = mirrored*base + n%base
		size *= base
	}
	return float64(mirrored) / float64(size)
}

// primes returns the first n of them.
func primes(n int) []uint64 {
	p := make([]uint64, 0, n)
	for c := uint64(2); len(p) < n; c++ {
		if isPrime(c, p) {
			p = append(p, c)
		}
	}
	return p
}

// isPrime takes all primes below c.
func isPrime(c uint64, below []uint64) bool {
	for _, p := range below {
		if p*p > c {
			return true
		}
		if c%p == 0 {
			return false
		}
	}
	return true
}
