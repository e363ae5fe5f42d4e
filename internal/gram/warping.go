package gram

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Warping is the Embedding of Warped. It holds the knots of each coordinate.
type Warping struct{ From, To [][]float64 }

// Width implements Embedding.
func (Warping) Width(d int) int { return d }

// EmbedTo implements Embedding.
func (e Warping) EmbedTo(dst, x compute.Matrix, workers int) { embedRows(e.embedRow, dst, x, workers) }

// EmbedSparse implements SparseEmbedding. The images are dense, because the image of 0 is rarely 0.
func (e Warping) EmbedSparse(x *compute.Sparse, workers int) (compute.Points, bool) {
	images := compute.NewMatrix(x.Rows, x.Cols)
	for i := range x.Rows {
		columns, values := x.Row(i)
		for k, c := range columns {
			compute.Row(images, i)[c] = values[k]
		}
	}
	e.EmbedTo(images, images, workers)
	return compute.DensePoints(images), true
}

func (e Warping) embedRow(dst, x []float64) {
	for c, v := range x {
		dst[c] = v
		if from := e.From[c]; len(from) > 0 {
			dst[c] = interpolate(from, e.To[c], v)
		}
	}
}

// interpolate returns the value at v of the function that is linear between the knots and constant outside.
func interpolate(from, to []float64, v float64) float64 {
	i, _ := slices.BinarySearch(from, v)
	switch {
	case i == 0:
		return to[0]
	case i == len(from):
		return to[i-1]
	}
	share := (v - from[i-1]) / (from[i] - from[i-1])
	return to[i-1] + float64(share*(to[i]-to[i-1]))
}
