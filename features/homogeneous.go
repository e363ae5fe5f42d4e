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
	uniformPoints(b.w, s)
	b.c = f.deal(b.w, s)
	f.quantile(b.w)
	return b
}

// deal returns the coordinate of each pair: all as often as any other or once
// more, in random order. It moves the uniforms of one coordinate into intervals of
// equal length, one in each, unless they are to be independent.
func (f additive) deal(u []float64, s *source) []int {
	order, places := permutation(f.d, s), permutation(len(u), s)
	c := make([]int, len(u))
	for j, p := range places {
		turn, round := j%f.d, j/f.d
		c[p] = order[turn]
		if f.sampler != Independent {
			rounds := (len(u) - turn + f.d - 1) / f.d
			u[p] = max((float64(round)+u[p])/float64(rounds), leastUniform)
		}
	}
	return c
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
			amplitudes(sizes, logs, rowOf(x, i), b.scale)
			b.row(rowOf(dst, i), angles, sizes, logs)
		}
	})
}

// amplitudes sets sizes to scale·√x and logs to log x, or 0 where x is 0.
func amplitudes(sizes, logs, x []float64, scale float64) {
	compute.Log(logs, x)
	for c, v := range x {
		sizes[c] = scale * math.Sqrt(v)
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
