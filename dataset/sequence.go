package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// sequence divides rows into the rows before a time and the later rows.
type sequence struct {
	order []int // rows by time
	cuts  []int // indices in order where the time changes
}

// newSequence returns the sequence of rows in the order of their times; nil times are all different.
func newSequence(order []int, times []float64) sequence {
	s := sequence{order: order}
	for i := 1; i < len(order); i++ {
		if times == nil || times[order[i-1]] != times[order[i]] {
			s.cuts = append(s.cuts, i)
		}
	}
	return s
}

// sortedBy returns the indices of values in ascending order of the values. The sort is stable.
func sortedBy(values []float64) []int {
	order := compute.Indices(len(values))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

func (s sequence) split(fraction float64) (train, test []int, err error) {
	n := len(s.order)
	tests := min(int(math.Round(fraction*float64(n))), n-1)
	if tests == 0 {
		return slices.Clone(s.order), nil, nil
	}
	at, err := s.nearest([]int{n - tests})
	if err != nil {
		return nil, nil, err
	}
	return slices.Clone(s.order[:at[0]]), slices.Clone(s.order[at[0]:]), nil
}

func (s sequence) folds(k int) ([]Fold, error) {
	wanted := make([]int, k)
	for i := range wanted {
		wanted[i] = (i + 1) * len(s.order) / (k + 1)
	}
	at, err := s.nearest(wanted)
	if err != nil {
		return nil, err
	}
	folds := make([]Fold, k)
	at = append(at, len(s.order))
	for i := range folds {
		folds[i] = Fold{slices.Clone(s.order[:at[i]]), slices.Clone(s.order[at[i]:at[i+1]])}
	}
	return folds, nil
}

// nearest returns distinct cuts near the wanted indices. Both ascend.
func (s sequence) nearest(wanted []int) ([]int, error) {
	if len(s.cuts) < len(wanted) {
		return nil, fmt.Errorf("%d parts of %d different times: %w", len(wanted)+1, len(s.cuts)+1, rkhs.ErrOption)
	}
	at, next := make([]int, len(wanted)), 0
	for i, w := range wanted {
		c, _ := slices.BinarySearch(s.cuts, w)
		if c > 0 && (c == len(s.cuts) || w-s.cuts[c-1] <= s.cuts[c]-w) {
			c--
		}
		rest := len(wanted) - i // cuts still needed
		c = min(max(c, next), len(s.cuts)-rest)
		at[i], next = s.cuts[c], c+1
	}
	return at, nil
}
