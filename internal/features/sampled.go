package features

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Sampled returns deterministic features of an additive kernel of histograms. For each of d columns they are
//
//	√(x·L·κ(0)),  √(2x·L·κ(jL))·[cos(jL·log x), sin(jL·log x)],  j = 1 … order,
//
// where κ is the spectral density. There are 2·order+1 columns for each column of x, all cosines of
// frequency j before all its sines. The family of k must be kernel.Homogeneous, as for AdditiveChiSquared,
// Intersection and JensenShannon. The period L defaults to .8, .5 or .4 for order 0, 1 or 2. The error
// vanishes as order → ∞ only if L → 0, for example as 1.2/√order. All blocks are equal. Errors wrap
// rkhs.ErrOption and rkhs.ErrShape. Source: Vedaldi and Zisserman, "Efficient
// additive kernels via explicit feature maps", IEEE PAMI 34, 2012, eq. (10).
func Sampled(k kernel.Kernel, d, order int, period float64) (Map, error) {
	if d < 1 {
		return nil, fmt.Errorf("features: %d columns of x: %w", d, rkhs.ErrShape)
	}
	r, err := gram.RepresentationOf(k, d)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	of, ok := r.Family.(kernel.Homogeneous)
	if !ok || of.Density == nil || r.Embedding != nil || r.Gain != 1 {
		return nil, fmt.Errorf("features: %v is no additive kernel of histograms: %w", k, rkhs.ErrOption)
	}
	if periods := [...]float64{.8, .5, .4}; period == 0 && order >= 0 && order < len(periods) {
		period = periods[order]
	}
	if order < 0 || order > 1000 || !(period > 0) || math.IsInf(period, 1) {
		return nil, fmt.Errorf("features: order = %d, period = %v, want 0 to 1000 and a positive number: %w", order, period, rkhs.ErrOption)
	}
	b := &sampledBlock{d: d, period: period, weights: make([]float64, order+1)}
	for j := range b.weights {
		b.weights[j] = float64(j) * period
	}
	of.Density(b.weights)
	for j, w := range b.weights {
		b.weights[j] = math.Sqrt(w * period * float64(min(j+1, 2)))
	}
	return &sequence{kernel: k, dim: d, of: fixedBasis(b, d*(2*order+1))}, nil
}

type sampledBlock struct {
	d       int
	period  float64
	weights []float64 // of frequency j·period
}

func (b *sampledBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.d*(2*len(b.weights)-1))
	eachRows(x.Rows, 0, func(from, to int) {
		memory := allocate(3 * b.d)
		defer release(memory)
		s := *memory
		for i := from; i < to; i++ {
			b.row(compute.Row(dst, i), compute.Row(x, i), s[:b.d], s[b.d:2*b.d], s[2*b.d:])
		}
	})
}

func (b *sampledBlock) row(dst, x, sizes, logs, angles []float64) {
	amplitudes(sizes, logs, x, 1)
	for c, v := range sizes {
		dst[c] = b.weights[0] * v
	}
	for j, w := range b.weights[1:] {
		both := dst[(2*j+1)*b.d : (2*j+3)*b.d]
		for c, v := range logs {
			angles[c] = float64(j+1) * b.period * v
		}
		cosinesAndSines(both, angles, w)
		for c, v := range sizes {
			both[c] *= v
			both[b.d+c] *= v
		}
	}
}

func (b *sampledBlock) Bytes() int { return 8 * len(b.weights) }
