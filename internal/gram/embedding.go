package gram

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Embedding is a map e of points, R^d to R^D.
type Embedding interface {
	// Width returns D.
	Width(d int) int
	// EmbedTo sets the rows of dst, n×D, to e of the rows of x, n×d. The arguments may have any stride. A row of the
	// result depends only on its row of x. workers bounds the goroutines; 0 means GOMAXPROCS.
	EmbedTo(dst, x compute.Matrix, workers int)
}

// LinearEmbedding is an Embedding that reports whether it is a linear map. The images of the unit vectors are then
// its matrix.
type LinearEmbedding interface {
	Embedding
	Linear() bool
}

// SparseEmbedding is an Embedding that may map sparse rows directly.
type SparseEmbedding interface {
	// EmbedSparse returns e(x), dense or sparse, or false if x must be made dense first.
	EmbedSparse(x *compute.Sparse, workers int) (images compute.Points, ok bool)
}

// valueEmbedding is an Embedding that maps zeros to zeros: it changes the listed values of sparse rows in place.
type valueEmbedding interface {
	embedValues(values []float64, columns []int32)
}

// EmbedPoints returns e(x), which is x for a nil e. It returns false if x is sparse and e maps dense rows only.
func EmbedPoints(e Embedding, x compute.Points, workers int) (images compute.Points, ok bool) {
	if e == nil {
		return x, true
	}
	if x.Sparse == nil {
		return compute.DensePoints(embed(e, x.Matrix, workers)), true
	}
	if s, ok := e.(SparseEmbedding); ok {
		return s.EmbedSparse(x.Sparse, workers)
	}
	return compute.Points{}, false
}

// embedBriefly is EmbedPoints in memory from a pool, which free returns.
func embedBriefly(e Embedding, x compute.Points, workers int) (images compute.Points, free func(), ok bool) {
	if v, changes := e.(valueEmbedding); changes && x.Sparse != nil {
		m, free := x.Sparse.MapBriefly(v.embedValues)
		return compute.SparsePoints(m), free, true
	}
	images, ok = EmbedPoints(e, x, workers)
	return images, func() {}, ok
}

// embed returns e(x), which is x for a nil e.
func embed(e Embedding, x compute.Matrix, workers int) compute.Matrix {
	if e == nil {
		return x
	}
	out := compute.NewMatrix(x.Rows, e.Width(x.Cols))
	e.EmbedTo(out, x, workers)
	return out
}

// EmbedRow sets dst to e(x) of a single row. It does not allocate for the embeddings of ARD, Projected and OneHot.
func EmbedRow(e Embedding, dst, x []float64) {
	if of, ok := e.(interface{ embedRow(dst, x []float64) }); ok {
		of.embedRow(dst, x)
		return
	}
	e.EmbedTo(compute.RowOf(dst), compute.RowOf(x), 1)
}

func embedRows(row func(dst, x []float64), dst, x compute.Matrix, workers int) {
	eachTile(x.Rows, workers, func(from, to int) {
		for i := from; i < to; i++ {
			row(compute.Row(dst, i), compute.Row(x, i))
		}
	})
}

// RowEmbedding is an Embedding given by a function of a row.
type RowEmbedding struct {
	// Map sets dst = e(x).
	Map func(dst, x []float64)
	// Columns returns D. Nil means D = d.
	Columns func(d int) int
}

// Width implements Embedding.
func (e RowEmbedding) Width(d int) int {
	if e.Columns == nil {
		return d
	}
	return e.Columns(d)
}

// EmbedTo implements Embedding.
func (e RowEmbedding) EmbedTo(dst, x compute.Matrix, workers int) { embedRows(e.Map, dst, x, workers) }

func (e RowEmbedding) embedRow(dst, x []float64) { e.Map(dst, x) }

// composed is Outer(Inner(x)).
type composed struct{ Inner, Outer Embedding }

// Compose returns outer(inner(x)). A nil outer is the identity.
func Compose(inner, outer Embedding) Embedding {
	if outer == nil {
		return inner
	}
	return composed{inner, outer}
}

// Width implements Embedding.
func (c composed) Width(d int) int { return c.Outer.Width(c.Inner.Width(d)) }

// EmbedTo implements Embedding.
func (c composed) EmbedTo(dst, x compute.Matrix, workers int) {
	c.Outer.EmbedTo(dst, embed(c.Inner, x, workers), workers)
}

// Linear implements LinearEmbedding.
func (c composed) Linear() bool { return linear(c.Inner) && linear(c.Outer) }

