package doublysgd

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// kernelSum is the function f(x) = k(x, C)·β of points C.
type kernelSum struct {
	of      kernel.Evaluator
	points  compute.Matrix // C, q×d
	weights compute.Matrix // β, q×k
}

// predict returns f(x) for rows that have not passed the door.
func (f *kernelSum) predict(x mat.Matrix) (compute.Matrix, error) {
	rows, err := rowsFor(f.of.Kernel, f.points.Cols, "x", x)
	if err != nil {
		return compute.Matrix{}, err
	}
	v := compute.NewMatrix(rows.Rows, f.weights.Cols)
	f.of.Mul(v, rows, f.points, f.weights)
	return v, nil
}

// rowsFor lets rows for a kernel of d inputs pass the door.
func rowsFor(k kernel.Kernel, d int, name string, x mat.Matrix) (compute.Matrix, error) {
	rows, err := door.View("doublysgd", name, x)
	if err != nil {
		return rows, err
	}
	if rows.Cols != d {
		return rows, fmt.Errorf("doublysgd: %s has %d columns, want %d: %w", name, rows.Cols, d, rkhs.ErrShape)
	}
	if err := kernel.Check(k, rows); err != nil {
		return rows, fmt.Errorf("doublysgd: %w", err)
	}
	return rows, nil
}

// check returns rkhs.ErrDiverged if a weight is not a finite number.
func (f *kernelSum) check() error {
	for _, v := range f.weights.Data {
		if !finite(v) {
			return fmt.Errorf("doublysgd: a weight of k(x, ·) is %v: %w", v, rkhs.ErrDiverged)
		}
	}
	return nil
}

func (f *kernelSum) encode(c *codec.Encoder) error {
	if err := c.Nested(kernel.Marshal(f.of.Kernel)); err != nil {
		return err
	}
	c.Matrix(f.points)
	c.Matrix(f.weights)
	return nil
}

func decodeKernelSum(d *codec.Decoder) kernelSum {
	f := kernelSum{of: kernel.Evaluator{Kernel: codec.Nested(d, kernel.Unmarshal)}, points: d.Matrix(), weights: d.Matrix()}
	if d.Err() != nil {
		return f
	}
	if f.points.Rows < 1 || f.points.Cols < 1 || f.weights.Rows != f.points.Rows || f.weights.Cols < 1 {
		d.Fail("%d×%d points, %d×%d weights", f.points.Rows, f.points.Cols, f.weights.Rows, f.weights.Cols)
		return f
	}
	if err := kernel.Check(f.of.Kernel, f.points); err != nil {
		d.Fail("points: %v", err)
	}
	return f
}
