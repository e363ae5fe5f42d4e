package gram

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Encoding is the Embedding e of OneHot.
type Encoding [][]float64

// Width implements Embedding.
func (e Encoding) Width(int) int {
	width := 0
	for _, levels := range e {
		width += max(1, len(levels))
	}
	return width
}

// EmbedTo implements Embedding.
func (e Encoding) EmbedTo(dst, x blas64.General, workers int) {
	RowEmbedding(e.embedRow).EmbedTo(dst, x, workers)
}

func (e Encoding) embedRow(dst, x []float64) {
	clear(dst)
	at := 0
	for c, levels := range e {
		if len(levels) == 0 {
			dst[at] = x[c]
		} else if l, ok := slices.BinarySearch(levels, x[c]); ok {
			dst[at+l] = 1
		}
		at += max(1, len(levels))
	}
}

// EmbedSparse implements SparseEmbedding: a coordinate that is not listed is 0, which may be a
// level.
func (e Encoding) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	images := compute.NewSparse(e.Width(x.Cols), x.Rows, 0)
	row, image := make([]float64, x.Cols), make([]float64, images.Cols)
	for i := range x.Rows {
		columns, values := x.Row(i)
		for k, c := range columns {
			row[c] = values[k]
		}
		e.embedRow(image, row)
		for j, v := range image {
			if v != 0 {
				images.Append(int32(j), v)
			}
		}
		images.EndRow()
		for _, c := range columns {
			row[c] = 0
		}
	}
	return compute.SparsePoints(images), true
}

// Encoded parts an embedding that begins with the Encoding of a OneHot from what follows, nil
// for nothing.
func Encoded(by Embedding) (first Encoding, rest Embedding, ok bool) {
	switch by := by.(type) {
	case Encoding:
		return by, nil, true
	case Composed:
		first, rest, ok = Encoded(by.Inner)
		if rest == nil {
			return first, by.Outer, ok
		}
		return first, Composed{rest, by.Outer}, ok
	}
	return nil, by, false
}
