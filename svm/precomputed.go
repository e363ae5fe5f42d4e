package svm

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// precomputed is the kernel of a Gram matrix. Its points are the numbers of the rows; columns are
// the columns of these rows.
type precomputed struct {
	gram    compute.Matrix
	columns []int
}

func (k precomputed) Eval(x, y []float64) float64 {
	return compute.Row(k.gram, int(x[0]))[k.columns[int(y[0])]]
}

func (k precomputed) Block(dst, x, z compute.Matrix) {
	for i := range x.Rows {
		from, to := compute.Row(k.gram, int(x.Data[i*x.Stride])), compute.Row(dst, i)
		for j := range to {
			to[j] = from[k.columns[int(z.Data[j*z.Stride])]]
		}
	}
}

func (k precomputed) Diag(dst []float64, x compute.Matrix) {
	for i := range dst {
		dst[i] = k.Eval(compute.Row(x, i), compute.Row(x, i))
	}
}

// numbers returns the numbers of n rows as points.
func numbers(n int) compute.Points {
	m := compute.NewMatrix(n, 1)
	for i := range m.Data {
		m.Data[i] = float64(i)
	}
	return compute.DensePoints(m)
}

// checkGram returns an error unless x has the given rows of the Gram matrix of n rows. Values may
// differ by rounding, in single precision too.
func checkGram(x compute.Matrix, rows []int, n int) error {
	const rounding = 1e-5
	if x.Cols != n {
		return fmt.Errorf("svm: x is %d×%d, want a square of Precomputed kernel values: %w", n, x.Cols, rkhs.ErrShape)
	}
	for t, i := range rows {
		if d := compute.Row(x, t)[i]; d < 0 {
			return fmt.Errorf("svm: x is Precomputed and the kernel of row %d with itself is %v: %w", i, d, rkhs.ErrDomain)
		}
		for u, j := range rows[:t] {
			a, b := compute.Row(x, t)[j], compute.Row(x, u)[i]
			if math.Abs(a-b) > rounding*(math.Abs(a)+math.Sqrt(compute.Row(x, t)[i])*math.Sqrt(compute.Row(x, u)[j])) {
				return fmt.Errorf("svm: x is Precomputed and not symmetric: %v at row %d, column %d, and %v transposed: %w", a, i, j, b, rkhs.ErrDomain)
			}
		}
	}
	return nil
}

// units returns unit vectors of n columns. Their inner products with a row of kernel values are the
// values in the given columns.
func units(columns []int, n int) compute.Points {
	s := compute.NewSparse(n, len(columns), len(columns))
	for _, j := range columns {
		s.Append(int32(j), 1)
		s.EndRow()
	}
	return compute.SparsePoints(s)
}
