package features

import (
	"math"

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
