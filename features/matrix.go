package features

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
)

func rowOf(m blas64.General, i int) []float64 {
	if m.Cols == 0 {
		return nil // such a matrix need not have data
	}
	return m.Data[i*m.Stride : i*m.Stride+m.Cols : i*m.Stride+m.Cols]
}

// columnsOf returns columns [from, to) of m; it shares the data of m.
func columnsOf(m blas64.General, from, to int) blas64.General {
	c := blas64.General{Rows: m.Rows, Cols: to - from, Stride: m.Stride}
	if m.Rows > 0 && from < to {
		c.Data = m.Data[from : (m.Rows-1)*m.Stride+to]
	}
	return c
}

func checkSizes(dst, x blas64.General, dim, columns int) {
	if x.Cols != dim {
		panic(fmt.Sprintf("features: x has %d columns, want %d", x.Cols, dim))
	}
	if dst.Rows != x.Rows || dst.Cols != columns {
		panic(fmt.Sprintf("features: dst is %d×%d, want %d×%d", dst.Rows, dst.Cols, x.Rows, columns))
	}
}

// total sums in order: that of gonum takes another one where it has assembly.
func total(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
