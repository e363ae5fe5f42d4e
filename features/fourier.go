package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// fourier is a block of random Fourier features: [cos Wx ; sin Wx]·√(gain/m), W
// being m×d.
type fourier struct {
	w       compute.Matrix
	gain    float64
	workers int
}

func (f *fourier) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, f.w.Cols, 2*f.w.Rows)
	compute.FourierPairs(dst, x, f.w, math.Sqrt(f.gain/float64(f.w.Rows)), f.workers)
}

func (f *fourier) Bytes() int { return 8 * len(f.w.Data) }
