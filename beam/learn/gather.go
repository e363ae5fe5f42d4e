package learn

import (
	"slices"

	"github.com/rkhs-go/rkhs/beam/rows"
)

// gather holds rows back until there are enough for a block: kernels compute by blocks, and
// the rows of a batch of a source may be one.
type gather struct {
	shape   shape
	parts   []rows.Batch
	numbers []uint64
	values  int
}

// A block has so many rows, or as many as hold so many values.
const (
	blockRows   = 4096
	blockValues = 1 << 23
)

// add takes in a batch, and hands rows on where there are enough.
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

// flush hands on the rows that are held.
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

// counts reports whether there are rows of positive weight: learners take others for no rows at all.
func counts(b *rows.Batch) bool {
	return b.Rows > 0 && (b.Weights == nil || slices.Max(b.Weights) > 0)
}
