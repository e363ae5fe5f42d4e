// Package ridge is exact kernel ridge regression, a reference for the examples. It factors the
// Gram matrix, in O(n³) time and O(n²) memory for n rows.
package ridge

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/kernel"
)

// Model is the function f(x) = Σ_i w_i·k(x, x_i) + intercept.
type Model struct {
	kernel    kernel.Kernel
	points    *mat.Dense
	weights   *mat.VecDense
	intercept float64
}

// Fit minimises lam·‖f‖² + Σ_i (y_i − f(x_i))² over the RKHS of k by solving w = (K + lam·I)⁻¹y.
// It keeps a reference to x (n×d). lam must be positive. Fit returns an error if K + lam·I is not
// positive definite.
func Fit(k kernel.Kernel, x *mat.Dense, y []float64, lam float64) (*Model, error) {
	var a mat.SymDense
	if err := kernel.Gram(&a, k, x); err != nil {
		return nil, err
	}
	addDiagonal(&a, lam)
	var factor mat.Cholesky
	if !factor.Factorize(&a) {
		return nil, errors.New("ridge: K + lam·I is not positive definite to working precision")
	}
	w := mat.NewVecDense(len(y), nil)
	if err := factor.SolveVecTo(w, mat.NewVecDense(len(y), y)); err != nil {
		return nil, err
	}
	return &Model{kernel: k, points: x, weights: w}, nil
}

// FitCentred subtracts the mean of y, calls Fit, and uses the mean as intercept.
func FitCentred(k kernel.Kernel, x *mat.Dense, y []float64, lam float64) (*Model, error) {
	centred, mean := centre(y)
	m, err := Fit(k, x, centred, lam)
	if err != nil {
		return nil, err
	}
	m.intercept = mean
	return m, nil
}

// Predict returns f at each row of x.
func (m *Model) Predict(x mat.Matrix) ([]float64, error) {
	var f mat.Dense
	if err := kernel.Mul(&f, m.kernel, x, m.points, m.weights); err != nil {
		return nil, err
	}
	out := mat.Col(nil, 0, &f)
	for i := range out {
		out[i] += m.intercept
	}
	return out, nil
}

func addDiagonal(a *mat.SymDense, lam float64) {
	for i := range a.SymmetricDim() {
		a.SetSym(i, i, a.At(i, i)+lam)
	}
}

func centre(y []float64) (centred []float64, mean float64) {
	for _, v := range y {
		mean += v / float64(len(y))
	}
	centred = make([]float64, len(y))
	for i, v := range y {
		centred[i] = v - mean
	}
	return centred, mean
}
