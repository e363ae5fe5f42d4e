package main

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
)

// ridge is exact kernel ridge regression on n rows,
//
//	f(x) = mean(y) + Σ_i w_i·k(x, x_i),   w = (K + lam·I)⁻¹(y − mean(y)),
//
// in O(n³) time and O(n²) memory.
type ridge struct {
	kernel.Expansion
	mean, lam   float64
	leaveOneOut float64 // leave-one-out mean squared error
}

// fitRidge selects the kernel and lam with the lowest leave-one-out error.
func fitRidge(kernels []kernel.Kernel, x, y *mat.Dense) (best ridge, err error) {
	n, _ := y.Dims()
	mean := mat.Sum(y) / float64(n)
	var centred mat.Dense
	centred.Apply(func(_, _ int, v float64) float64 { return v - mean }, y)
	best.leaveOneOut = math.Inf(1)
	for _, k := range kernels {
		var gram mat.SymDense
		if err := kernel.Gram(&gram, k, x); err != nil {
			return best, err
		}
		for _, lam := range []float64{1e-3, 1e-2, 1e-1, 1} {
			weights, leaveOneOut, err := solve(&gram, &centred, lam)
			if err != nil {
				return best, err
			}
			if leaveOneOut < best.leaveOneOut {
				best = ridge{kernel.Expansion{Kernel: k, Points: x, Weights: weights}, mean, lam, leaveOneOut}
			}
		}
	}
	return best, nil
}

// solve returns w, and the mean square of the leave-one-out residuals
// w_i/((K + lam·I)⁻¹)_ii.
func solve(gram *mat.SymDense, y *mat.Dense, lam float64) (w *mat.Dense, leaveOneOut float64, err error) {
	n, _ := y.Dims()
	a := mat.NewSymDense(n, nil)
	a.CopySym(gram)
	for i := range n {
		a.SetSym(i, i, a.At(i, i)+lam)
	}
	var factor mat.Cholesky
	if !factor.Factorize(a) {
		return nil, 0, errors.New("the kernel matrix is not positive definite to working precision")
	}
	var inverse mat.SymDense
	if err := factor.InverseTo(&inverse); err != nil {
		return nil, 0, err
	}
	w = new(mat.Dense)
	w.Mul(&inverse, y)
	for i := range n {
		residual := w.At(i, 0) / inverse.At(i, i)
		leaveOneOut += residual * residual / float64(n)
	}
	return w, leaveOneOut, nil
}

// predict returns f(x), n×1.
func (r ridge) predict(x mat.Matrix) (*mat.Dense, error) {
	f, err := r.Predict(x)
	if err != nil {
		return nil, err
	}
	f.Apply(func(_, _ int, v float64) float64 { return v + r.mean }, f)
	return f, nil
}
