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

// apply has no branch on the values, whose signs are random.
func (r *rectified) apply(v []float64) {
	switch r.order {
	case 0:
		scale := math.Float64bits(r.scale)
		for i, p := range v {
			// The sign of 0 − p, spread over all bits, is set for p > 0 alone.
			v[i] = math.Float64frombits(scale & uint64(int64(math.Float64bits(0-p))>>63))
		}
	case 1:
		for i, p := range v {
			v[i] = r.scale * max(p, 0)
		}
	default:
		for i, p := range v {
			p = max(p, 0)
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
