package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// units draws the features √2·[w·x > 0]·(w·x)ⁿ of the arc-cosine kernels, w
// standard normal (Cho and Saul, "Kernel methods for deep learning", NIPS 2009).
type units struct {
	d, order int
	sampler  Sampler
}

func (u units) paired() bool { return false }

func (u units) draw(atoms int, gain float64, s *source, workers int) Block {
	w := compute.NewMatrix(atoms, u.d)
	frequencies(w, mixture{d: u.d, factor: 1}, u.sampler, s, workers)
	return &rectified{w, u.order, math.Sqrt(2 * gain / float64(atoms)), workers}
}

type rectified struct {
	w       compute.Matrix
	order   int
	scale   float64
	workers int
}

func (r *rectified) TransformTo(dst, x blas64.General) {
	checkSizes(dst, x, r.w.Cols, r.w.Rows)
	products(dst, x, r.w, r.workers)
	eachRows(x.Rows, r.workers, func(from, to int) {
		for i := from; i < to; i++ {
			r.apply(rowOf(dst, i))
		}
	})
}

func (r *rectified) apply(v []float64) {
	for i, p := range v {
		switch {
		case !(p > 0):
			v[i] = 0
		case r.order == 0:
			v[i] = r.scale
		case r.order == 1:
			v[i] = r.scale * p
		default:
			v[i] = r.scale * p * p
		}
	}
}

func (r *rectified) Bytes() int { return 8 * len(r.w.Data) }

// products sets dst = X·Wᵀ.
func products(dst, x, w compute.Matrix, workers int) {
	for i := range dst.Rows {
		clear(rowOf(dst, i))
	}
	compute.MulNT(dst, x, w, workers)
}
