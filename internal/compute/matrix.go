package compute

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Matrix is a dense row-major matrix.
type Matrix = blas64.General

// Matrix32 is a dense row-major matrix in single precision.
type Matrix32 = blas32.General

// Rows returns rows [from, to) of m; it shares the data of m.
func Rows(m Matrix, from, to int) Matrix {
	return Matrix{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : max(from*m.Stride, (to-1)*m.Stride+m.Cols)]}
}

// Columns returns columns [from, to) of m; it shares the data of m.
func Columns(m Matrix, from, to int) Matrix {
	if from == to || m.Rows == 0 {
		return Matrix{Rows: m.Rows, Cols: to - from, Stride: m.Stride}
	}
	return Matrix{Rows: m.Rows, Cols: to - from, Stride: m.Stride, Data: m.Data[from : (m.Rows-1)*m.Stride+to]}
}

// Block returns rows [r0, r1) and columns [c0, c1) of m; it shares the data of m.
func Block(m Matrix, r0, r1, c0, c1 int) Matrix { return Columns(Rows(m, r0, r1), c0, c1) }

// Row returns row i of m. It shares the data of m, but its capacity ends with the row,
// so append does not overwrite the next one.
func Row(m Matrix, i int) []float64 {
	if m.Cols == 0 {
		return nil // a matrix without columns need not have data
	}
	return m.Data[i*m.Stride : i*m.Stride+m.Cols : i*m.Stride+m.Cols]
}

// RowVector returns row i of m as a blas64.Vector; it shares the data of m.
func RowVector(m Matrix, i int) blas64.Vector { return Vector(Row(m, i)) }

// Column returns column j of m as a blas64.Vector; it shares the data of m.
func Column(m Matrix, j int) blas64.Vector {
	return blas64.Vector{N: m.Rows, Inc: m.Stride, Data: m.Data[j:]}
}

// Vector returns v as a blas64.Vector; it shares the data of v.
func Vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

// ColumnOf returns v as a matrix with one column; it shares the data of v.
func ColumnOf(v []float64) Matrix { return Matrix{Rows: len(v), Cols: 1, Stride: 1, Data: v} }

// RowOf returns v as a matrix with one row; it shares the data of v.
func RowOf(v []float64) Matrix {
	return Matrix{Rows: 1, Cols: len(v), Stride: max(len(v), 1), Data: v}
}

// Dense returns m as a *mat.Dense; it shares the data of m.
func Dense(m Matrix) *mat.Dense {
	d := new(mat.Dense)
	d.SetRawMatrix(m)
	return d
}

// NewMatrix returns an r×c zero matrix.
func NewMatrix(r, c int) Matrix {
	return Matrix{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}

// NewMatrix32 returns an r×c zero matrix.
func NewMatrix32(r, c int) Matrix32 {
	return Matrix32{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float32, r*c)}
}

// Resize returns a slice of n arbitrary elements. It reuses the memory of s if the
// capacity suffices.
func Resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// Reshape changes m to an r×c matrix of arbitrary elements. It reuses the memory of m if the capacity suffices.
func Reshape(m *Matrix, r, c int) Matrix {
	*m = Matrix{Rows: r, Cols: c, Stride: c, Data: Resize(m.Data, r*c)}
	return *m
}

// Allocate returns an r×c matrix of arbitrary elements in pooled memory. The caller must
// call free when it is done with m.
func Allocate(r, c int) (m Matrix, free func()) {
	b := use64.buffer(r * c)
	return Matrix{Rows: r, Cols: c, Stride: c, Data: b.data}, b.free
}

// ReshapeZero is Reshape with all elements set to zero.
func ReshapeZero(m *Matrix, r, c int) Matrix {
	Reshape(m, r, c)
	clear(m.Data)
	return *m
}

// Clone returns a copy of m with Stride equal to Cols.
func Clone(m Matrix) Matrix {
	c := NewMatrix(m.Rows, m.Cols)
	CopyTo(c, m)
	return c
}

// CopyTo copies src to dst, which must have the same size.
func CopyTo(dst, src Matrix) {
	if n := src.Rows * src.Cols; src.Stride == src.Cols && dst.Stride == dst.Cols {
		copy(dst.Data[:n], src.Data[:n])
		return
	}
	for i := range src.Rows {
		copy(Row(dst, i), Row(src, i))
	}
}

// Contiguous returns the elements of m row by row. It shares the data of m if Stride
// equals Cols, and returns a copy otherwise.
func Contiguous(m Matrix) []float64 {
	if m.Stride == m.Cols {
		return m.Data[:m.Rows*m.Cols]
	}
	return Clone(m).Data
}

// Pick returns a copy of the rows of m with the given indices, in that order.
func Pick(m Matrix, rows []int) Matrix {
	p := NewMatrix(len(rows), m.Cols)
	PickTo(p, m, rows)
	return p
}

