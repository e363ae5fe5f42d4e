// Package expansion constructs and evaluates functions Σ_j k(·, p_j)·w_j for valid rows.
package expansion

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// Of returns the function of the given points, m×d, and weights, m×q, in their memory. It is zero for m = 0.
func Of(k kernel.Kernel, points compute.Points, weights compute.Matrix) kernel.Expansion {
	if points.Rows == 0 {
		return kernel.Expansion{Kernel: k}
	}
	f := kernel.Expansion{Kernel: k, Points: input.Matrix(points), Weights: new(mat.Dense)}
	f.Weights.SetRawMatrix(weights)
	return f
}

// Points returns the points of f in the memory of f. The zero function has no rows.
func Points(f kernel.Expansion) compute.Points { return input.RawOrNone(f.Points) }

// Weights returns the weights of f in the memory of f. The zero function has no rows.
func Weights(f kernel.Expansion) compute.Matrix {
	if f.Weights == nil {
		return compute.Matrix{Stride: 1}
	}
	return f.Weights.RawMatrix()
}

// Fits reports whether f has the given numbers of inputs and outputs. The zero function has any.
func Fits(f kernel.Expansion, inputs, outputs int) bool {
	d, q := f.Dims()
	return f.ModelOrder() == 0 || d == inputs && q == outputs
}

// AddTo adds f(x), n×q, to dst. The result has the same bits for any number of workers; 0 means GOMAXPROCS.
// O(n·m·(d + q)).
func AddTo(dst compute.Matrix, f kernel.Expansion, x compute.Points, workers int) {
	if f.ModelOrder() > 0 {
		gram.Evaluator{Kernel: f.Kernel, Workers: workers}.AddMul(dst, x, Points(f), Weights(f))
	}
}

// RowFunction prepares f for single rows. Its points must not change any more.
func RowFunction(f kernel.Expansion) *gram.RowFunction {
	return gram.NewRowFunction(f.Kernel, Points(f), Weights(f))
}

// Encode writes f.
func Encode(e *codec.Encoder, f kernel.Expansion) error { return e.Nested(f.MarshalBinary()) }

// Decode reads the output of Encode.
func Decode(d *codec.Decoder) kernel.Expansion {
	return codec.Nested(d, func(data []byte) (f kernel.Expansion, err error) {
		err = f.UnmarshalBinary(data)
		return f, err
	})
}
