package blocks

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Average is the average of the iterates of a Function, with weight t for iterate t. It needs a
// second set of coefficients and O(1) per step: with A_b = s·α_b for the running scale s, and S =
// Σ_t t·s_t,
//
//	Σ_t t·A_b(t) = S·α_b − β_b.
//
// A step that increases α_b by δ increases β_b by S·δ.
type Average struct {
	Steps  int     // t
	sum    float64 // S since the scale was last folded
	Weight float64 // Σ_t t
	Blocks []compute.Matrix
}

func (a *Average) grow(f *Function) {
	if a != nil {
		a.Blocks = append(a.Blocks, compute.NewMatrix(f.Map.Columns(), f.Outputs))
	}
}

func (a *Average) added(f *Function, b int, step compute.Matrix) {
	if a != nil {
		blas64.Axpy(a.sum/f.Scale, compute.Vector(step.Data), compute.Vector(a.Blocks[b].Data))
	}
}

// fold moves S·α_b into β_b before f folds its scale.
func (a *Average) fold(f *Function) {
	if a == nil {
		return
	}
	for b, block := range f.Blocks {
		blas64.Axpy(-a.sum, compute.Vector(block.Data), compute.Vector(a.Blocks[b].Data))
	}
	a.sum = 0
}

// Tick adds the current iterate of f.
func (a *Average) Tick(f *Function) {
	a.Steps++
	a.sum += float64(a.Steps) * f.Scale
	a.Weight += float64(a.Steps)
}

func (a *Average) clone() *Average {
	if a == nil {
		return nil
	}
	c := *a
	c.Blocks = make([]compute.Matrix, len(a.Blocks))
	for b, block := range a.Blocks {
		c.Blocks[b] = compute.Clone(block)
	}
	return &c
}