// PickTo copies the rows of m with the given indices to dst, in that order.
func PickTo(dst, m Matrix, rows []int) {
	for to, from := range rows {
		copy(Row(dst, to), Row(m, from))
	}
}

// PickOf returns the elements of v with the given indices, or nil if v is nil.
func PickOf[T any](v []T, rows []int) []T {
	if v == nil {
		return nil
	}
	list := make([]T, len(rows))
	for i, row := range rows {
		list[i] = v[row]
	}
	return list
}

// Stack returns the rows of a followed by the rows of b. Both must have the same number
// of columns.
func Stack(a, b Matrix) Matrix {
	s := NewMatrix(a.Rows+b.Rows, a.Cols)
	CopyTo(Rows(s, 0, a.Rows), a)
	CopyTo(Rows(s, a.Rows, s.Rows), b)
	return s
}

// Transpose returns a copy of mᵀ.
func Transpose(m Matrix) Matrix {
	t := NewMatrix(m.Cols, m.Rows)
	TransposeTo(t, m)
	return t
}

// TransposeTo sets dst to srcᵀ in tiles that fit in the L1 cache.
func TransposeTo(dst, src Matrix) {
	const side = 16
	for i0 := 0; i0 < dst.Rows; i0 += side {
		for j0 := 0; j0 < dst.Cols; j0 += side {
			for i := i0; i < min(i0+side, dst.Rows); i++ {
				row := Row(dst, i)
				for j := j0; j < min(j0+side, dst.Cols); j++ {
					row[j] = src.Data[j*src.Stride+i]
				}
			}
		}
	}
}

// Mirror copies the upper triangle of a square matrix to the lower triangle.
func Mirror(m Matrix) {
	for i0 := 0; i0 < m.Rows; i0 += mirrorTile {
		for j0 := 0; j0 <= i0; j0 += mirrorTile {
			for i := i0; i < min(i0+mirrorTile, m.Rows); i++ {
				row := Row(m, i)
				for j := j0; j < min(j0+mirrorTile, i); j++ {
					row[j] = m.Data[j*m.Stride+i]
				}
			}
		}
	}
}

// mirrorTile is the side of a tile that fits in the L1 cache.
const mirrorTile = 16

// MirrorLower copies the lower triangle of a square matrix to the upper triangle.
func MirrorLower(m Matrix, workers int) {
	Parallel(ceil(m.Rows, mirrorTile), workersFor(m.Rows*m.Rows, workers), func(tile int) {
		i0 := tile * mirrorTile
		for j0 := i0; j0 < m.Rows; j0 += mirrorTile {
			for i := i0; i < min(i0+mirrorTile, m.Rows); i++ {
				row := Row(m, i)
				for j := max(i+1, j0); j < min(j0+mirrorTile, m.Rows); j++ {
					row[j] = m.Data[j*m.Stride+i]
				}
			}
		}
	})
}

// Trace returns the sum of the diagonal of a square matrix.
func Trace(m Matrix) float64 {
	sum := 0.0
	for i := range m.Rows {
		sum += m.Data[i*m.Stride+i]
	}
	return sum
}

// Zero sets all elements of m to zero.
func Zero(m Matrix) { of64(m).clear() }

// AddRow adds v to every row of m.
func AddRow(m Matrix, v []float64) {
	for i := range m.Rows {
		floats.Add(Row(m, i), v)
	}
}

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return v-v == 0 }

// AllFinite reports whether all elements of m are finite.
func AllFinite(m Matrix) bool {
	for i := range m.Rows {
		for _, v := range Row(m, i) {
			if !Finite(v) {
				return false
			}
		}
	}
	return true
}

// A float is an element type.
type float interface{ float32 | float64 }

// A matrix is a Matrix of either precision.
type matrix[T float] struct {
	rows, cols, stride int
	data               []T
}

func of64(m Matrix) matrix[float64]   { return matrix[float64]{m.Rows, m.Cols, m.Stride, m.Data} }
func of32(m Matrix32) matrix[float32] { return matrix[float32]{m.Rows, m.Cols, m.Stride, m.Data} }

// row returns columns [from, to) of row i.
func (m matrix[T]) row(i, from, to int) []T {
	if from == to {
		return nil // a matrix without columns need not have data
	}
	return m.data[i*m.stride+from : i*m.stride+to]
}

// block returns rows [r0, r1) and columns [c0, c1).
func (m matrix[T]) block(r0, r1, c0, c1 int) matrix[T] {
	if r0 == r1 || c0 == c1 {
		return matrix[T]{rows: r1 - r0, cols: c1 - c0, stride: m.stride}
	}
	return matrix[T]{r1 - r0, c1 - c0, m.stride, m.data[r0*m.stride+c0 : (r1-1)*m.stride+c1]}
}

func (m matrix[T]) clear() {
	for i := range m.rows {
		clear(m.row(i, 0, m.cols))
	}
}
