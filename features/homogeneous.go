package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// additive draws features of the kernels Σ_i √(x_i·z_i)·κ(log(x_i/z_i)) of
// histograms, κ being the Fourier transform of a spectrum on R:
//
//	√(d·x_c/m)·[cos(w·log x_c), sin(w·log x_c)],  c uniform on the coordinates,
//
// and zero where x_c is (Vedaldi and Zisserman, "Efficient additive kernels via
// explicit feature maps", IEEE PAMI 34, 2012, whose frequencies are fixed).
// Coordinates are dealt out in turn, so that each has as many pairs as any other
// or one more. Unless the sampler is Independent, the frequencies of one
// coordinate are drawn from strata of equal probability.
type additive struct {
	d        int
	quantile quantile
	sampler  Sampler
}

func (f additive) paired() bool { return true }

func (f additive) draw(atoms int, gain float64, s *source, workers int) Block {
	b := &additiveBlock{d: f.d, w: make([]float64, atoms), scale: math.Sqrt(gain * float64(f.d) / float64(atoms)), workers: workers}
	b.c = dealt(f.d, atoms, s)
	uniformPoints(b.w, s)
	if f.sampler != Independent {
		stratify(b.w, b.c, f.d)
	}
	f.quantile(b.w)
	return b
}

// dealt returns n numbers below d, each of which is uniform, in random order:
// every number as often as any other or once more.
func dealt(d, n int, s *source) []int {
	order, places := permutation(d, s), permutation(n, s)
	c := make([]int, n)
	for j, p := range places {
		c[p] = order[j%d]
	}
	return c
}

// stratify moves the numbers of u that belong to the same of d groups into
// intervals of equal length, one in each.
func stratify(u []float64, group []int, d int) {
	counts, seen := make([]int, d), make([]int, d)
	for _, c := range group {
		counts[c]++
	}
	for j, c := range group {
		u[j] = max((float64(seen[c])+u[j])/float64(counts[c]), leastUniform)
		seen[c]++
	}
}

type additiveBlock struct {
	d       int
	c       []int     // coordinate of each pair
	w       []float64 // frequency of each pair
	scale   float64
	workers int
}

func (b *additiveBlock) TransformTo(dst, x blas64.General) {
	m := len(b.w)
	checkSizes(dst, x, b.d, 2*m)
	eachRows(x.Rows, b.workers, func(from, to int) {
		memory := borrow(2*b.d + m)
		defer giveBack(memory)
		logs, sizes, angles := (*memory)[:b.d], (*memory)[b.d:2*b.d], (*memory)[2*b.d:]
		for i := from; i < to; i++ {
			b.amplitudes(sizes, logs, rowOf(x, i))
			b.row(rowOf(dst, i), angles, sizes, logs)
		}
	})
}

// amplitudes sets sizes to scale·√x and logs to log x, or 0 where x is 0.
func (b *additiveBlock) amplitudes(sizes, logs, x []float64) {
	compute.Log(logs, x)
	for c, v := range x {
		sizes[c] = b.scale * math.Sqrt(v)
		if v == 0 {
			logs[c] = 0
		}
	}
}

func (b *additiveBlock) row(dst, angles, sizes, logs []float64) {
	for j, c := range b.c {
		angles[j] = b.w[j] * logs[c]
	}
	m := len(angles)
	cosinesAndSines(dst, angles, 1)
	for j, c := range b.c {
		dst[j] *= sizes[c]
		dst[m+j] *= sizes[c]
	}
}

func (b *additiveBlock) Bytes() int { return 16 * len(b.w) }
