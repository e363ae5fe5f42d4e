// Package model is what the models and classifiers of all learners are made of: the
// one way in and out of Predict, functions of a space with their file, and labels.
package model

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// A Function is what a model evaluates.
type Function interface {
	// Dims returns the number of inputs d and of outputs q; of a function that was
	// not fitted q is 0.
	Dims() (inputs, outputs int)
	// Accepts refuses rows, finite and of d columns, on which the function is not
	// defined.
	Accepts(x compute.Points) error
	// EvalTo sets dst, n×q, to f(x) of rows that it accepts.
	EvalTo(dst compute.Matrix, x compute.Points) error
}

// Eval returns f(x), n×q, for rows that have not passed the door. Errors begin with
// the name of the package and wrap rkhs.ErrUnfitted, rkhs.ErrShape, rkhs.ErrEmpty,
// rkhs.ErrNotFinite and rkhs.ErrDomain.
func Eval(pkg string, f Function, x mat.Matrix) (compute.Matrix, error) {
	rows, err := Rows(pkg, "x", f, x)
	if err != nil {
		return compute.Matrix{}, err
	}
	_, outputs := f.Dims()
	out := compute.NewMatrix(rows.Rows, outputs)
	return out, f.EvalTo(out, rows)
}

// Rows returns the rows of a matrix that f accepts, whatever their weights.
func Rows(pkg, name string, f Function, x mat.Matrix) (compute.Points, error) {
	if err := Fitted(pkg, "use", f); err != nil {
		return compute.Points{}, err
	}
	inputs, _ := f.Dims()
	rows, err := door.Points(pkg, name, door.Unweighted(x))
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

// Fitted refuses a method of what has no function.
func Fitted(pkg, method string, f Function) error {
	_, outputs := f.Dims()
	return door.Fitted(pkg, method, outputs > 0)
}

// Predict is Eval with a matrix of package mat.
func Predict(pkg string, f Function, x mat.Matrix) (*mat.Dense, error) {
	return dense(Eval(pkg, f, x))
}

// PredictTo is Predict into dst, which must be n×q or empty.
func PredictTo(pkg string, f Function, dst *mat.Dense, x mat.Matrix) error {
	return store(pkg, dst)(Eval(pkg, f, x))
}

// Interval returns the ends of intervals of f(x), n×q, of a level between 0 and 1. Without
// intervals the error wraps rkhs.ErrUncalibrated, and rkhs.ErrOption for a level beyond what
// they can tell.
func Interval(pkg string, v *calibrate.Intervals, f Function, x mat.Matrix, level float64) (lower, upper *mat.Dense, err error) {
	if err := Fitted(pkg, "use", f); err != nil {
		return nil, nil, err
	}
	if err := door.Level(pkg, level); err != nil {
		return nil, nil, err
	}
	if !v.Fitted() {
		return nil, nil, fmt.Errorf("%s: there are no intervals: %w", pkg, rkhs.ErrUncalibrated)
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
	if err := v.To(values, high, values, rows, level); err != nil {
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
		return door.Store(pkg, dst, m)
	}
}
