package testutil

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// kind is a way to hold a matrix.
type kind struct {
	name string
	of   func(*mat.Dense) mat.Matrix
}

// kinds are the ways in which a caller may hold the same numbers.
var kinds = []kind{
	{"Dense", func(m *mat.Dense) mat.Matrix { return m }},
	{"strided", strided},
	{"Transpose", transposed},
	{"transposed slice", func(m *mat.Dense) mat.Matrix { return strided(mat.DenseCopyOf(m.T())).T() }},
	{"VecDense", vector},
	{"no raw access", func(m *mat.Dense) mat.Matrix { return opaque{m} }},
}

// strided returns a slice of a larger matrix whose other elements are NaN.
func strided(m *mat.Dense) mat.Matrix {
	r, c := m.Dims()
	large := constant(r+3, c+5, math.NaN())
	s := large.Slice(2, 2+r, 3, 3+c).(*mat.Dense)
	s.Copy(m)
	return s
}

func transposed(m *mat.Dense) mat.Matrix { return mat.DenseCopyOf(m.T()).T() }

// vector returns a vector with gaps, or m if it has several columns.
func vector(m *mat.Dense) mat.Matrix {
	n, c := m.Dims()
	if c > 1 {
		return m
	}
	wide := constant(n, 3, math.NaN())
	wide.SetCol(1, mat.Col(nil, 0, m))
	return wide.ColView(1)
}

// opaque is a matrix that offers no more than it must.
type opaque struct{ m *mat.Dense }

func (o opaque) Dims() (r, c int)    { return o.m.Dims() }
func (o opaque) At(i, j int) float64 { return o.m.At(i, j) }
func (o opaque) T() mat.Matrix       { return mat.Transpose{Matrix: o} }
