package learn

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// sample keeps the rows with the lowest hashes of their numbers. It is a uniform sample
// without replacement that depends only on the seed and the set of rows.
type sample struct {
	hash []uint64
	rows []rows.Batch // in total one row per hash, in the same order
}

// add adds rows with their numbers.
func (s *sample) add(b *rows.Batch, numbers []uint64, size int, seed uint64) {
	limit, full := s.limit(size)
	var list []int
	for i, number := range numbers {
		h := rng.Hash(seed, "learn sample", number)
		if full && h >= limit {
			continue
		}
		list, s.hash = append(list, i), append(s.hash, h)
	}
	if len(list) > 0 {
		s.rows = append(s.rows, pick(b, list))
	}
	if len(s.hash) > 2*size {
		s.shrink(size)
	}
}

// limit returns a hash from which rows are not in the sample. full is false if there is no
// limit yet.
func (s *sample) limit(size int) (limit uint64, full bool) {
	if len(s.hash) < size || len(s.hash) == 0 {
		return 0, false
	}
	return slices.Max(s.hash[:size]), true
}

// shrink keeps the rows with the lowest hashes, in order of the hashes. Rows of equal number
// have equal hashes and are ordered by their values.
func (s *sample) shrink(size int) {
	all := join(s.rows)
	order := make([]int, all.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(s.hash[i], s.hash[j]), compareRows(&all, i, j))
	})
	order = order[:min(size, len(order))]
	hash := make([]uint64, len(order))
	for k, i := range order {
		hash[k] = s.hash[i]
	}
	s.hash, s.rows = hash, []rows.Batch{pick(&all, order)}
}

// compareRows orders rows by targets, then by listed values.
func compareRows(b *rows.Batch, i, j int) int {
	return cmp.Or(
		slices.Compare(b.Targets[i*b.Outputs:(i+1)*b.Outputs], b.Targets[j*b.Outputs:(j+1)*b.Outputs]),
		slices.Compare(valuesOf(b, i), valuesOf(b, j)))
}

func valuesOf(b *rows.Batch, i int) []float64 {
	if b.Offsets != nil {
		return b.Values[b.Offsets[i]:b.Offsets[i+1]]
	}
	return b.Values[i*b.Cols : (i+1)*b.Cols]
}

// merge adds the rows of another sample.
func (s *sample) merge(t sample, size int) {
	s.hash, s.rows = append(s.hash, t.hash...), append(s.rows, t.rows...)
	if len(s.hash) > 2*size {
		s.shrink(size)
	}
}
