package features

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
)

// Expansion is a function of explicit features with q outputs,
//
//	f_o(x) = Σ_b <φ_b(x), a_bo>,
//
// where φ_b are the blocks 0, 1, … of Map, and a_bo is column o of Coefficients[b]. It corresponds to
// kernel.Expansion. Without blocks it is the zero function. Its methods do not write the matrices and
// are safe for concurrent use.
type Expansion struct {
	Map *Map
	// Options make Map again by New, from its Kernel and Dim.
	Options Options
	// Coefficients has a matrix for each block, Map.Columns()×q.
	Coefficients []*mat.Dense
}

func (f Expansion) engine() features.Expansion {
	return features.Expansion{Map: f.Map.engine(), Options: f.Options.engine(), Coefficients: f.Coefficients}
}

// ModelOrder returns the number of blocks.
func (f Expansion) ModelOrder() int { return len(f.Coefficients) }

// Dims returns the number of columns of x and of outputs; 0 and 1 for the zero function.
func (f Expansion) Dims() (inputs, outputs int) { return f.engine().Dims() }

// Predict returns f(x), n×q for n rows; a column of zeros for the zero function. It draws each block
// again. Errors wrap rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite and rkhs.ErrDomain.
// O(n·Columns·(d + q)) for each block.
func (f Expansion) Predict(x mat.Matrix) (*mat.Dense, error) { return f.engine().Predict(x) }
