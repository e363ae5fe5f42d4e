package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// decays draws the features exp(−<w, x>) of a kernel of x + z whose Laplace
// transform is that of w ≥ 0 with independent coordinates (Yang, Sindhwani, Fan,
// Avron and Mahoney, "Random Laplace feature maps for semigroup kernels on
// histograms", CVPR 2014).
type decays struct {
	of      marginals
	sampler Sampler
}

func (f decays) paired() bool { return false }

func (f decays) draw(atoms int, gain float64, s *source, workers int) Block {
	w := compute.NewMatrix(atoms, f.of.d)
	frequencies(w, f.of, f.sampler, s, workers)
	floats.Scale(-1, w.Data)
	return &decaying{w, math.Sqrt(gain / float64(atoms)), workers}
}

type decaying struct {
	w       compute.Matrix // not positive
	scale   float64
	workers int
}

func (b *decaying) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.w.Cols, b.w.Rows)
	products(dst, x, b.w, b.workers)
	eachRows(x.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			v := rowOf(dst, i)
			compute.Exp(v, v)
			floats.Scale(b.scale, v)
		}
	})
}

func (b *decaying) Bytes() int { return 8 * len(b.w.Data) }
