package model

import (
	"fmt"
	"sync"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// A RowFunction is a Function that evaluates single rows without allocation.
type RowFunction interface {
	Function
	// AcceptsRow returns an error if a row of d numbers is not finite or f is not defined on it.
	AcceptsRow(x []float64) error
	// EvalRow sets dst, of q numbers, to f(x) for an accepted row.
	EvalRow(dst, x []float64) error
}

// PredictRow sets dst, of q numbers, to f(x). Errors wrap the errors of Eval, or rkhs.ErrShape for a dst of
// another length.
func PredictRow[F RowFunction](pkg string, f F, dst, x []float64) error {
	if err := checkRow(pkg, f, x); err != nil {
		return err
	}
	if _, q := f.Dims(); len(dst) != q {
		return fmt.Errorf("%s: dst has %d numbers, want %d: %w", pkg, len(dst), q, rkhs.ErrShape)
	}
	return f.EvalRow(dst, x)
}

// checkRow validates a row for f.
func checkRow[F RowFunction](pkg string, f F, x []float64) error {
	d, q := f.Dims()
	if err := input.Fitted(pkg, "use", q > 0); err != nil {
		return err
	}
	if len(x) != d {
		return fmt.Errorf("%s: x has %d numbers, want %d: %w", pkg, len(x), d, rkhs.ErrShape)
	}
	if err := f.AcceptsRow(x); err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	return nil
}

// scores is scratch memory of PredictRowLabel.
var scores = sync.Pool{New: func() any { return new([]float64) }}

// PredictRowLabel sets dst, of one number, to the label of the scores f(x).
func PredictRowLabel[F RowFunction](pkg string, l Labels, f F, dst, x []float64) error {
	if err := checkRow(pkg, f, x); err != nil {
		return err
	}
	if len(dst) != 1 {
		return fmt.Errorf("%s: dst has %d numbers, want 1: %w", pkg, len(dst), rkhs.ErrShape)
	}
	_, q := f.Dims()
	s := scores.Get().(*[]float64)
	defer scores.Put(s)
	if cap(*s) < q {
		*s = make([]float64, q)
	}
	if err := f.EvalRow((*s)[:q], x); err != nil {
		return err
	}
	dst[0] = float64(l.Names[l.class((*s)[:q])])
	return nil
}
