package compute

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// FirstCopies returns, for each row, the index of the first equal row. Rows are
// compared by their bits, with zeros of either sign equal. It compares targets by
// class, or by y if class is nil.
//
// It returns nil if all rows differ, or if equal rows have different targets.
// Repeats are then a property of the distribution, and an unseen row is as likely to
// repeat a training row. O(n·d).
func (p Points) FirstCopies(y Matrix, class []int) []int {
	first, before := make([]int, p.Rows), make([]int, p.Rows)
	last, seed := map[uint64]int{}, maphash.MakeSeed() // by hash, the last row that has no earlier copy
	var key, other []byte
	copies := false
	for i := range first {
		key = p.AppendKey(key[:0], i)
		hash := maphash.Bytes(seed, key)
		j, known := last[hash]
		if !known {
			j = -1
		}
		before[i] = j
		for ; j >= 0; j = before[j] {
			if other = p.AppendKey(other[:0], j); bytes.Equal(key, other) {
				break
			}
		}
		if copies = copies || j >= 0; j < 0 {
			j = i
			last[hash] = i
		}
		if class != nil && class[i] != class[j] || class == nil && !slices.Equal(Row(y, i), Row(y, j)) {
			return nil
		}
		first[i] = j
	}
	if !copies {
		return nil
	}
	return first
}

// Distinct returns the elements of rows that are the first of their copies, in
// order. It returns rows if first is nil.
func Distinct(rows, first []int) []int {
	if first == nil {
		return rows
	}
	var list []int
	for _, i := range rows {
		if first[i] == i {
			list = append(list, i)
		}
	}
	return list
}

// WithCopies returns the elements of all with their first copy in some, in the order of
// all. It returns some if first is nil.
func WithCopies(some, all, first []int) []int {
	if first == nil {
		return some
	}
	in := make(map[int]bool, len(some))
	for _, i := range some {
		in[i] = true
	}
	var list []int
	for _, i := range all {
		if in[first[i]] {
			list = append(list, i)
		}
	}
	return list
}

// OfCopies returns, for each row, the total weight of its copies, including itself.
// It returns w if first is nil.
func (w Weights) OfCopies(first []int) Weights {
	if first == nil {
		return w
	}
	sums, all := make([]float64, len(first)), make(Weights, len(first))
	for i, j := range first {
		sums[j] += w.At(i)
	}
	for i, j := range first {
		all[i] = sums[j]
	}
	return all
}

// Multiplicity returns the total weight of the copies of each row divided by the
// weight of the row. It returns nil if first is nil.
func (w Weights) Multiplicity(first []int) []float64 {
	if first == nil {
		return nil
	}
	times := w.OfCopies(first)
	for i := range times {
		times[i] /= w.At(i)
	}
	return times
}
