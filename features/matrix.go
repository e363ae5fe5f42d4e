package features

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
)

func rowOf(m blas64.General, i int) []float64 {
	return m.Data[i*m.Stride : i*m.Stride+m.Cols : i*m.Stride+m.Cols]
}

func checkSizes(dst, x blas64.General, dim, columns int) {
	if x.Cols != dim {
		panic(fmt.Sprintf("features: x has %d columns, want %d", x.Cols, dim))
	}
	if dst.Rows != x.Rows || dst.Cols != columns {
		panic(fmt.Sprintf("features: dst is %d×%d, want %d×%d", dst.Rows, dst.Cols, x.Rows, columns))
	}
}
