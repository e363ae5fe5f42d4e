package features

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// fourier is the family of random Fourier features of a spectral density (Rahimi
// and Recht, "Random features for large-scale kernel machines", NIPS 2007).
type fourier struct {
	d       int
	of      distribution
	sampler Sampler
}

func (f fourier) paired() bool { return true }

func (f fourier) draw(draws int, gain float64, s *source, workers int) Block {
	if f.sampler == Fastfood {
		return newFastfood(f.of.(isotropic), draws, gain, s, workers)
	}
	if f.sampler == Independent && f.d > wideColumns && drawsColumns(f.of) {
		return &wideFourierBlock{f.d, draws, f.of.(columnwise).columns(draws, s), gain, workers}
	}
	w := compute.NewMatrix(draws, f.d)
	drawFrom(w, f.of, f.sampler, s, workers)
	return newFourierBlock(w, gain, workers)
}

// fourierBlock computes [cos Wx ; sin Wx]·√(gain/m), W of m×d.
type fourierBlock struct {
	w       compute.Matrix
	single  func() compute.Matrix32 // w rounded, once
	gain    float64
	workers int
}

func newFourierBlock(w compute.Matrix, gain float64, workers int) *fourierBlock {
	single := sync.OnceValue(func() compute.Matrix32 { return rounded(w) })
	return &fourierBlock{w, single, gain, workers}
}

func (f *fourierBlock) scale() float64 { return math.Sqrt(f.gain / float64(f.w.Rows)) }

func (f *fourierBlock) TransformTo(dst, x blas64.General) {
	f.transformPoints(dst, compute.DensePoints(x))
}

func (f *fourierBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, f.w.Cols, 2*f.w.Rows)
	switch {
	case x.Rows == 0:
	case x.Sparse == nil:
		compute.FourierPairs(dst, x.Matrix, f.w, f.scale(), f.workers)
	default:
		compute.FourierPairsSparse(dst, x.Sparse, f.w, f.scale(), f.workers)
	}
}

// Bytes counts W without its copy in single precision.
func (f *fourierBlock) Bytes() int { return 8 * len(f.w.Data) }

// transformTo32 is TransformTo in single precision, in about half the time.
func (f *fourierBlock) transformTo32(dst, x blas32.General) {
	compute.FourierPairs32(dst, x, f.single(), float32(f.scale()), f.workers)
}

// rounded returns w in single precision.
func rounded(w compute.Matrix) compute.Matrix32 {
	r := compute.NewMatrix32(w.Rows, w.Cols)
	for i, v := range w.Data {
		r.Data[i] = float32(v)
	}
	return r
}

// cosinesAndSines sets the first half of dst to scale·cos and the second to
// scale·sin of the angles.
func cosinesAndSines(dst, angles []float64, scale float64) {
	m := len(angles)
	compute.Cos(dst[:m], angles)
	compute.Sin(dst[m:], angles)
	floats.Scale(scale, dst)
}

func (f *fourierBlock) keep(draws []int) Block {
	return newFourierBlock(compute.Pick(f.w, draws), f.gain, f.workers)
}

func (f *fourierBlock) transformRow(dst, x []float64) {
	m := f.w.Rows
	cos, sin := dst[:m], dst[m:2*m]
	for j := range cos {
		cos[j] = compute.RowDot(compute.Row(f.w, j), x)
	}
	compute.Sin(sin, cos)
	compute.Cos(cos, cos)
	floats.Scale(f.scale(), dst)
}
