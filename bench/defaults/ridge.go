package main

import (
	"errors"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

var errNoLabels = errors.New("takes no labels")

// targets returns the regression targets. For labels they are ±1 for each class against the rest.
func (t *table) targets() compute.Matrix {
	if t.labels == nil {
		return t.y
	}
	y := compute.NewMatrix(len(t.labels), t.classes)
	for i, l := range t.labels {
		for j := range t.classes {
			y.Data[i*t.classes+j] = -1
		}
		y.Data[i*t.classes+l] = 1
	}
	if t.classes == 2 {
		return compute.Clone(compute.Columns(y, 1, 2))
	}
	return y
}

// ridge returns the scores of kernel ridge regression with an unpenalised intercept b, from (K +
// noise·I)·a = y − b.
func ridge(k kernel.Kernel, noise float64, train, test *table) (compute.Matrix, error) {
	y, e := train.targets(), gram.Evaluator{Kernel: k}
	n, q := y.Rows, y.Cols
	u, b := compute.NewMatrix(n, n), compute.NewMatrix(n, q+1)
	e.Gram(u, train.x)
	for i := range n {
		u.Data[i*u.Stride+i] += noise
		copy(compute.Row(b, i), compute.Row(y, i))
		b.Data[i*b.Stride+q] = 1
	}
	if !compute.Cholesky(u, 0) {
		return compute.Matrix{}, rkhs.ErrDiverged
	}
	compute.SolveUpper(u, b, true, 0)
	compute.SolveUpper(u, b, false, 0)
	one := compute.Clone(compute.Columns(b, q, q+1))
	sum := 0.0
	for _, v := range one.Data {
		sum += v
	}
	a, constant := compute.Clone(compute.Columns(b, 0, q)), make([]float64, q)
	for j := range q {
		constant[j] = blas64.Dot(compute.Column(y, j), compute.Column(one, 0)) / sum
		blas64.Axpy(-constant[j], compute.Column(one, 0), compute.Column(a, j))
	}
	f := compute.NewMatrix(test.x.Rows, q)
	e.Mul(f, test.x, train.x, a)
	compute.AddRow(f, constant)
	return f, nil
}
