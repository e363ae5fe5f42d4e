package blocks

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
)

// doubleChunk is a chunk in double precision.
type doubleChunk struct {
	pick    func() compute.Points // all rows, n×d
	rows    int                   // of memory, which the first load makes
	columns int
	memory  compute.Matrix
	z       compute.Matrix // the rows in use of memory
	workers int
}

// NewDouble returns the design of the rows of x in the given order, with a
// cut at row first.
func NewDouble(x compute.Points, order []int, first, columns, workers int, budget int64) *Design {
	pick := sync.OnceValue(func() compute.Points { return x.Pick(order) })
	d := newDesign(len(order), first, columns, false, budget, func(n int) Chunk {
		return &doubleChunk{pick: pick, rows: n, columns: columns, workers: workers}
	})
	if len(d.chunks) > 1 && x.Sparse != nil {
		// What a block draws for a column serves the rows of all chunks.
		all := compute.NewMatrix(len(order), columns)
		for c, k := range d.chunks {
			from, to := d.Span(c)
			k.(*doubleChunk).z = compute.Rows(all, from, to)
		}
		var rows *features.Rows
		d.loadAll = func(b features.Block) {
			if rows == nil {
				rows = features.NewRows(b, x, order, workers)
			}
			rows.TransformTo(b, all)
		}
	}
	return d
}

func (k *doubleChunk) load(b features.Block, from, to int) {
	if k.memory.Data == nil {
		k.memory = compute.NewMatrix(k.rows, k.columns)
	}
	k.z = compute.Rows(k.memory, 0, to-from)
	features.TransformPoints(b, k.z, k.pick().Between(from, to))
}

func (k *doubleChunk) AddGram(c compute.Matrix, weights compute.Weights) {
	compute.AddWeighedGram(c, k.z, weights, k.workers)
}

func (k *doubleChunk) AddTransposed(c, r compute.Matrix) { compute.MulTN(c, r, k.z, k.workers) }

func (k *doubleChunk) AddTo(f, a compute.Matrix) { compute.MulNN(f, k.z, a, k.workers) }
