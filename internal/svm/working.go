package svm

import "slices"

// workingSet chooses the variables that are solved for together.
type workingSet struct {
	size    int   // of the whole set
	fresh   int   // variables at most that replace others in a round
	members []int // latest first
	chosen  []bool
}

func newWorkingSet(n, size int) *workingSet {
	size = min(n, size)
	return &workingSet{size: size, fresh: max(2, size/4), chosen: make([]bool, n)}
}

// choose takes those of the active variables that violate the optimality
// conditions most, half of them such as can rise and half such as can fall, and
// fills up with former members, those between their bounds before others.
func (w *workingSet) choose(v variables, active []int, top, bottom float64) []int {
	if w.size >= len(active) {
		w.members = append(w.members[:0], active...)
		return w.members
	}
	former := w.members
	w.members = nil
	rising := best{limit: w.fresh / 2}
	falling := best{limit: w.fresh / 2}
	for _, i := range active {
		if e := v.e[i]; e > bottom && v.up(i) {
			rising.offer(i, e)
		}
		if e := v.e[i]; e < top && v.down(i) {
			falling.offer(i, -e)
		}
	}
	w.add(rising.sorted())
	w.add(falling.sorted())
	w.add(slices.DeleteFunc(slices.Clone(former), func(i int) bool { return !v.up(i) || !v.down(i) }))
	w.add(former)
	for _, i := range w.members {
		w.chosen[i] = false
	}
	return w.members
}

// add appends those that are not members yet, as long as there is room.
func (w *workingSet) add(list []int) {
	for _, i := range list {
		if len(w.members) < w.size && !w.chosen[i] {
			w.chosen[i] = true
			w.members = append(w.members, i)
		}
	}
}

// keep drops the members that are not active any more.
func (w *workingSet) keep(active []int) {
	w.members = slices.DeleteFunc(w.members, func(i int) bool {
		_, ok := slices.BinarySearch(active, i)
		return !ok
	})
}

// best keeps the variables of largest score, of equal ones those offered first,
// as a heap whose root is the worst.
type best struct {
	limit int
	heap  []scored
}

type scored struct {
	index int
	score float64
}

func (b *best) offer(i int, score float64) {
	if len(b.heap) < b.limit {
		b.heap = append(b.heap, scored{i, score})
		b.rise(len(b.heap) - 1)
		return
	}
	if b.limit > 0 && score > b.heap[0].score {
		b.heap[0] = scored{i, score}
		b.sink(0)
	}
}

// worse is a total order: scores, then places.
func (b *best) worse(i, j int) bool {
	x, y := b.heap[i], b.heap[j]
	return x.score < y.score || x.score == y.score && x.index > y.index
}

func (b *best) rise(i int) {
	for up := (i - 1) / 2; i > 0 && b.worse(i, up); i, up = up, (up-1)/2 {
		b.heap[i], b.heap[up] = b.heap[up], b.heap[i]
	}
}

func (b *best) sink(i int) {
	for {
		c := 2*i + 1
		if c >= len(b.heap) {
			return
		}
		if c+1 < len(b.heap) && b.worse(c+1, c) {
			c++
		}
		if !b.worse(c, i) {
			return
		}
		b.heap[i], b.heap[c] = b.heap[c], b.heap[i]
		i = c
	}
}

// sorted returns the places, best first.
func (b *best) sorted() []int {
	slices.SortFunc(b.heap, func(x, y scored) int {
		switch {
		case x.score > y.score:
			return -1
		case x.score < y.score:
			return 1
		}
		return x.index - y.index
	})
	list := make([]int, len(b.heap))
	for i, s := range b.heap {
		list[i] = s.index
	}
	return list
}
