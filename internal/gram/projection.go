package gram

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Projection is the embedding of points by a matrix.
type Projection struct{ *mat.Dense }

// Width implements Embedding.
func (p Projection) Width(int) int { return p.RawMatrix().Rows }

// EmbedTo implements Embedding.
func (p Projection) EmbedTo(dst, x blas64.General, workers int) {
	compute.Zero(dst)
	compute.MulNT(dst, x, p.RawMatrix(), workers)
}

func (p Projection) embedRow(dst, x []float64) {
	l := p.RawMatrix()
	for i := range dst {
		dst[i] = compute.RowDot(compute.Row(l, i), x)
	}
}

// Linear implements LinearEmbedding.
func (Projection) Linear() bool { return true }

// EmbedSparse implements SparseEmbedding.
func (p Projection) EmbedSparse(x *compute.Sparse, workers int) (compute.Points, bool) {
	l := p.RawMatrix()
	images := compute.NewMatrix(x.Rows, l.Rows)
	compute.MulSparse(images, x, l, workers)
	return compute.DensePoints(images), true
}
