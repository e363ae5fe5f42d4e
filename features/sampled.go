package features

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Sampled returns features of an additive kernel of histograms that are not random:
// for each of d columns the values
//
//	√(x·L·κ(0)),  √(2x·L·κ(jL))·[cos(jL·log x), sin(jL·log x)],  j = 1 … order,
//
// κ being the spectrum: 2·order+1 columns for each column of x, all cosines of
// frequency j before all sines of it. k is AdditiveChiSquared, Intersection or
// JensenShannon; period is L, of which 0 stands for .8, .5 or .4 at order 0, 1 or
// 2, as suits AdditiveChiSquared. The error does not vanish with the order unless
// L does too: L about 1.2/√order is a good choice. All blocks are equal. Errors
// wrap rkhs.ErrOption and rkhs.ErrShape. Source: Vedaldi and Zisserman, "Efficient
// additive kernels via explicit feature maps", IEEE PAMI 34, 2012, eq. (10).
func Sampled(k kernel.Kernel, d, order int, period float64) (Map, error) {
	spectrum, ok := additiveSpectrum(k)
	if !ok {
		return nil, fmt.Errorf("features: %v is no additive kernel of histograms: %w", k, rkhs.ErrOption)
	}
	if d < 1 {
		return nil, fmt.Errorf("features: %d columns of x: %w", d, rkhs.ErrShape)
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
	spectrum(b.weights)
	for j, w := range b.weights {
		b.weights[j] = math.Sqrt(w * period * float64(min(j+1, 2)))
	}
	return &sequence{kernel: k, dim: d, of: fixed{b, d * (2*order + 1)}}, nil
}

// additiveSpectrum returns what replaces frequencies by their density.
func additiveSpectrum(k kernel.Kernel) (func(w []float64), bool) {
	switch k.(type) {
	case kernel.AdditiveChiSquared:
		return sechDensity, true
	case kernel.Intersection:
		return func(w []float64) {
			for i, v := range w {
				w[i] = 2 / math.Pi / (1 + float64(4*v*v))
			}
		}, true
	case kernel.JensenShannon:
		return func(w []float64) { jensenShannonDensity(w) }, true
	}
	return nil, false
}

// sechDensity replaces w ≥ 0 by sech πw.
func sechDensity(w []float64) {
	for i, v := range w {
		w[i] = -math.Pi * v
	}
	compute.Exp(w, w)
	for i, e := range w {
		w[i] = 2 * e / (1 + float64(e*e))
	}
}

type sampledBlock struct {
	d       int
	period  float64
	weights []float64 // of frequency j·period
}

func (b *sampledBlock) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, b.d, b.d*(2*len(b.weights)-1))
	eachRows(x.Rows, 0, func(from, to int) {
		memory := borrow(3 * b.d)
		defer giveBack(memory)
		s := *memory
		for i := from; i < to; i++ {
			b.row(rowOf(dst, i), rowOf(x, i), s[:b.d], s[b.d:2*b.d], s[2*b.d:])
		}
	})
}

func (b *sampledBlock) row(dst, x, sizes, logs, angles []float64) {
	amplitudes(sizes, logs, x, 1)
	for c, v := range sizes {
		dst[c] = b.weights[0] * v
	}
	for j, w := range b.weights[1:] {
		part := dst[(2*j+1)*b.d : (2*j+3)*b.d]
		for c, v := range logs {
			angles[c] = float64(j+1) * b.period * v
		}
		cosinesAndSines(part, angles, w)
		for c, v := range sizes {
			part[c] *= v
			part[b.d+c] *= v
		}
	}
}

func (b *sampledBlock) Bytes() int { return 8 * len(b.weights) }
