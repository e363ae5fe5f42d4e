package blocks

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Cache keeps the features of blocks for reuse, in a bounded number of bytes.
// Blocks are visited in rounds, from the first to the last, under which no rule
// of replacement keeps more than the first blocks that fit: these stay. It is
// safe for concurrent use.
type Cache struct {
	Map    features.Map
	Check  gram.RowCheck // of the kernel
	budget int64

	mu   sync.Mutex
	kept map[uint64]features.Block
	used int64
}

// DefaultCache is the default budget of a cache in bytes.
const DefaultCache = 256 << 20

// NewCache returns a cache of so many bytes.
func NewCache(m features.Map, budget int64) *Cache {
	return &Cache{Map: m, Check: gram.NewRowCheck(m.Kernel()), budget: budget, kept: map[uint64]features.Block{}}
}

// Block returns block b, drawn again unless it is kept: the same bits either way.
func (c *Cache) Block(b uint64) features.Block {
	c.mu.Lock()
	kept, ok := c.kept[b]
	c.mu.Unlock()
	if ok {
		return kept
	}
	block := c.Map.Block(b)
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
