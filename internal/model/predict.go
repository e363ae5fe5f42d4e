// Package model implements the common parts of models and classifiers: prediction, sums of kernel
// expansions with their file format, labels and probabilities.
package model

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// A Function is the function f of a model.
type Function interface {
	// Dims returns the numbers of inputs d and of outputs q. q is 0 before a fit.
	Dims() (inputs, outputs int)
	// Accepts returns an error if f is not defined on the rows, which are finite with d columns.
	Accepts(x compute.Points) error
	// EvalTo sets dst, n×q, to f(x) for accepted rows.
	EvalTo(dst compute.Matrix, x compute.Points) error
}

// Eval validates x and returns f(x), n×q. Errors begin with pkg and wrap rkhs.ErrUnfitted, rkhs.ErrShape,
// rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
func Eval(pkg string, f Function, x mat.Matrix) (compute.Matrix, error) {
	rows, err := Rows(pkg, "x", f, x)
	if err != nil {
		return compute.Matrix{}, err
	}
	_, outputs := f.Dims()
	out := compute.NewMatrix(rows.Rows, outputs)
	return out, f.EvalTo(out, rows)
}

// Rows validates the rows of a matrix for f. It ignores their weights.
func Rows(pkg, name string, f Function, x mat.Matrix) (compute.Points, error) {
	if err := Fitted(pkg, "use", f); err != nil {
		return compute.Points{}, err
	}
	inputs, _ := f.Dims()
	rows, err := input.Points(pkg, name, input.Unweighted(x))
	if err != nil {
		return compute.Points{}, err
	}
	if rows.Cols != inputs {
		return compute.Points{}, fmt.Errorf("%s: %s has %d columns, want %d: %w", pkg, name, rows.Cols, inputs, rkhs.ErrShape)
	}
	if err := f.Accepts(rows); err != nil {
		return compute.Points{}, fmt.Errorf("%s: %w", pkg, err)
	}
	return rows, nil
}

// Fitted returns an error if f has no outputs. method is the called method.
func Fitted(pkg, method string, f Function) error {
	_, outputs := f.Dims()
	return input.Fitted(pkg, method, outputs > 0)
}

// Predict is Eval with a *mat.Dense as its result.
func Predict(pkg string, f Function, x mat.Matrix) (*mat.Dense, error) {
	return dense(Eval(pkg, f, x))
}

// PredictTo is Predict into dst, which must be n×q or empty.
func PredictTo(pkg string, f Function, dst *mat.Dense, x mat.Matrix) error {
	return store(pkg, dst)(Eval(pkg, f, x))
}

// Interval returns lower and upper bounds of f(x), n×q, with the given coverage, between 0 and 1. Errors wrap
// rkhs.ErrNoCalibration without intervals, and rkhs.ErrOption for a coverage above v.Highest.
func Interval(pkg string, v *calibrate.Intervals, f Function, x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error) {
	if err := Fitted(pkg, "use", f); err != nil {
		return nil, nil, err
	}
	if err := input.Coverage(pkg, coverage); err != nil {
		return nil, nil, err
	}
	if !v.Fitted() {
		return nil, nil, fmt.Errorf("%s: there are no intervals: %w", pkg, rkhs.ErrNoCalibration)
	}
	rows, err := Rows(pkg, "x", f, x)
	if err != nil {
		return nil, nil, err
	}
	_, outputs := f.Dims()
	values := compute.NewMatrix(rows.Rows, outputs)
	if err := f.EvalTo(values, rows); err != nil {
		return nil, nil, err
	}
	high := compute.NewMatrix(values.Rows, values.Cols)
	if err := v.To(values, high, values, rows, coverage); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", pkg, err)
	}
	return mat.NewDense(values.Rows, values.Cols, values.Data), mat.NewDense(high.Rows, high.Cols, high.Data), nil
}

func dense(m compute.Matrix, err error) (*mat.Dense, error) {
	if err != nil {
		return nil, err
	}
	return mat.NewDense(m.Rows, m.Cols, m.Data), nil
}

// store returns a function that stores its argument in dst.
func store(pkg string, dst *mat.Dense) func(compute.Matrix, error) error {
	return func(m compute.Matrix, err error) error {
		if err != nil {
			return err
		}
		return input.Store(pkg, dst, m)
	}
}
