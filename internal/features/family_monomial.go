package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// monomials is the family of the features of the kernel Σ_n a_n·<x, z>^n, a_n ≥ 0:
//
//	√(a_N/(m·p_N))·Π_{j≤N} <s_j, x>,  P(N = n) = p_n, s_j random signs
//
// with p_n = a_n/Σ a, which suits points of length 1. Each degree has its expected number of columns,
// rounded up or down. Source: Kar and Karnick, "Random feature maps for dot product kernels", AISTATS
// 2012, where p_n = 2^−(n+1).
type monomials struct {
	d            int
	coefficients []float64
}

func (f monomials) paired() bool { return false }

func (f monomials) draw(draws int, gain float64, s *source, workers int) Block {
	sum := total(f.coefficients)
	degrees := f.degrees(draws, sum, s)
	b := &monomialBlock{d: f.d, degrees: degrees, scale: math.Sqrt(gain * sum / float64(draws)), workers: workers}
	n := 0
	for _, k := range degrees {
		n += k
	}
	b.signs = compute.NewMatrix(n, f.d)
	if n > 0 {
		randomSigns(b.signs.Data, s)
	}
	return b
}

// degrees draws the degree of each column by systematic sampling, in random order.
func (f monomials) degrees(draws int, sum float64, s *source) []int {
	degrees := make([]int, draws)
	if sum == 0 {
		return degrees
	}
	shift := make([]float64, 1)
	compute.Uniforms(shift, s.next(), 0)
	n, below := f.next(-1), 0.0
	for j, p := range permutation(draws, s) {
		at := (float64(j) + shift[0]) / float64(draws) * sum
		for below+f.coefficients[n] <= at && f.next(n) < len(f.coefficients) {
			below += f.coefficients[n]
			n = f.next(n)
		}
		degrees[p] = n
	}
	return degrees
}

// next returns the next degree after n with a nonzero coefficient.
func (f monomials) next(n int) int {
	for n++; n < len(f.coefficients) && f.coefficients[n] == 0; n++ {
	}
	return n
}

type monomialBlock struct {
	d       int
	degrees []int
	signs   compute.Matrix // of the columns in order, one row for each factor
	scale   float64
	workers int
}

func (b *monomialBlock) TransformTo(dst, x blas64.General) {
	b.transformPoints(dst, compute.DensePoints(x))
}

func (b *monomialBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, b.d, len(b.degrees))
	eachPart(dst, x, 512, b.transform)
}

func (b *monomialBlock) transform(dst compute.Matrix, x compute.Points) {
	y, memory := allocateMatrix(x.Rows, b.signs.Rows)
	defer release(memory)
	if b.signs.Rows > 0 {
		products(y, x, b.signs, b.workers)
	}
	eachRows(x.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			b.row(compute.Row(dst, i), compute.Row(y, i))
		}
	})
}

// row multiplies the inner products of each column.
func (b *monomialBlock) row(dst, y []float64) {
	for j, n := range b.degrees {
		p := b.scale
		for _, v := range y[:n] {
			p *= v
		}
		dst[j] = p
		y = y[n:]
	}
}

func (b *monomialBlock) Bytes() int { return 8 * (len(b.signs.Data) + len(b.degrees)) }

// total sums in order. The order of gonum's assembly differs between architectures.
func total(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// polynomialCoefficients returns the coefficients of (slope·s + offset)^degree by the recurrence of
// binomials.
func polynomialCoefficients(slope, offset float64, degree int) []float64 {
	a := make([]float64, degree+1)
	for n := range a {
		a[n] = 1
		// C(degree, n)·slopeⁿ·offset^(degree−n), one factor of each at a time so
		// that products stay within range as long as the result does.
		for i := 1; i <= max(n, degree-n); i++ {
			if i <= n {
				a[n] *= slope * float64(degree-n+i) / float64(i)
			}
			if i <= degree-n {
				a[n] *= offset
			}
		}
	}
	return a
}
