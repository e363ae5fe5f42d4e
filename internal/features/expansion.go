package features

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Expansion is a function of explicit features, with q outputs,
//
//	f_o(x) = Σ_b <φ_b(x), a_bo>
//
// with φ_b the blocks 0, 1, … of Map, and a_bo column o of Coefficients[b]. It is for
// features what kernel.Expansion is for kernels. Without blocks it is the zero function. An
// Expansion is a value whose matrices are never written; it is safe for concurrent use.
type Expansion struct {
	Map Map
	// Options make Map again by New, from its Kernel and Dim.
	Options Options
	// Coefficients has a matrix for each block, Map.Columns()×q.
	Coefficients []*mat.Dense
}

// ModelOrder returns the number of blocks.
func (f Expansion) ModelOrder() int { return len(f.Coefficients) }

// Dims returns the number of columns of x and of outputs; 0 and 1 for the zero function.
func (f Expansion) Dims() (inputs, outputs int) {
	if len(f.Coefficients) == 0 {
		return 0, 1
	}
	_, outputs = f.Coefficients[0].Dims()
	return f.Map.Dim(), outputs
}

// Predict returns f(x), n×q for n rows; a column of zeros for the zero function. Errors wrap
// rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·Columns·(d + q))
// for each block, which it draws again.
func (f Expansion) Predict(x mat.Matrix) (*mat.Dense, error) {
	rows, err := door.Points("features", "x", x)
	if err != nil {
		return nil, err
	}
	inputs, outputs := f.Dims()
	dst := mat.NewDense(rows.Rows, outputs, nil)
	if len(f.Coefficients) == 0 {
		return dst, nil
	}
	if rows.Cols != inputs {
		return nil, fmt.Errorf("features: x has %d columns, want %d: %w", rows.Cols, inputs, rkhs.ErrShape)
	}
	if err := gram.Check(f.Map.Kernel(), rows); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	for b, a := range f.Coefficients {
		if r, c := a.Dims(); r != f.Map.Columns() || c != outputs {
			return nil, fmt.Errorf("features: Coefficients[%d] of an Expansion is %d×%d, want %d×%d: %w", b, r, c, f.Map.Columns(), outputs, rkhs.ErrShape)
		}
		block := f.Map.Block(uint64(b))
		eachPart(dst.RawMatrix(), rows, productRows, func(dst compute.Matrix, x compute.Points) {
			z, memory := borrowMatrix(x.Rows, f.Map.Columns())
			defer giveBack(memory)
			TransformPoints(block, z, x)
			compute.MulNN(dst, z, a.RawMatrix(), f.Options.Workers)
		})
	}
	return dst, nil
}