func linear(e Embedding) bool {
	l, ok := e.(LinearEmbedding)
	return ok && l.Linear()
}

// Roots is the Embedding that maps each coordinate to its square root.
type Roots struct{}

// Width implements Embedding.
func (Roots) Width(d int) int { return d }

// EmbedTo implements Embedding.
func (Roots) EmbedTo(dst, x compute.Matrix, workers int) { embedRows(roots, dst, x, workers) }

// EmbedSparse implements SparseEmbedding.
func (e Roots) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	return compute.SparsePoints(x.Map(e.embedValues)), true
}

func (Roots) embedRow(dst, x []float64)               { roots(dst, x) }
func (Roots) embedValues(values []float64, _ []int32) { roots(values, values) }

func roots(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Sqrt(v)
	}
}

// Division is the Embedding of ARD. It divides each coordinate by its own number.
type Division []float64

// Width implements Embedding.
func (Division) Width(d int) int { return d }

// EmbedTo implements Embedding.
func (e Division) EmbedTo(dst, x compute.Matrix, workers int) { embedRows(e.embedRow, dst, x, workers) }

// Linear implements LinearEmbedding.
func (Division) Linear() bool { return true }

// EmbedSparse implements SparseEmbedding.
func (e Division) EmbedSparse(x *compute.Sparse, _ int) (compute.Points, bool) {
	return compute.SparsePoints(x.Map(e.embedValues)), true
}

func (e Division) embedRow(dst, x []float64) { floats.DivTo(dst, x, e) }

func (e Division) embedValues(values []float64, columns []int32) {
	for k, j := range columns {
		values[k] /= e[j]
	}
}

// Projection is the Embedding of Projected. It multiplies points by a matrix.
type Projection struct{ *mat.Dense }

// Width implements Embedding.
func (p Projection) Width(int) int { return p.RawMatrix().Rows }

// EmbedTo implements Embedding.
func (p Projection) EmbedTo(dst, x compute.Matrix, workers int) {
	compute.Zero(dst)
	compute.MulNT(dst, x, p.RawMatrix(), workers)
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

func (p Projection) embedRow(dst, x []float64) {
	l := p.RawMatrix()
	for i := range dst {
		dst[i] = Dot(compute.Row(l, i), x)
	}
}

// Encoding is the Embedding of OneHot. It holds the levels of each coordinate.
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
func (e Encoding) EmbedTo(dst, x compute.Matrix, workers int) { embedRows(e.embedRow, dst, x, workers) }

// EmbedSparse implements SparseEmbedding. A coordinate that is not listed is 0, which may be a level.
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

// Leading splits an embedding with a leading Encoding or Warping into first and rest. rest is nil for the identity.
func Leading(by Embedding) (first, rest Embedding, ok bool) {
	switch by := by.(type) {
	case Encoding, Warping:
		return by, nil, true
	case composed:
		first, rest, ok = Leading(by.Inner)
		if rest == nil {
			return first, by.Outer, ok
		}
		return first, composed{rest, by.Outer}, ok
	}
	return nil, by, false
}

// lowRankMap maps x to the vector of base(x, p_m)·factors[m].
type lowRankMap struct {
	base    Engine
	points  side
	factors []float64
}

// LowRank returns the map of x to the vector of base(x, p_m)·√(weights[m]/base(p_m, p_m)).
func LowRank(base Kernel, points compute.Matrix, weights []float64) Embedding {
	e := engineOf(base)
	f := Diagonal(base, points)
	for m, v := range f {
		f[m] = math.Sqrt(weights[m] / v)
	}
	return lowRankMap{e, e.prepare(points, 0), f}
}

// Diagonal returns k(x_i, x_i). It processes few rows at a time, because a LowRank needs the features of these rows.
func Diagonal(k Kernel, x compute.Matrix) []float64 {
	const few = 16
	e := engineOf(k)
	d := make([]float64, x.Rows)
	for i := 0; i < x.Rows; i += few {
		to := min(i+few, x.Rows)
		e.diag(d[i:to], compute.Rows(x, i, to))
	}
	return d
}

// Width implements Embedding.
func (l lowRankMap) Width(int) int { return len(l.factors) }

// EmbedTo implements Embedding.
func (l lowRankMap) EmbedTo(dst, x compute.Matrix, workers int) {
	eachTile(x.Rows, workers, func(from, to int) {
		rows := compute.Rows(dst, from, to)
		tiles(l.base, rows, l.base.prepare(compute.Rows(x, from, to), 1), l.points, 0)
		for i := range rows.Rows {
			floats.Mul(compute.Row(rows, i), l.factors)
		}
	})
}
