package features

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// A projection is a block of features scale·f(<w_j, x>) with the rows w_j of w, m×d.
type projection struct {
	w        compute.Matrix
	scale    float64
	function func(v []float64, scale float64) // replaces inner products by scale·f
	workers  int
}

// newProjection draws w from a distribution on R^d. The caller sets scale and function.
func newProjection(draws, d int, of distribution, how Sampler, s *source, workers int) *projection {
	b := &projection{w: compute.NewMatrix(draws, d), workers: workers}
	drawFrom(b.w, of, how, s, workers)
	return b
}

func (b *projection) TransformTo(dst, x blas64.General) {
	b.transformPoints(dst, compute.DensePoints(x))
}

func (b *projection) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, b.w.Cols, b.w.Rows)
	products(dst, x, b.w, b.workers)
	eachRows(x.Rows, b.workers, func(from, to int) {
		for i := from; i < to; i++ {
			b.function(compute.Row(dst, i), b.scale)
		}
	})
}

func (b *projection) Bytes() int { return 8 * len(b.w.Data) }

func (b *projection) keep(draws []int) Block {
	c := *b
	c.w = compute.Pick(b.w, draws)
	c.scale *= math.Sqrt(float64(b.w.Rows) / float64(len(draws)))
	return &c
}

func (b *projection) transformRow(dst, x []float64) {
	for j := range dst {
		dst[j] = compute.RowDot(compute.Row(b.w, j), x)
	}
	b.function(dst, b.scale)
}
