package blocks

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
)

// sparseChunk is a chunk of sparse rows in single precision.
type sparseChunk struct {
	singleChunk
	rows func(from, to int) *features.Rows
	at   int // the first of the rows at hand
	held *features.Rows
}

// NewSparse returns the design of sparse rows of x in the given order, with a cut at row first, for blocks
// like one of which features.ServesSingleRows is true. Products are those of NewSingle.
func NewSparse(x compute.Points, order []int, first int, like features.Block, columns, workers int, budget int64) *Design {
	s := &singleScratch{gram: compute.NewMatrix32(columns, columns), workers: workers}
	rows := func(from, to int) *features.Rows { return features.NewRows(like, x, order[from:to], workers) }
	d := newDesign(len(order), first, columns, true, budget, func(int) Chunk {
		return &sparseChunk{singleChunk: singleChunk{singleScratch: s}, rows: rows}
	})
	if len(d.chunks) > 1 {
		// What a block draws for a column serves the rows of all chunks.
		all := features.NewRows(like, x, order, workers)
		d.loadAll = func(b features.Block) {
			z := all.Single(b, columns)
			for c, k := range d.chunks {
				from, to := d.Span(c)
				k.(*sparseChunk).z = rows32(z, from, to)
			}
		}
	}
	return d
}

func (k *sparseChunk) load(b features.Block, from, to int) {
	if k.held == nil || k.at != from {
		k.at, k.held = from, k.rows(from, to)
	}
	k.z = k.held.Single(b, k.gram.Cols)
}

// rows32 returns rows [from, to) of m, which share its memory.
func rows32(m compute.Matrix32, from, to int) compute.Matrix32 {
	return compute.Matrix32{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : (to-1)*m.Stride+m.Cols]}
}
