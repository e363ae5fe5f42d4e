package gram

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Symmetric is the Gram matrix of some rows in single precision, for products of which half
// of its values are computed, and none is stored.
type Symmetric struct {
	matrix  *compute.Symmetric
	gain    float64
	workers int
}

// Symmetric prepares products with the Gram matrix of x, n×d, for a kernel that has a form
// in single precision (see SinglePrecision), and returns nil for others.
func (e Evaluator) Symmetric(x blas64.General) *Symmetric {
	e, x = e.Mapped(x)
	gain, of := 1.0, EngineOf(e.Kernel).single()
	for {
		scale, ok := of.(scaleEngine)
		if !ok {
			break
		}
		gain, of = gain*scale.by, scale.of
	}
	single, ok := of.(singleEngine)
	if !ok {
		return nil
	}
	s := single.scaled(x, x)
	rows := s.narrow(x, s.left, e.Workers)
	// The matrix keeps the rows: they do not go back to the pool.
	return &Symmetric{compute.NewSymmetric(rows.matrix, s.f, e.Workers), gain * s.gain, e.Workers}
}

// AddMul adds K·W to dst, both n×q, and returns false where it is stopped, which it asks
// some times a second. Values of K are good to about 1e-6 of the largest; sums over more
// than some hundred rows are in double precision. O(n²·(d/2 + q)).
func (s *Symmetric) AddMul(dst, w blas64.General, stopped func() bool) bool {
	return s.matrix.AddMul(dst, w, s.gain, stopped, s.workers)
}
