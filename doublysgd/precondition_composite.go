package doublysgd

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// composite is a function of centres and of random features,
//
//	f(x) = k(x, C)·β + Σ_b Z_b(x)·A_b.
type composite struct {
	e       *expansion
	points  compute.Matrix // C, q×d
	weights compute.Matrix // β, q×k
}

// uncentred returns the function of random features alone.
func uncentred(e *expansion) *composite {
	return &composite{e: e, points: compute.NewMatrix(0, e.m.Dim()), weights: compute.NewMatrix(0, e.outputs)}
}

func (f *composite) kernel() kernel.Kernel { return f.e.m.Kernel() }

// predict returns f(x) for rows that have not passed the door.
func (f *composite) predict(x mat.Matrix) (compute.Matrix, error) {
	rows, err := rowsFor(f.kernel(), f.e.m.Dim(), "x", x)
	if err != nil {
		return compute.Matrix{}, err
	}
	v := compute.NewMatrix(rows.Rows, f.e.outputs)
	kernel.Evaluator{Kernel: f.kernel(), Workers: f.e.options.Workers}.Mul(v, rows, f.points, f.weights)
	f.e.addTo(v, rows)
	return v, nil
}

// check returns rkhs.ErrDiverged if a coefficient is not a finite number.
func (f *composite) check() error {
	for _, v := range f.weights.Data {
		if !finite(v) {
			return fmt.Errorf("doublysgd: the weight of a centre is %v: %w", v, rkhs.ErrDiverged)
		}
	}
	return f.e.check()
}

func (f *composite) encode(c *codec.Encoder) error {
	c.Matrix(f.points)
	c.Matrix(f.weights)
	return f.e.encode(c)
}

func decodeComposite(d *codec.Decoder) *composite {
	f := &composite{points: d.Matrix(), weights: d.Matrix(), e: decodeExpansion(d, defaultCache)}
	if d.Err() != nil {
		return f
	}
	if f.points.Cols != f.e.m.Dim() || f.weights.Rows != f.points.Rows || f.weights.Cols != f.e.outputs || f.e.mean != nil {
		d.Fail("%d centres of %d columns, %d×%d weights", f.points.Rows, f.points.Cols, f.weights.Rows, f.weights.Cols)
		return f
	}
	if err := kernel.Check(f.kernel(), f.points); err != nil {
		d.Fail("centres: %v", err)
	}
	return f
}
