package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Single is a Block that also computes its features in single precision, from
// the same parameters rounded, in about half the time.
type Single interface {
	Block
	// TransformTo32 is TransformTo in single precision.
	TransformTo32(dst, x blas32.General)
}

func (f *fourier) TransformTo32(dst, x blas32.General) {
	compute.FourierPairs32(dst, x, f.single(), float32(math.Sqrt(f.gain/float64(f.w.Rows))), f.workers)
}

// rounded returns w in single precision.
func rounded(w compute.Matrix) compute.Matrix32 {
	r := compute.NewMatrix32(w.Rows, w.Cols)
	for i, v := range w.Data {
		r.Data[i] = float32(v)
	}
	return r
}
