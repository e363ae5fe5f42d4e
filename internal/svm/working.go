package svm

import "slices"

// workingSet selects the variables of a joint optimisation.
type workingSet struct {
	size     int   // of the set
	fresh    int   // largest number of variables that a selection replaces
	members  []int // latest first
	selected []bool
}

func newWorkingSet(n, size int) *workingSet {
	size = min(n, size)
	return &workingSet{size: size, fresh: max(2, size/4), selected: make([]bool, n)}
}

// pick selects the active variables that violate the optimality conditions most: half of them can rise, half
// can fall. Former members fill the set, first the members between their bounds.
func (w *workingSet) pick(v variables, active []int, top, bottom float64) []int {
	if w.size >= len(active) {
		w.members = append(w.members[:0], active...)
		return w.members
	}
	former := w.members
	w.members = nil
	rising, falling := best{limit: w.fresh / 2}, best{limit: w.fresh / 2}
	for _, i := range active {
		if e := v.e[i]; e > bottom && v.up(i) {
			rising.offer(i, e)
		}
		if e := v.e[i]; e < top && v.down(i) {
			falling.offer(i, -e)
		}
	}
	w.add(rising.indices())
	w.add(falling.indices())
	w.add(slices.DeleteFunc(slices.Clone(former), func(i int) bool { return !v.up(i) || !v.down(i) }))
	w.add(former)
	for _, i := range w.members {
		w.selected[i] = false
	}
	return w.members
}

// add appends variables that are not members yet, up to the size of the set.
func (w *workingSet) add(list []int) {
	for _, i := range list {
		if len(w.members) < w.size && !w.selected[i] {
			w.selected[i] = true
			w.members = append(w.members, i)
		}
	}
}

// keep drops the members that are not active.
func (w *workingSet) keep(active []int) {
	w.members = slices.DeleteFunc(w.members, func(i int) bool {
		_, ok := slices.BinarySearch(active, i)
		return !ok
	})
}

// best keeps the indices with the highest scores, and of equal scores the first.
type best struct {
	limit int
	list  []scored // best first
}

type scored struct {
	index int
	score float64
}

// offer adds an index. Indices ascend.
func (b *best) offer(i int, score float64) {
	if full := len(b.list) == b.limit; full {
		if b.limit == 0 || score <= b.list[b.limit-1].score {
			return
		}
		b.list = b.list[:b.limit-1]
	}
	at, _ := slices.BinarySearchFunc(b.list, score, func(s scored, score float64) int {
		if s.score >= score {
			return -1
		}
		return 1
	})
	b.list = slices.Insert(b.list, at, scored{i, score})
}

// indices returns the kept indices, best first.
func (b *best) indices() []int {
	list := make([]int, len(b.list))
	for t, s := range b.list {
		list[t] = s.index
	}
	return list
}
