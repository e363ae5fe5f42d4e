package revisit

import (
	"fmt"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/loss"
)

// Problem defines the objective and the resources of a Solver.
type Problem struct {
	Package string // the prefix of errors

	X     compute.Points // all rows
	Risk  *descent.Risk  // of all rows of X
	Order []int          // training rows, then held-out rows
	Train int            // number of training rows

	Function *blocks.Function // zero, with the features of the solution
	Ridge    float64          // nu, the weight of the squared norm

	// Joint enables one step for all blocks, if its matrix fits the memory.
	Joint bool
	// Single allows features in single precision.
	Single bool
	// Converge continues to the minimum up to rounding. Every other pass then runs backwards, and
	// two passes of visits follow each joint step to remove rounding errors.
	Converge bool

	// Features is the least number of features that the memory must hold, or 0 for one block.
	Features               int
	CacheSize, MemoryLimit int64
	Workers                int
	Stopped                func() bool // called several times a second
}

// copies is the maximum number of copies of the scores and of the coefficients in memory. They are
// current values, changes of the history, and snapshots.
const copies = 6 + historyLength

// single reports whether features are in single precision.
func (p *Problem) single() bool {
	if p.X.Sparse != nil {
		return p.Single && !p.Joint && features.ServesSingleRows(p.Function.Block(0))
	}
	return p.Single && (!p.Joint || p.singleGram()) && blocks.ServesSingle(p.Function.Block(0), p.X, p.Function.Map.Columns())
}

// singleGram reports whether a joint step may use a Gram matrix in single precision. A Tolerance
// excludes it.
func (p *Problem) singleGram() bool {
	if p.Converge || loss.Kinked(p.Risk.Loss()) {
		return false
	}
	noise := p.Ridge * p.Risk.Total() / (loss.StepCurvature(p.Risk.Loss()) * p.Risk.Weights.Most())
	return blocks.ServesSingleGram(p.Function.Map.Kernel(), p.X, noise, p.Workers)
}

// spare returns the bytes for optional caches, or rkhs.ErrMemory.
func (p *Problem) spare(single bool) (int64, error) {
	columns, n, q := p.Function.Map.Columns(), len(p.Order), p.Function.Outputs
	size := int64(8)
	if single {
		size = 4
	}
	given := descent.RoundUp(max(p.Features, columns), columns)
	used := LeastBytes(p.X, n, q, columns, given, size, p.CacheSize)
	name := fmt.Sprintf("%d features in blocks of %d at %d rows of %d columns and %d outputs", given, columns, n, p.X.Cols, q)
	return max(0, Sparing(p.X, p.MemoryLimit)-used), input.Memory(p.Package, name, float64(used), p.MemoryLimit)
}

// Sparing returns the part of a limit that a fit may plan with. Sparse rows leave a quarter for
// memory that is not yet garbage collected.
func Sparing(x compute.Points, limit int64) int64 {
	if x.Sparse != nil {
		return limit - limit/4
	}
	return limit
}

// LeastBytes returns the least memory of a solver for a number of rows of x, outputs, columns of a
// block and features. An element has size bytes, and a block at most cache bytes.
func LeastBytes(x compute.Points, rows, outputs, columns, features int, size, cache int64) int64 {
	n, q, m := int64(rows), int64(outputs), int64(columns)
	held, block := size*n*int64(x.PerRow()), size*n*m
	if x.Sparse != nil {
		held = n*(elementBytes*int64(x.PerRow())+rowBytes) + workBytes
		block = size * n * int64(descent.RoundUp(columns, paddedColumns))
		if size == 8 {
			block += block / 2 // sums, in the memory of features in single precision
		}
	}
	return held + 8*n*q*copies + min(cache, block) + 3*8*m*m + 8*int64(features)*q*copies
}

// paddedColumns is the least number of features of sparse rows that sums reserve.
const paddedColumns = 256

// A sparse element is stored with its column, and a row with its start and the progress of its sums.
// workBytes is for drawn columns and packed products.
const elementBytes, rowBytes, workBytes = 12, 20, 1 << 22

// CheckMemory returns rkhs.ErrMemory if the problem exceeds the memory even in single precision.
func (p *Problem) CheckMemory() error {
	_, err := p.spare(true)
	return err
}

// jointBytes returns the size of a joint.
func (p *Problem) jointBytes() int64 {
	n, m := int64(len(p.Order)), int64(p.Function.Map.Columns())
	return 8 * n * (2*n + max(m, (n+m)/2)) // features, or these and a sum in single precision
}

// IsJoint reports whether steps are joint: requested and within the memory.
func (p *Problem) IsJoint() bool {
	spare, err := p.spare(p.single())
	return err == nil && p.Joint && p.jointBytes() <= spare
}

// design returns the features of a block at the rows in order.
func (p *Problem) design(single bool) *blocks.Design {
	of, columns := blocks.NewDouble, p.Function.Map.Columns()
	switch {
	case single && p.X.Sparse != nil:
		return blocks.NewSparse(p.X, p.Order, p.Train, p.Function.Block(0), columns, p.Workers, p.CacheSize)
	case single:
		of = blocks.NewSingle
	}
	return of(p.X, p.Order, p.Train, columns, p.Workers, p.CacheSize)
}
