package features

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// waves draws random Fourier features of a spectrum (Rahimi and Recht, "Random
// features for large-scale kernel machines", NIPS 2007).
type waves struct {
	d       int
	of      spectrum
	sampler Sampler
}

func (f waves) paired() bool { return true }

func (f waves) draw(atoms int, gain float64, s *source, workers int) Block {
	if f.sampler == Fastfood {
		return newFastfood(f.of.(mixture), atoms, gain, s, workers)
	}
	w := compute.NewMatrix(atoms, f.d)
	frequencies(w, f.of, f.sampler, s, workers)
	return newFourier(w, gain, workers)
}

// fourier is a block of random Fourier features: [cos Wx ; sin Wx]·√(gain/m), W
// being m×d.
type fourier struct {
	w       compute.Matrix
	single  func() compute.Matrix32 // w rounded, once
	gain    float64
	workers int
}

func newFourier(w compute.Matrix, gain float64, workers int) *fourier {
	single := sync.OnceValue(func() compute.Matrix32 { return rounded(w) })
	return &fourier{w, single, gain, workers}
}

func (f *fourier) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, f.w.Cols, 2*f.w.Rows)
	if x.Rows > 0 {
		compute.FourierPairs(dst, x, f.w, math.Sqrt(f.gain/float64(f.w.Rows)), f.workers)
	}
}

// Bytes counts W, and not its copy in single precision, which only TransformTo32 makes.
func (f *fourier) Bytes() int { return 8 * len(f.w.Data) }
