package compute

import "slices"

// FirstCopies returns for each row the first row that is equal to it, to the bit but for the sign of zeros, or nil if all
// rows differ, or if equal rows have different targets y or classes: these are then what the rows are like, and a fresh
// row is as likely to repeat one. Without classes y counts. O(n·d).
func (p Points) FirstCopies(y Matrix, class []int) []int {
	first, at := make([]int, p.Rows), make(map[string]int, p.Rows)
	var key []byte
	for i := range first {
		key = p.AppendKey(key[:0], i)
		j, known := at[string(key)]
		if !known {
			j = i
			at[string(key)] = i
		}
		if class != nil && class[i] != class[j] || class == nil && !slices.Equal(Row(y, i), Row(y, j)) {
			return nil
		}
		first[i] = j
	}
	if len(at) == p.Rows {
		return nil
	}
	return first
}

// Distinct returns those of the rows, in their order, that are the first of their copies; all for nil.
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

// WithCopies returns the rows of all that are copies of some, in the order of all; some themselves for nil.
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

// OfCopies returns for each row the weight of all its copies, itself among them; w for nil.
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

// Multiplicity returns OfCopies in units of the weights of the rows; nil for nil.
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
