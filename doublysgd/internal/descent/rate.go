package descent

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
)

// restSample is the number of rows on which the rest is looked at more closely.
const restSample = 256

// Rate is the length of the steps in A for a loss of so large a curvature: no block,
// however its features are drawn, makes the distance of two functions grow. One rate
// for all blocks keeps the mean of the steps the gradient.
func (s *Space) Rate(curvature, nu float64) float64 {
	if s.top == 0 {
		s.top = s.largest()
	}
	return 1 / (curvature*s.top + nu)
}

// largest returns the largest eigenvalue of ζᵀζ/n, or ζᵀWζ/n with weights, of all blocks, on
// a sample of the rows, which has a larger one than the whole on average.
func (s *Space) largest() float64 {
	sample := s.Sample()
	x := s.X.Pick(sample)
	known := compute.NewMatrix(len(sample), s.Centres.Count()) // −e·U⁻ᵀ
	compute.MulNT(known, compute.Pick(s.E, sample), s.Centres.Inverse, s.options.Workers)
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	top := 0.0
	for b := range s.Blocks {
		if s.monitor.Stopped() {
			break // no step will be taken
		}
		block := s.features.Block(uint64(b))
		at := compute.NewMatrix(s.Centres.Count(), s.columns())
		features.TransformPoints(block, at, s.Centres.Points)
		zeta := compute.NewMatrix(len(sample), s.columns())
		features.TransformPoints(block, zeta, x)
		compute.MulNN(zeta, known, at, s.options.Workers)
		s.Weights.Pick(sample).ScaleByRoots(zeta)
		top = max(top, largestSquare(zeta)/float64(len(sample)))
	}
	return top
}

// Sample returns a part of the rows, evenly spread.
func (s *Space) Sample() []int {
	rows := make([]int, min(restSample, s.X.Rows))
	for i := range rows {
		rows[i] = i * s.X.Rows / len(rows)
	}
	return rows
}

// largestSquare returns the largest eigenvalue of M·Mᵀ by the power method, from the
// norms of the rows with signs and sizes in no order.
func largestSquare(m compute.Matrix) float64 {
	g := blas64.General(m)
	v, w := make([]float64, m.Rows), make([]float64, m.Cols)
	for i := range v {
		v[i] = blas64.Nrm2(compute.Vector(compute.Row(m, i))) * math.Cos(float64(i*i))
	}
	value := 0.0
	for range 30 {
		n := blas64.Nrm2(compute.Vector(v))
		if n == 0 {
			return 0
		}
		blas64.Scal(1/n, compute.Vector(v))
		blas64.Gemv(blas.Trans, 1, g, compute.Vector(v), 0, compute.Vector(w))
		value = blas64.Dot(compute.Vector(w), compute.Vector(w))
		blas64.Gemv(blas.NoTrans, 1, g, compute.Vector(w), 0, compute.Vector(v))
	}
	return value
}
