package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// arcCosine is the family of the features √2·[w·x > 0]·(w·x)ⁿ of the arc-cosine
// kernels, w standard normal (Cho and Saul, "Kernel methods for deep learning", NIPS
// 2009).
type arcCosine struct {
	d, order int
	sampler  Sampler
}

func (f arcCosine) paired() bool { return false }

func (f arcCosine) draw(draws int, gain float64, s *source, workers int) Block {
	w := compute.NewMatrix(draws, f.d)
	drawFrom(w, standardNormal(f.d), f.sampler, s, workers)
	return &arcCosineBlock{w, f.order, math.Sqrt(2 * gain / float64(draws)), workers}
}

type arcCosineBlock struct {
	w       compute.Matrix
	order   int
	scale   float64
	workers int
}

func (b *arcCosineBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.w.Cols, b.w.Rows)
	products(dst, x, b.w, b.workers)
	eachRows(x.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			b.apply(compute.Row(dst, i))
		}
	})
}

// apply has no branch on the values, whose signs are random.
func (b *arcCosineBlock) apply(v []float64) {
	switch b.order {
	case 0:
		scale := math.Float64bits(b.scale)
		for i, p := range v {
			// The sign of 0 − p, spread over all bits, is set for p > 0 alone.
			v[i] = math.Float64frombits(scale & uint64(int64(math.Float64bits(0-p))>>63))
		}
	case 1:
		for i, p := range v {
			v[i] = b.scale * max(p, 0)
		}
	default:
		for i, p := range v {
			p = max(p, 0)
			v[i] = b.scale * p * p
		}
	}
}

func (b *arcCosineBlock) Bytes() int { return 8 * len(b.w.Data) }

// products sets dst = X·Wᵀ.
func products(dst, x, w compute.Matrix, workers int) {
	for i := range dst.Rows {
		clear(compute.Row(dst, i))
	}
	compute.MulNT(dst, x, w, workers)
}

func (b *arcCosineBlock) keep(draws []int) Block {
	c := *b
	c.w = compute.Pick(b.w, draws)
	c.scale *= math.Sqrt(float64(b.w.Rows) / float64(len(draws)))
	return &c
}
