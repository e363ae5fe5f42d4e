package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// homogeneous is the family of the kernels Σ_i √(x_i·z_i)·κ(log(x_i/z_i)) of histograms, where κ is the
// Fourier transform of a density on R. Its features are
//
//	√(d·x_c/m)·[cos(w·log x_c), sin(w·log x_c)],  c uniform on the coordinates,
//
// and 0 if x_c = 0. The numbers of pairs of two coordinates differ by at most one. Unless the sampler is
// Independent, the frequencies of a coordinate are stratified. Source: Vedaldi and Zisserman, "Efficient
// additive kernels via explicit feature maps", IEEE PAMI 34, 2012, with fixed frequencies.
type homogeneous struct {
	d         int
	frequency func(u []float64) // of uniform numbers
	sampler   Sampler
}

func (f homogeneous) paired() bool { return true }

func (f homogeneous) draw(draws int, gain float64, s *source, workers int) Block {
	b := &homogeneousBlock{d: f.d, w: make([]float64, draws), scale: math.Sqrt(gain * float64(f.d) / float64(draws)), workers: workers}
	uniformPoints(b.w, s)
	b.c = f.deal(b.w, s)
	f.frequency(b.w)
	return b
}

// deal assigns coordinates to pairs evenly and in random order. Unless the sampler is Independent, it
// stratifies the uniforms of each coordinate.
func (f homogeneous) deal(u []float64, s *source) []int {
	order, positions := permutation(f.d, s), permutation(len(u), s)
	c := make([]int, len(u))
	for j, p := range positions {
		turn, round := j%f.d, j/f.d
		c[p] = order[turn]
		if f.sampler != Independent {
			rounds := (len(u) - turn + f.d - 1) / f.d
			u[p] = max((float64(round)+u[p])/float64(rounds), quantile.Least)
		}
	}
	return c
}

type homogeneousBlock struct {
	d       int
	c       []int     // coordinate of each pair
	w       []float64 // frequency of each pair
	scale   float64
	workers int
}

func (b *homogeneousBlock) TransformTo(dst, x blas64.General) {
	m := len(b.w)
	checkSizes(dst, x, b.d, 2*m)
	eachRows(x.Rows, b.workers, func(from, to int) {
		memory := allocate(2*b.d + m)
		defer release(memory)
		logs, sizes, angles := (*memory)[:b.d], (*memory)[b.d:2*b.d], (*memory)[2*b.d:]
		for i := from; i < to; i++ {
			amplitudes(sizes, logs, compute.Row(x, i), b.scale)
			b.row(compute.Row(dst, i), angles, sizes, logs)
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

func (b *homogeneousBlock) row(dst, angles, sizes, logs []float64) {
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

func (b *homogeneousBlock) Bytes() int { return 16 * len(b.w) }

// laplace is the family of the features exp(−<w, x>) of a kernel of x + z, the Laplace transform of a
// distribution of w ≥ 0 (Yang, Sindhwani, Fan, Avron and
// Mahoney, "Random Laplace feature maps for semigroup kernels on histograms", CVPR
// 2014).
type laplace struct {
	d       int
	of      distribution
	sampler Sampler
}

func (f laplace) paired() bool { return false }

func (f laplace) draw(draws int, gain float64, s *source, workers int) Block {
	b := newProjection(draws, f.d, f.of, f.sampler, s, workers)
	floats.Scale(-1, b.w.Data)
	b.scale = math.Sqrt(gain / float64(draws))
	b.function = exponential
	return b
}

func exponential(v []float64, scale float64) {
	compute.Exp(v, v)
	floats.Scale(scale, v)
}
