package svm

import "slices"

// cache holds rows of the Gram matrix over the active columns. It replaces the least recently
// used rows.
type cache struct {
	memory []float64
	width  int         // number of active columns
	slot   map[int]int // of a row
	holder []int       // row in a slot, or −1
	used   []int       // time of the last use of a slot
	now    int
}

// newCache returns a cache for n rows of n columns. It holds at least one batch of rows.
func newCache(n int, bytes int64) *cache {
	rows := min(max(bytes/(8*int64(n)), int64(min(n, computedBatch))), int64(n))
	c := &cache{memory: make([]float64, int64(n)*rows)}
	c.reset(n)
	return c
}

// reset empties the cache and sets the length of its rows.
func (c *cache) reset(width int) {
	c.width = width
	c.slot = make(map[int]int)
	c.holder = slices.Repeat([]int{-1}, len(c.memory)/width)
	c.used = make([]int, len(c.holder))
}

func (c *cache) row(slot int) []float64 { return c.memory[slot*c.width : (slot+1)*c.width] }

// find returns memory for each of the rows w, and the positions in w of the rows to compute.
func (c *cache) find(w []int) (list [][]float64, missing []int) {
	c.now++
	list = make([][]float64, len(w))
	for t, i := range w {
		if s, ok := c.slot[i]; ok {
			list[t] = c.row(s)
			c.used[s] = c.now
		} else {
			missing = append(missing, t)
		}
	}
	for k, s := range c.oldest(len(missing)) {
		t := missing[k]
		if c.holder[s] >= 0 {
			delete(c.slot, c.holder[s])
		}
		c.holder[s], c.slot[w[t]], c.used[s] = w[t], s, c.now
		list[t] = c.row(s)
	}
	return list, missing
}

// oldest returns the slots for the given number of new rows.
func (c *cache) oldest(count int) []int {
	b := best{limit: count}
	for s, when := range c.used {
		if when < c.now {
			b.offer(s, -float64(when))
		}
	}
	return b.indices()
}

// restrict changes the active columns from before to after, both ascending. It returns false if
// after has a column that before lacks.
func (c *cache) restrict(before, after []int) bool {
	positions := make([]int, len(after))
	for t, column := range after {
		at, found := slices.BinarySearch(before, column)
		if !found {
			return false
		}
		positions[t] = at
	}
	old := *c
	c.reset(len(after))
	next := 0
	for s, i := range old.holder {
		if i < 0 {
			continue
		}
		// The new row starts no later than the old one, so copying forward is safe.
		from, to := old.row(s), c.row(next)
		for t, k := range positions {
			to[t] = from[k]
		}
		c.holder[next], c.used[next], c.slot[i] = i, old.used[s], next
		next++
	}
	return true
}
