package blocks

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// doubleChunk is a chunk in double precision.
type doubleChunk struct {
	x       compute.Points // all rows, n×d
	memory  compute.Matrix
	z       compute.Matrix // the rows in use of memory
	workers int
}

// NewDouble returns the design of the rows of x in the given order, with a
// cut at row first.
func NewDouble(x compute.Points, order []int, first, columns, workers int, budget int64) *Design {
	rows := x.Pick(order)
	return newDesign(len(order), first, columns, false, budget, func(n int) Chunk {
		return &doubleChunk{x: rows, memory: compute.NewMatrix(n, columns), workers: workers}
	})
}

func (k *doubleChunk) load(b features.Block, from, to int) {
	k.z = compute.Rows(k.memory, 0, to-from)
	features.TransformPoints(b, k.z, k.x.Between(from, to))
}

func (k *doubleChunk) AddGram(c compute.Matrix, weights compute.Weights) {
	compute.AddWeighedGram(c, k.z, weights, k.workers)
}

func (k *doubleChunk) AddTransposed(c, r compute.Matrix) { compute.MulTN(c, r, k.z, k.workers) }

func (k *doubleChunk) AddTo(f, a compute.Matrix) { compute.MulNN(f, k.z, a, k.workers) }
