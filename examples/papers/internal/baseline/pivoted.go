package baseline

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// pivotedCholesky returns L (n×r) and the pivots, with K ≈ L·Lᵀ. The diagonal of the residual is
// at most tol. Each step selects the largest pivot. It costs O(n·r·(d + r)).
func pivotedCholesky(k kernel.Kernel, x *mat.Dense, tol float64) (l *mat.Dense, pivots []int) {
	n, _ := x.Dims()
	e := gram.Evaluator{Kernel: k}
	left := make([]float64, n)
	e.Diag(left, x.RawMatrix())
	var columns [][]float64
	for len(pivots) < n {
		p := floats.MaxIdx(left)
		if left[p] <= tol {
			break
		}
		c := make([]float64, n)
		e.Cross(matrix(n, 1, c), x.RawMatrix(), x.Slice(p, p+1, 0, x.RawMatrix().Cols).(*mat.Dense).RawMatrix())
		for _, before := range columns {
			floats.AddScaled(c, -before[p], before)
		}
		floats.Scale(1/math.Sqrt(left[p]), c)
		for i, v := range c {
			left[i] = max(0, left[i]-v*v)
		}
		left[p] = 0
		columns, pivots = append(columns, c), append(pivots, p)
	}
	l = mat.NewDense(n, len(columns), nil)
	for j, c := range columns {
		l.SetCol(j, c)
	}
	return l, pivots
}
