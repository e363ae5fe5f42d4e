package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// laplace is the family of the features exp(−<w, x>) of a kernel of x + z that is the
// Laplace transform of the distribution of w ≥ 0 (Yang, Sindhwani, Fan, Avron and
// Mahoney, "Random Laplace feature maps for semigroup kernels on histograms", CVPR
// 2014).
type laplace struct {
	d       int
	of      distribution
	sampler Sampler
}

func (f laplace) paired() bool { return false }

func (f laplace) draw(draws int, gain float64, s *source, workers int) Block {
	w := compute.NewMatrix(draws, f.d)
	drawFrom(w, f.of, f.sampler, s, workers)
	floats.Scale(-1, w.Data)
	return &laplaceBlock{w, math.Sqrt(gain / float64(draws)), workers}
}

type laplaceBlock struct {
	w       compute.Matrix // not positive
	scale   float64
	workers int
}

func (b *laplaceBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.w.Cols, b.w.Rows)
	products(dst, x, b.w, b.workers)
	eachRows(x.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			v := compute.Row(dst, i)
			compute.Exp(v, v)
			floats.Scale(b.scale, v)
		}
	})
}

func (b *laplaceBlock) Bytes() int { return 8 * len(b.w.Data) }

func (b *laplaceBlock) keep(draws []int) Block {
	c := *b
	c.w = compute.Pick(b.w, draws)
	c.scale *= math.Sqrt(float64(b.w.Rows) / float64(len(draws)))
	return &c
}
