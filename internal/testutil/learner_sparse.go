package testutil

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// sparseTask returns a task with two of three inputs zero.
func sparseTask(k task) task {
	for _, x := range []*mat.Dense{k.x, k.testX} {
		x.Apply(func(i, j int, v float64) float64 {
			if (i*7+j*3)%3 > 0 {
				return 0
			}
			return v
		}, x)
	}
	return k
}

// rowsOnly is a sparse matrix of another package.
type rowsOnly struct{ s *rkhs.Sparse }

func (m rowsOnly) Dims() (r, c int)                                { return m.s.Dims() }
func (m rowsOnly) At(i, j int) float64                             { return m.s.At(i, j) }
func (m rowsOnly) T() mat.Matrix                                   { return mat.Transpose{Matrix: m} }
func (m rowsOnly) DoRowNonZero(i int, f func(i, j int, v float64)) { m.s.DoRowNonZero(i, f) }

// onSparseRows converts the rows of every fit to sparse rows.
func (l Learner[O, M]) onSparseRows() Learner[O, M] {
	fit := l.Fit
	l.Fit = func(ctx context.Context, x, y mat.Matrix, opts *O) (M, error) { return fit(ctx, toSparse(x), y, opts) }
	return l
}

// toSparse returns the rows of m as sparse rows, with their weights. It returns m itself if m is
// sparse or has no rows to read.
func toSparse(m mat.Matrix) (rows mat.Matrix) {
	defer func() {
		if recover() != nil {
			rows = m
		}
	}()
	if input.IsSparse(m) {
		return m
	}
	switch w := m.(type) {
	case rkhs.Weighted:
		return rkhs.Weighted{Matrix: toSparse(w.Matrix), Weights: w.Weights}
	case *rkhs.Weighted:
		return &rkhs.Weighted{Matrix: toSparse(w.Matrix), Weights: w.Weights}
	}
	return Sparse(m)
}

// sparse compares predictions at sparse and at dense rows, and fits to both, up to the rounding of
// another order of summation. Fits are only comparable with a given kernel, because the default
// kernel depends on column scales of dense rows.
func (l Learner[O, M]) sparse(t testing.TB) {
	k := sparseTask(l.task())
	x, testX := Sparse(k.x), Sparse(k.testX)
	given := l.Kernel != nil
	options := func() *O {
		o := l.options()
		if given {
			l.Kernel(o, kernel.Gaussian{Sigma: 1.5})
		}
		return o
	}
	if _, err := l.Fit(context.Background(), k.x, k.y, options()); errors.Is(err, rkhs.ErrOption) {
		given = false // the other options need another kernel
	}
	dense := l.fitWith(t, k.x, k.y, options())
	want := scores(t, dense, k.testX)
	d := difference(scores(t, dense, testX), want)
	expect(t, d <= 1e-9, "predictions at sparse rows differ by %.3g", d)
	got := scores(t, l.fitWith(t, x, k.y, options()), testX)
	if given {
		d, tolerance := difference(got, want), max(l.SparseRounding, 1e-9)
		expect(t, d <= tolerance, "the fit to sparse rows differs by %.3g, want at most %.3g", d, tolerance)
	}
	other := scores(t, l.fitWith(t, rowsOnly{x}, k.y, options()), rowsOnly{testX})
	expect(t, identical(other, got), "sparse rows of another type give other bits")
	checkReload(t, l.scanOnce(t, "sparse rows", x, k.y, testX), l.Empty(), testX)
}
