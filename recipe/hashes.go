package recipe

import (
	"slices"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// mostHashes is the number of hashed levels up to which a column knows the levels of the training
// rows.
const mostHashes = 1 << 16

// hashOf returns the hash by which a hashed level is known.
func hashOf(text string) uint64 { return rng.Hash(0, text, 0) }

// learnHashes stores the hashes of the levels.
func (r *column) learnHashes(levels map[string]int) {
	if len(levels) > mostHashes {
		return
	}
	for text := range levels {
		r.hashes = append(r.hashes, hashOf(text))
	}
	slices.Sort(r.hashes)
}

// unknownHash reports whether no training row had a hashed level.
func (r *column) unknownHash(text string) bool {
	_, known := slices.BinarySearch(r.hashes, hashOf(text))
	return len(r.hashes) > 0 && !known
}

func anyMissing(c *dataset.Column) bool {
	for i := range c.Len() {
		if _, ok := c.Text(i); !ok {
			return true
		}
	}
	return false
}
