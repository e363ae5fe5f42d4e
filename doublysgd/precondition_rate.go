package doublysgd

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// restSample is the number of rows on which the rest is looked at more closely.
const restSample = 256

// rate is the length of the steps in A for a loss of so large a curvature: no block,
// however its features are drawn, makes the distance of two functions grow. One rate
// for all blocks keeps the mean of the steps the gradient.
func (p *preconditioned) rate(curvature, nu float64) float64 {
	if p.top == 0 {
		p.top = p.largest()
	}
	return 1 / (curvature*p.top + nu)
}

// largest returns the largest eigenvalue of ζᵀζ/n of all blocks, on a sample of the
// rows, which has a larger one than the whole on average.
func (p *preconditioned) largest() float64 {
	sample := p.sample()
	x := gather(p.x, sample)
	known := compute.NewMatrix(len(sample), p.c.count()) // −e·U⁻ᵀ
	compute.MulNT(known, gather(p.e, sample), p.c.inverse, p.workers)
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	top := 0.0
	for b := range p.blocks {
		block := p.features.block(uint64(b))
		at := compute.NewMatrix(p.c.count(), p.m.Columns())
		block.TransformTo(at, p.c.points)
		zeta := compute.NewMatrix(len(sample), p.m.Columns())
		block.TransformTo(zeta, x)
		compute.MulNN(zeta, known, at, p.workers)
		top = max(top, largestSquare(zeta)/float64(len(sample)))
	}
	return top
}

// sample returns a part of the rows, evenly spread.
func (p *preconditioned) sample() []int {
	s := make([]int, min(restSample, p.n))
	for i := range s {
		s[i] = i * p.n / len(s)
	}
	return s
}

// largestSquare returns the largest eigenvalue of M·Mᵀ by the power method, from the
// norms of the rows with signs and sizes in no order.
func largestSquare(m compute.Matrix) float64 {
	g := blas64.General(m)
	v, w := make([]float64, m.Rows), make([]float64, m.Cols)
	for i := range v {
		v[i] = blas64.Nrm2(vector(row(m, i))) * math.Cos(float64(i*i))
	}
	value := 0.0
	for range 30 {
		n := blas64.Nrm2(vector(v))
		if n == 0 {
			return 0
		}
		blas64.Scal(1/n, vector(v))
		blas64.Gemv(blas.Trans, 1, g, vector(v), 0, vector(w))
		value = blas64.Dot(vector(w), vector(w))
		blas64.Gemv(blas.NoTrans, 1, g, vector(w), 0, vector(v))
	}
	return value
}
