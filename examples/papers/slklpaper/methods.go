package slklpaper

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/ridge"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

const (
	lam = 1
	nu  = 0.01
)

// gaussian returns the kernel exp(−‖x−z‖²/(2·sigma2)).
func gaussian(sigma2 float64) kernel.Kernel { return kernel.Gaussian{Sigma: math.Sqrt(sigma2)} }

// paperOptions returns the settings of the paper with the first m rows as landmarks.
func paperOptions(k kernel.Kernel, m int, seed uint64) *slkl.Options {
	o := optimumOptions(k, m)
	o.Order, o.Epsilon, o.Seed = slkl.UniformRandom, 1e-4, seed
	return o
}

// optimumOptions solve the same problem to the optimum.
func optimumOptions(k kernel.Kernel, m int) *slkl.Options {
	return &slkl.Options{Kernels: []kernel.Kernel{k}, Penalty: nu, Paper: slkl.Paper{PointRows: firstRows(m), Ridge: lam, NoIntercept: true}}
}

// interceptOptions add an intercept.
func interceptOptions(k kernel.Kernel, m int) *slkl.Options {
	o := optimumOptions(k, m)
	o.NoIntercept = false
	return o
}

func firstRows(m int) []int {
	rows := make([]int, m)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// sparse fits SLKL and returns its predictions for x and m0.
func sparse(ctx context.Context, train *dataset.Set, x *mat.Dense, o *slkl.Options) (f []float64, order int, err error) {
	m, err := slkl.Fit(ctx, train.X, mat.NewVecDense(len(train.Y), train.Y), o)
	if err != nil {
		return nil, 0, err
	}
	p, err := m.Predict(x)
	if err != nil {
		return nil, 0, err
	}
	return p.RawMatrix().Data, m.ModelOrder(), nil
}

// exact fits kernel ridge regression to the first m rows.
func exact(k kernel.Kernel, train *dataset.Set, m int, x *mat.Dense) ([]float64, error) {
	some := train.Select(firstRows(m))
	f, err := ridge.Fit(k, some.X, some.Y, lam)
	if err != nil {
		return nil, err
	}
	return f.Predict(x)
}

// uniform fits kernel ridge regression with the kernel of eq. (4), mu_m = 1/M and the first M rows
// as landmarks. By eq. (23) the weights of the columns are w = G·Cᵀy/lam with G = (D⁻¹ +
// CᵀC/lam)⁻¹. The kernel must be 1 on the diagonal.
func uniform(k kernel.Kernel, train *dataset.Set, m int, x *mat.Dense) ([]float64, error) {
	z := train.X.Slice(0, m, 0, train.X.RawMatrix().Cols)
	var c, f mat.Dense
	if err := kernel.Cross(&c, k, train.X, z); err != nil {
		return nil, err
	}
	var a mat.SymDense
	a.SymOuterK(1, c.T())
	for i := range m {
		a.SetSym(i, i, a.At(i, i)+lam*float64(m))
	}
	var factor mat.Cholesky
	if !factor.Factorize(&a) {
		return nil, fmt.Errorf("uniform weights: M·lam·I + CᵀC is not positive definite at M = %d", m)
	}
	var w mat.VecDense
	w.MulVec(c.T(), mat.NewVecDense(len(train.Y), train.Y))
	if err := factor.SolveVecTo(&w, &w); err != nil {
		return nil, err
	}
	if err := kernel.Mul(&f, k, x, z, &w); err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, &f), nil
}
