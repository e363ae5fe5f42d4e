package gram

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Division is the Embedding that divides each coordinate by its own number.
type Division []float64

// Width implements Embedding.
func (Division) Width(d int) int { return d }

// EmbedTo implements Embedding.
func (e Division) EmbedTo(dst, x blas64.General, workers int) {
	RowEmbedding(func(dst, x []float64) { floats.DivTo(dst, x, e) }).EmbedTo(dst, x, workers)
}

func (e Division) embedRow(dst, x []float64) { floats.DivTo(dst, x, e) }

// Linear implements LinearEmbedding.
func (Division) Linear() bool { return true }

// EmbedSparse implements SparseEmbedding.
func (e Division) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	return compute.SparsePoints(x.Map(e.embedValues)), true
}

func (e Division) embedValues(values []float64, columns []int32) {
	for k, j := range columns {
		values[k] /= e[j]
	}
}
