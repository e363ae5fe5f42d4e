package gram

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Embedding is a map e of points, R^d to R^D.
type Embedding interface {
	// Width returns D.
	Width(d int) int
	// EmbedTo sets the rows of dst, n×D, to e of the rows of x, n×d. The arguments may
	// have any stride, and a row of the result does not depend on the rows beside it.
	// workers bounds the goroutines; 0 means GOMAXPROCS.
	EmbedTo(dst, x blas64.General, workers int)
}

// LinearEmbedding is an Embedding that tells whether it is a linear map, so that its matrix
// is known by the images of the unit vectors.
type LinearEmbedding interface {
	Embedding
	Linear() bool
}

// linear reports whether e is known to be a linear map.
func linear(e Embedding) bool {
	l, ok := e.(LinearEmbedding)
	return ok && l.Linear()
}

// RowEmbedding is the embedding that maps a row x to dst, of the same length.
type RowEmbedding func(dst, x []float64)

func (e RowEmbedding) Width(d int) int { return d }

func (e RowEmbedding) EmbedTo(dst, x blas64.General, workers int) {
	eachTile(x.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			e(compute.Row(dst, i), compute.Row(x, i))
		}
	})
}

// RowsEmbedding is the embedding that maps a row x to dst, of the given number of columns.
type RowsEmbedding struct {
	Columns int
	Map     func(dst, x []float64)
}

func (e RowsEmbedding) Width(int) int { return e.Columns }

func (e RowsEmbedding) EmbedTo(dst, x blas64.General, workers int) {
	RowEmbedding(e.Map).EmbedTo(dst, x, workers)
}

func (e RowsEmbedding) embedRow(dst, x []float64) { e.Map(dst, x) }

// Doubling maps a row x to dst, of twice its length.
type Doubling func(dst, x []float64)

func (Doubling) Width(d int) int { return 2 * d }

func (e Doubling) EmbedTo(dst, x blas64.General, workers int) {
	RowEmbedding(e).EmbedTo(dst, x, workers)
}

// Elementwise maps each coordinate by f.
func Elementwise(f func(float64) float64) RowEmbedding {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

// Composed is Outer(Inner(x)).
type Composed struct{ Inner, Outer Embedding }

func (c Composed) Width(d int) int { return c.Outer.Width(c.Inner.Width(d)) }

func (c Composed) EmbedTo(dst, x blas64.General, workers int) {
	c.Outer.EmbedTo(dst, embed(c.Inner, x, workers), workers)
}

// Linear implements LinearEmbedding.
func (c Composed) Linear() bool { return linear(c.Inner) && linear(c.Outer) }

// embed returns e(x), which is x itself for nil.
func embed(e Embedding, x blas64.General, workers int) blas64.General {
	if e == nil {
		return x
	}
	out := compute.NewMatrix(x.Rows, e.Width(x.Cols))
	e.EmbedTo(out, x, workers)
	return out
}

func widthOf(e Embedding, d int) int {
	if e == nil {
		return d
	}
	return e.Width(d)
}

// Logarithms maps x to log(x + c).
func Logarithms(c float64) RowEmbedding {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = v + c
		}
		compute.Log(dst, dst)
	}
}

// Roots is the Embedding that maps each coordinate to its square root.
type Roots struct{}

func (Roots) Width(d int) int { return d }

func (Roots) EmbedTo(dst, x blas64.General, workers int) {
	RowEmbedding(roots).EmbedTo(dst, x, workers)
}

// EmbedSparse implements SparseEmbedding.
func (Roots) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	return compute.SparsePoints(x.Map(Roots{}.embedValues)), true
}

func (Roots) embedValues(values []float64, _ []int32) { roots(values, values) }

func roots(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Sqrt(v)
	}
}

// EmbedRow sets dst to e(x) of a single row. It does not allocate for those of this module that
// ARD, Projected, OneHot and functions of a coordinate are.
func EmbedRow(e Embedding, dst, x []float64) {
	if of, ok := e.(interface{ embedRow(dst, x []float64) }); ok {
		of.embedRow(dst, x)
		return
	}
	e.EmbedTo(compute.RowOf(dst), compute.RowOf(x), 1)
}

func (e RowEmbedding) embedRow(dst, x []float64) { e(dst, x) }
func (e Doubling) embedRow(dst, x []float64)     { e(dst, x) }
