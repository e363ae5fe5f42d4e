package features

import (
	_ "embed"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

//go:embed joekuo.txt
var joeKuo string

// quasiRandom fills u with low-discrepancy points in random order, so the points of two factors of a
// product are independent.
func quasiRandom(u compute.Matrix, how Sampler, s *source) {
	order := permutation(u.Rows, s)
	if how == Sobol {
		sobolPoints(u, order, s)
	} else {
		haltonPoints(u, order, s)
	}
}

// sobolLimit is the largest number of dimensions, set by the table of direction numbers.
const sobolLimit = 256

// A direction is a primitive polynomial, its coefficients as bits, and the
// initial numbers of one dimension.
type direction struct {
	polynomial uint64
	initial    []uint64
}

var directions = sync.OnceValue(func() []direction {
	all := []direction{{}}
	for line := range strings.Lines(joeKuo) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var numbers []uint64
		for _, f := range strings.Fields(line) {
			n, err := strconv.ParseUint(f, 10, 64)
			if err != nil {
				panic(err) // the table is part of the package
			}
			numbers = append(numbers, n)
		}
		all = append(all, direction{numbers[0], numbers[1:]})
	}
	return all
})

// vectors sets v to the first direction vectors, their digits from the highest
// bit down: v_i = m_i·2^(64−i) with, for the coefficients a of the polynomial of
// degree s, m_i = 2a_1·m_{i−1} ⊕ … ⊕ 2^(s−1)·a_{s−1}·m_{i−s+1} ⊕ 2^s·m_{i−s} ⊕ m_{i−s}.
func (d direction) vectors(v []uint64) {
	s := len(d.initial)
	for i := range v {
		switch {
		case s == 0:
			v[i] = 1 << (63 - i)
		case i < s:
			v[i] = d.initial[i] << (63 - i)
		default:
			v[i] = v[i-s] ^ v[i-s]>>s
			for k := 1; k < s; k++ {
				if d.polynomial>>(s-k)&1 == 1 {
					v[i] ^= v[i-k]
				}
			}
		}
	}
}

// sobolPoints sets the rows of u, in the given order, to the first points of a Sobol sequence,
// scrambled by a random lower triangular matrix and shift in each dimension. Each point is
// uniform on (0, 1)^D, and the points are still a net (Matoušek, "On the L2-discrepancy for
// anchored boxes", 1998).
func sobolPoints(u compute.Matrix, order []int, s *source) {
	digits := bits.Len(uint(u.Rows - 1))
	words := randomWords(u.Cols*(digits+1), s)
	v := make([]uint64, digits)
	for j, d := range directions()[:u.Cols] {
		own := words[j*(digits+1) : (j+1)*(digits+1)]
		d.vectors(v)
		scramble(v, own)
		x := own[digits]
		for i, row := range order {
			if i > 0 {
				x ^= v[bits.TrailingZeros(uint(i))]
			}
			u.Data[row*u.Stride+j] = unit(x)
		}
	}
}

// scramble multiplies the digits of each v by a random unit lower triangular matrix.
func scramble(v, random []uint64) {
	for i, x := range v {
		y := uint64(0)
		for l := range v {
			if x>>(63-l)&1 == 1 {
				y ^= 1<<(63-l) | random[l]>>1>>l
			}
		}
		v[i] = y
	}
}

// unit maps the upper 52 bits of x to the middle of an interval of (0, 1).
func unit(x uint64) float64 { return (float64(x>>12) + 0.5) * 0x1p-52 }

// randomWords returns words with 53 random upper bits.
func randomWords(n int, s *source) []uint64 {
	u := make([]float64, n)
	compute.Uniforms(u, s.next(), 0)
	words := make([]uint64, n)
	for i, v := range u {
		words[i] = uint64(v*(1<<53)) << 11
	}
	return words
}

// haltonPoints sets the rows of u, in the given order, to the first points of the Halton sequence plus one
// random shift modulo 1. The shift makes each point uniform.
func haltonPoints(u compute.Matrix, order []int, s *source) {
	shift := make([]float64, u.Cols)
	compute.Uniforms(shift, s.next(), 0)
	for j, base := range primes(u.Cols) {
		for i, row := range order {
			v := radicalInverse(uint64(i), base) + shift[j]
			if v >= 1 {
				v--
			}
			u.Data[row*u.Stride+j] = max(v, quantile.Least)
		}
	}
}

// radicalInverse mirrors the digits of n at the radix point.
func radicalInverse(n, base uint64) float64 {
	mirrored, size := uint64(0), uint64(1)
	for ; n > 0; n /= base {
		mirrored = mirrored*base + n%base
		size *= base
	}
	return float64(mirrored) / float64(size)
}

// primes returns the first n primes.
func primes(n int) []uint64 {
	p := make([]uint64, 0, n)
	for c := uint64(2); len(p) < n; c++ {
		if isPrime(c, p) {
			p = append(p, c)
		}
	}
	return p
}

// isPrime reports whether c is prime, given all primes below it.
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
