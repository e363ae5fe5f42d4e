package learn

import (
	"slices"

	"github.com/rkhs-go/rkhs/beam/rows"
)

// gather buffers rows up to a block, since kernels are computed in blocks and batches may
// have a single row.
type gather struct {
	shape   shape
	parts   []rows.Batch
	numbers []uint64
	values  int
}

// A block is full at blockRows rows or blockValues values.
const (
	blockRows   = 4096
	blockValues = 1 << 23
)

// add adds a batch and calls block if there are enough rows.
func (g *gather) add(b *rows.Batch, block func(all rows.Batch, numbers []uint64) error) error {
	if b.Rows == 0 {
		return nil
	}
	if err := g.shape.check(b); err != nil {
		return err
	}
	g.parts, g.numbers, g.values = append(g.parts, *b), append(g.numbers, numbers(b)...), g.values+len(b.Values)
	if len(g.numbers) < blockRows && g.values < blockValues {
		return nil
	}
	return g.flush(block)
}

// flush passes the buffered rows to block.
func (g *gather) flush(block func(all rows.Batch, numbers []uint64) error) error {
	if len(g.parts) == 0 {
		return nil
	}
	all, numbers := join(g.parts), g.numbers
	g.parts, g.numbers, g.values = nil, nil, 0
	if !counts(&all) {
		return nil
	}
	return block(all, numbers)
}

// counts reports whether a batch has rows of positive weight. Learners ignore other rows.
func counts(b *rows.Batch) bool {
	return b.Rows > 0 && (b.Weights == nil || slices.Max(b.Weights) > 0)
}
