package features

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// fastfoodBlock computes random Fourier features with groups of frequencies W = S·H·G·Π·H·B. With n the
// smallest power of two ≥ d, B holds random signs, H is the n×n Walsh–Hadamard matrix, Π a random
// permutation, G holds normals and S the lengths of the rows. Each row is exactly normal. A group costs
// O(n·log n) per product and O(n) memory.
type fastfoodBlock struct {
	d, n, draws int
	gain        float64
	groups      []fastfoodGroup
	workers     int
}

type fastfoodGroup struct {
	signs, normals []float64
	order          []int
	scales         []float64
}

func newFastfood(of isotropic, draws int, gain float64, s *source, workers int) *fastfoodBlock {
	n := 1 << bits.Len(uint(of.d-1))
	f := &fastfoodBlock{d: of.d, n: n, draws: draws, gain: gain, workers: workers}
	chi := quantile.Gamma(float64(n) / 2)
	for range (draws + n - 1) / n {
		f.groups = append(f.groups, newFastfoodGroup(of, chi, n, s))
	}
	return f
}

func newFastfoodGroup(of isotropic, chi func(u []float64), n int, s *source) fastfoodGroup {
	g := fastfoodGroup{make([]float64, n), make([]float64, n), permutation(n, s), make([]float64, n)}
	randomSigns(g.signs, s)
	compute.Normals(g.normals, s.next(), 0)
	sum := 0.0
	for _, v := range g.normals {
		sum = math.FMA(v, v, sum)
	}
	// A row of H·G·Π·H·B has length √(n·sum); a vector of n normals has length √(2·gamma).
	uniformPoints(g.scales, s)
	chi(g.scales)
	for i, v := range g.scales {
		g.scales[i] = math.Sqrt(2 * v / (float64(n) * sum))
	}
	floats.Mul(g.scales, of.radii(n, s))
	return g
}

func (f *fastfoodBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, f.d, 2*f.draws)
	scale := math.Sqrt(f.gain / float64(f.draws))
	eachRows(x.Rows, f.workers, func(from, to int) {
		memory := allocate(2*f.n + len(f.groups)*f.n)
		defer release(memory)
		first, second, angles := (*memory)[:f.n], (*memory)[f.n:2*f.n], (*memory)[2*f.n:]
		for i := from; i < to; i++ {
			for j, g := range f.groups {
				g.product(angles[j*f.n:(j+1)*f.n], compute.Row(x, i), first, second)
			}
			cosinesAndSines(compute.Row(dst, i), angles[:f.draws], scale)
		}
	})
}

// product sets dst to the product of the group with x.
func (g fastfoodGroup) product(dst, x, first, second []float64) {
	clear(first[len(x):])
	floats.MulTo(first[:len(x)], x, g.signs[:len(x)])
	hadamard(first)
	for i, j := range g.order {
		second[i] = first[j] * g.normals[i]
	}
	hadamard(second)
	floats.MulTo(dst, second, g.scales)
}

// hadamard multiplies v by the Walsh–Hadamard matrix, two levels of the recursion at a time. O(n·log n).
func hadamard(v []float64) {
	h := 1
	for ; 4*h <= len(v); h *= 4 {
		for i := 0; i < len(v); i += 4 * h {
			hadamardFour(v[i:i+h], v[i+h:i+2*h], v[i+2*h:i+3*h], v[i+3*h:i+4*h])
		}
	}
	if h < len(v) {
		a, b := v[:h], v[h:]
		for j, p := range a {
			q := b[j]
			a[j], b[j] = p+q, p-q
		}
	}
}

func hadamardFour(a, b, c, d []float64) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for j, p := range a {
		q, r, s := b[j], c[j], d[j]
		p, q, r, s = p+q, p-q, r+s, r-s
		a[j], b[j], c[j], d[j] = p+r, q+s, p-r, q-s
	}
}

func (f *fastfoodBlock) Bytes() int { return len(f.groups) * 4 * 8 * f.n }
