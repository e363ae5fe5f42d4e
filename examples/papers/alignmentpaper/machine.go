package alignmentpaper

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// costs returns 10^−5, 10^−4.5, … 10^5.
func costs() []float64 {
	list := make([]float64, 21)
	for i := range list {
		list[i] = math.Pow(10, float64(i)/2-5)
	}
	return list
}

// machine trains a support vector machine for each C and selects the C with the fewest validation
// errors. Ties go to the smallest C.
func machine(ctx context.Context, k kernel.Kernel, d split) (outcome, error) {
	train, check, test := d.rows()
	e := gram.Evaluator{Kernel: k}
	gram := compute.NewMatrix(train.Rows, train.Rows)
	cross := compute.NewMatrix(check.Rows, train.Rows)
	e.Gram(gram, train)
	e.Cross(cross, check, train)
	list, err := svm.Path(ctx, table{gram}, compute.DensePoints(numbers(train.Rows)), d.train.Y, costs(), svm.Options{MaxIterations: 1000 * train.Rows})
	if err := severe(err); err != nil {
		return outcome{}, err
	}
	var best *svm.Solution
	fewest := math.Inf(1)
	f := make([]float64, check.Rows)
	for _, s := range list {
		decision(f, s, cross)
		if p := percentWrong(f, d.check.Y); p < fewest {
			best, fewest = s, p
		}
	}
	f = make([]float64, test.Rows)
	best.Decision(f, k, compute.DensePoints(train), compute.DensePoints(test), 0)
	return outcome{k, percentWrong(f, d.test.Y)}, nil
}

// table is a precomputed kernel. Its points are row numbers.
type table struct{ gram blas64.General }

// Eval returns the entry for two row numbers.
func (t table) Eval(x, y []float64) float64 { return compute.Row(t.gram, int(x[0]))[int(y[0])] }

// numbers returns the row numbers 0 … n−1 as points of a table.
func numbers(n int) blas64.General {
	rows := compute.NewMatrix(n, 1)
	for i := range rows.Data {
		rows.Data[i] = float64(i)
	}
	return rows
}

// decision sets dst_j = f(z_j) + b for the matrix k(z_j, x_i).
func decision(dst []float64, s *svm.Solution, cross blas64.General) {
	blas64.Gemv(blas.NoTrans, 1, cross, compute.Vector(s.Beta), 0, compute.Vector(dst))
	floats.AddConst(s.Bias, dst)
}

// severe ignores rkhs.ErrNotConverged, because a C too large for the data may not converge.
func severe(err error) error {
	if errors.Is(err, rkhs.ErrNotConverged) {
		return nil
	}
	return err
}

// percentWrong returns the percentage of rows where the sign of f differs from y.
func percentWrong(f, y []float64) float64 {
	wrong := 0
	for i, v := range f {
		if v*y[i] <= 0 {
			wrong++
		}
	}
	return 100 * float64(wrong) / float64(len(y))
}
