package svm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// precomputed is the kernel of rows of a Gram matrix, on points that are their numbers; the
// columns of these rows are listed.
type precomputed struct {
	gram    compute.Matrix
	columns []int
}

func (k precomputed) Eval(x, y []float64) float64 {
	return compute.Row(k.gram, int(x[0]))[k.columns[int(y[0])]]
}

func (k precomputed) Block(dst, x, z blas64.General) {
	for i := range x.Rows {
		from, to := compute.Row(k.gram, int(x.Data[i*x.Stride])), compute.Row(dst, i)
		for j := range to {
			to[j] = from[k.columns[int(z.Data[j*z.Stride])]]
		}
	}
}

func (k precomputed) Diag(dst []float64, x blas64.General) {
	for i := range dst {
		dst[i] = k.Eval(compute.Row(x, i), compute.Row(x, i))
	}
}

// numbers returns points that are the numbers of n rows.
func numbers(n int) compute.Points {
	m := compute.NewMatrix(n, 1)
	for i := range m.Data {
		m.Data[i] = float64(i)
	}
	return compute.DensePoints(m)
}

// roughly is far above the rounding errors of two ways to compute a value of a kernel, in
// single precision too.
const roughly = 1e-5

// checkGram refuses rows x, with the given numbers, of what is not the Gram matrix of n rows.
func checkGram(x compute.Matrix, rows []int, n int) error {
	if x.Cols != n {
		return fmt.Errorf("svm: x is %d×%d, want a square of the values of the kernel as it is Precomputed: %w", n, x.Cols, rkhs.ErrShape)
	}
	for t, i := range rows {
		if d := compute.Row(x, t)[i]; d < 0 {
			return fmt.Errorf("svm: x is Precomputed and %v at row %d of its diagonal, which is no kernel of a row with itself: %w", d, i, rkhs.ErrDomain)
		}
		for u, j := range rows[:t] {
			a, b := compute.Row(x, t)[j], compute.Row(x, u)[i]
			if math.Abs(a-b) > roughly*(math.Abs(a)+math.Sqrt(compute.Row(x, t)[i])*math.Sqrt(compute.Row(x, u)[j])) {
				return fmt.Errorf("svm: x is Precomputed and not symmetric: %v at row %d, column %d, and %v where these are exchanged: %w", a, i, j, b, rkhs.ErrDomain)
			}
		}
	}
	return nil
}

// units returns rows of n columns that are 1 in the columns given: a value of the kernel of
// a row is then its inner product with one of these.
func units(columns []int, n int) compute.Points {
	s := compute.NewSparse(n, len(columns), len(columns))
	for _, j := range columns {
		s.Append(int32(j), 1)
		s.EndRow()
	}
	return compute.SparsePoints(s)
}
