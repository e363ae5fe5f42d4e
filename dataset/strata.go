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
	name  func(class int) string // nil for rows without labels
}

func (s strata) split(fraction float64) (train, test []int, err error) {
	if err := s.check(2, "2"); err != nil {
		return nil, nil, err
	}
	tests := make([]int, len(s.sizes)) // test rows still to draw
	for c, size := range s.sizes {
		tests[c] = min(int(math.Round(fraction*float64(size))), size-1)
		if s.name != nil && fraction > 0 {
			tests[c] = max(tests[c], 1)
		}
	}
	train, test = divide(s.seed, len(s.class), func(row int) bool {
		c := s.class[row]
		tests[c]--
		return tests[c] >= 0
	})
	return train, test, nil
}

// folds deals the rows of one class after the other, so that fold sizes differ by at most one.
func (s strata) folds(k int) ([]Fold, error) {
	if err := s.check(k, "one for each fold"); err != nil {
		return nil, err
	}
	next, before := make([]int, len(s.sizes)), 0
	for c, size := range s.sizes {
		next[c] = before
		before += size
	}
	order := rng.New(s.seed, "dataset folds", 0).Perm(len(s.class))
	fold := make([]int, len(order))
	for _, r := range order {
		c := s.class[r]
		fold[r] = next[c] % k
		next[c]++
	}
	return foldsOf(order, fold, k), nil
}

// check returns an error for a label with too few rows.
func (s strata) check(least int, want string) error {
	if s.name == nil {
		return nil
	}
	if len(s.sizes) < 2 {
		return fmt.Errorf("all labels are %s: %w", s.name(0), rkhs.ErrLabels)
	}
	for c, size := range s.sizes {
		if size < least {
			return fmt.Errorf("label %s has %d rows, want %s or more: %w", s.name(c), size, want, rkhs.ErrLabels)
		}
	}
	return nil
}
