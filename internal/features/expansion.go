package features

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Expansion is a function of explicit features, with q outputs,
//
//	f_o(x) = Σ_b <φ_b(x), a_bo>
//
// where φ_b are the blocks 0, 1, … of Map and a_bo is column o of Coefficients[b]. Without blocks it is
// the zero function. Its matrices are never written. It is safe for concurrent use.
type Expansion struct {
	Map Map
	// Options are the arguments of New that give Map, with its Kernel and Dim.
	Options Options
	// Coefficients has one matrix for each block, Map.Columns()×q.
	Coefficients []*mat.Dense
}

// ModelOrder returns the number of blocks.
func (f Expansion) ModelOrder() int { return len(f.Coefficients) }

// Dims returns the numbers of columns of x and of outputs, 0 and 1 for the zero function.
func (f Expansion) Dims() (inputs, outputs int) {
	if len(f.Coefficients) == 0 || f.Map == nil {
		return 0, 1
	}
	_, outputs = f.Coefficients[0].Dims()
	return f.Map.Dim(), outputs
}

// Predict returns f(x), n×q, or a column of zeros for the zero function. It draws each block again. Errors
// wrap rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain. O(n·Columns·(d + q)) per block.
func (f Expansion) Predict(x mat.Matrix) (*mat.Dense, error) {
	rows, err := input.Points("features", "x", x)
	if err != nil {
		return nil, err
	}
	inputs, outputs := f.Dims()
	dst := mat.NewDense(rows.Rows, outputs, nil)
	if len(f.Coefficients) == 0 {
		return dst, nil
	}
	if f.Map == nil {
		return nil, fmt.Errorf("features: an Expansion has coefficients and no Map: %w", rkhs.ErrUnfitted)
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
			z, memory := allocateMatrix(x.Rows, f.Map.Columns())
			defer release(memory)
			TransformPoints(block, z, x)
			compute.MulNN(dst, z, a.RawMatrix(), f.Options.Workers)
		})
	}
	return dst, nil
}
