package dataset

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// strata divides each class of rows in proportion.
type strata struct {
	class []int // of each row
	sizes []int // of each class
	seed  uint64
	name  func(class int) string // nil for a class of all rows, which has no label
}

func (s strata) split(fraction float64) (train, test []int, err error) {
	if err := s.check(2, "2"); err != nil {
		return nil, nil, err
	}
	left := make([]int, len(s.sizes)) // to test on, of each class
	for c, size := range s.sizes {
		left[c] = s.held(size, fraction)
	}
	for _, r := range rng.New(s.seed, "dataset split", 0).Perm(len(s.class)) {
		if c := s.class[r]; left[c] > 0 {
			left[c]--
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	return train, test, nil
}

// held is the number of rows to test on of a class.
func (s strata) held(size int, fraction float64) int {
	n := min(int(math.Round(fraction*float64(size))), size-1)
	if s.name != nil && fraction > 0 {
		return max(n, 1)
	}
	return n
}

// folds deals the classes one after the other, so that the sizes of all folds
// differ by no more than those of one class.
func (s strata) folds(k int) ([]Fold, error) {
	if err := s.check(k, "one for each fold"); err != nil {
		return nil, err
	}
	next, dealtBefore := make([]int, len(s.sizes)), 0
	for c, size := range s.sizes {
		next[c] = dealtBefore
		dealtBefore += size
	}
	order := rng.New(s.seed, "dataset folds", 0).Perm(len(s.class))
	fold := make([]int, len(order))
	for _, r := range order {
		c := s.class[r]
		fold[r] = next[c] % k
		next[c]++
	}
	return dealt(order, fold, k), nil
}

// check refuses labels that cannot go to all parts.
func (s strata) check(least int, what string) error {
	if s.name == nil {
		return nil
	}
	if len(s.sizes) < 2 {
		return fmt.Errorf("all labels are %s: %w", s.name(0), rkhs.ErrLabels)
	}
	for c, size := range s.sizes {
		if size < least {
			return fmt.Errorf("label %s has %d rows, want %s or more: %w", s.name(c), size, what, rkhs.ErrLabels)
		}
	}
	return nil
}
