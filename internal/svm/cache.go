package svm

import (
	"slices"
)

// cache holds rows of the Gram matrix over the active columns, in slots of one
// piece of memory; the row that was asked for least recently makes place.
type cache struct {
	memory []float64
	width  int         // active columns
	slot   map[int]int // of a row
	holder []int       // row in a slot, or −1
	asked  []int       // when the row in a slot was asked for last
	now    int
}

func newCache(n int, bytes int64) *cache {
	rows := min(max(bytes/(8*int64(n)), int64(min(n, computedBatch))), int64(n))
	c := &cache{memory: make([]float64, int64(n)*rows)}
	c.reset(n)
	return c
}

// reset empties the cache for rows of the given length.
func (c *cache) reset(width int) {
	c.width = width
	c.slot = make(map[int]int)
	c.holder = slices.Repeat([]int{-1}, len(c.memory)/width)
	c.asked = make([]int, len(c.holder))
}

func (c *cache) row(slot int) []float64 {
	return c.memory[slot*c.width : (slot+1)*c.width]
}

// find returns a place for each of the rows w, and at which of them there is no
// value yet.
func (c *cache) find(w []int) (list [][]float64, missing []int) {
	c.now++
	list = make([][]float64, len(w))
	for t, i := range w {
		if s, ok := c.slot[i]; ok {
			list[t] = c.row(s)
			c.asked[s] = c.now
		} else {
			missing = append(missing, t)
		}
	}
	for k, s := range c.oldest(len(missing)) {
		t := missing[k]
		if c.holder[s] >= 0 {
			delete(c.slot, c.holder[s])
		}
		c.holder[s], c.slot[w[t]], c.asked[s] = w[t], s, c.now
		list[t] = c.row(s)
	}
	return list, missing
}

// oldest returns the slots to use for the given number of new rows.
func (c *cache) oldest(count int) []int {
	b := best{limit: count}
	for s, when := range c.asked {
		if when < c.now {
			b.offer(s, -float64(when))
		}
	}
	return b.sorted()
}

// restrict keeps of each row the columns that stay active, if these are all
// there: columns before, after.
func (c *cache) restrict(before, after []int) bool {
	at := make([]int, len(after))
	k := 0
	for t, i := range after {
		for k < len(before) && before[k] < i {
			k++
		}
		if k == len(before) || before[k] != i {
			return false
		}
		at[t] = k
	}
	old := *c
	c.reset(len(after))
	next := 0
	for s, i := range old.holder {
		if i < 0 {
			continue
		}
		// The new place is not behind the old one: the row is not overwritten
		// before it is read.
		from, to := old.row(s), c.row(next)
		for t, k := range at {
			to[t] = from[k]
		}
		c.holder[next], c.asked[next], c.slot[i] = i, old.asked[s], next
		next++
	}
	return true
}
