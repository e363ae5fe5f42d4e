package testutil

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// weigh returns the rows, the targets and their weights.
func (f toy) weigh(x, y mat.Matrix) (rows, targets mat.Matrix, weights []float64, err error) {
	w, ok := x.(rkhs.Weighted)
	if p, pointer := x.(*rkhs.Weighted); pointer && p != nil && f.fault != "no pointers" {
		w, ok = *p, true
	}
	if !ok {
		return x, y, nil, nil
	}
	switch f.fault {
	case "ignores weights":
		return w.Matrix, y, nil, nil
	case "any weight":
		return w.Matrix, y, w.Weights, nil
	}
	p, err := input.WeighedPair("toy", input.Dense, x, y)
	if err != nil {
		return nil, nil, nil, err
	}
	large := floats.Max(p.Weights) > 100
	p.Weights = input.MeanOne(p.Weights)
	if large && f.fault == "scale of weights" {
		p.Weights[0] *= 1.01
	}
	xs, ys := new(mat.Dense), new(mat.Dense)
	xs.SetRawMatrix(p.X.Matrix)
	ys.SetRawMatrix(p.Y)
	return xs, ys, p.Weights, nil
}

// input checks and copies the data.
func (f toy) input(x, y mat.Matrix) (xs, ys *mat.Dense, err error) {
	switch f.fault {
	case "panics on nil":
		x.Dims()
	case "no prefix":
		if _, err := input.Rows("", "x", x); err != nil {
			return nil, nil, err
		}
	}
	if f.fault == "scans twice" {
		input.Check("toy", "x", x)
	}
	xs, err = f.rows("x", x)
	if err == nil {
		ys, err = f.rows("y", y)
	}
	if err != nil {
		return nil, nil, err
	}
	n, _ := xs.Dims()
	if r, _ := ys.Dims(); r != n {
		return nil, nil, fmt.Errorf("toy: x has %d rows, y has %d: %w", n, r, rkhs.ErrShape)
	}
	if n == 1 && f.fault == "bare error for one row" {
		return nil, nil, errors.New("toy: one row")
	}
	if f.labels != nil {
		err = f.signs(ys)
	}
	if err == nil && (outOfRange(xs) || outOfRange(ys)) && f.fault != "any range" {
		return nil, nil, fmt.Errorf("toy: squares are out of range: %w", rkhs.ErrDiverged)
	}
	return xs, ys, err
}

func outOfRange(m mat.Matrix) bool {
	most := max(mat.Max(m), -mat.Min(m))
	return most > 0 && (most > 0x1p440 || most < 0x1p-440)
}

func (f toy) rows(name string, m mat.Matrix) (*mat.Dense, error) {
	d, isDense := m.(*mat.Dense)
	switch {
	case f.fault == "accepts NaN" && d != nil && !d.IsEmpty():
		return mat.DenseCopyOf(d), nil
	case f.fault == "no row named" && d != nil && !d.IsEmpty() && math.IsNaN(mat.Sum(d)):
		return nil, fmt.Errorf("toy: %s: %w", name, rkhs.ErrNotFinite)
	}
	r, err := input.Rows("toy", name, m)
	if err != nil {
		return nil, err
	}
	if f.fault == "writes to y" && name == "y" && isDense {
		return d, nil
	}
	if f.fault == "stride ignored" && isDense {
		copy(r.Data, d.RawMatrix().Data)
	}
	return mat.NewDense(r.Rows, r.Cols, r.Data), nil
}

// signs replaces labels by −1 and 1.
func (f toy) signs(y *mat.Dense) error {
	_, index, err := input.Labels("toy", y.RawMatrix())
	switch {
	case f.fault == "any label":
		index = make([]int, y.RawMatrix().Rows)
		for i := range index {
			if y.At(i, 0) >= float64(f.labels[1]) {
				index[i] = 1
			}
		}
	case err != nil:
		return err
	}
	for i, k := range index {
		y.Set(i, 0, float64(2*k-1))
	}
	return nil
}
