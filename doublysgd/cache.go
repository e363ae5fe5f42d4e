package doublysgd

import (
	"sync"

	"github.com/rkhs-go/rkhs/features"
)

// cache keeps the features of blocks for reuse, in a bounded number of bytes.
// Blocks are visited in rounds, from the first to the last, under which no rule
// of replacement keeps more than the first blocks that fit: these stay. It is
// safe for concurrent use.
type cache struct {
	m      features.Map
	budget int64

	mu   sync.Mutex
	kept map[uint64]features.Block
	used int64
}

// defaultCache is the default budget of a cache in bytes.
const defaultCache = 256 << 20

func newCache(m features.Map, budget int64) *cache {
	return &cache{m: m, budget: budget, kept: map[uint64]features.Block{}}
}

// block returns block b, drawn again unless it is kept: the same bits either way.
func (c *cache) block(b uint64) features.Block {
	c.mu.Lock()
	kept, ok := c.kept[b]
	c.mu.Unlock()
	if ok {
		return kept
	}
	block := c.m.Block(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	if size := int64(block.Bytes()); c.used+size <= c.budget {
		if _, ok := c.kept[b]; !ok {
			c.kept[b] = block
			c.used += size
		}
	}
	return block
}
