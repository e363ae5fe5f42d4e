package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// clusters divides rows and keeps groups whole.
type clusters struct {
	group []int // of each row
	sizes []int // of each group
	seed  uint64
}

func (c clusters) split(fraction float64) (train, test []int, err error) {
	if len(c.sizes) < 2 {
		return nil, nil, fmt.Errorf("all rows are of one group: %w", rkhs.ErrOption)
	}
	tested := c.tested(fraction)
	train, test = divide(c.seed, len(c.group), func(row int) bool { return tested[c.group[row]] })
	return train, test, nil
}

// tested selects the test groups.
func (c clusters) tested(fraction float64) []bool {
	tested := make([]bool, len(c.sizes))
	order := c.shuffled()
	wanted, left := fraction*float64(len(c.group)), len(order)
	smallest := order[0]
	for _, g := range order {
		if c.sizes[g] < c.sizes[smallest] {
			smallest = g
		}
		if after := wanted - float64(c.sizes[g]); left > 1 && math.Abs(after) < math.Abs(wanted) {
			tested[g], wanted = true, after
			left--
		}
	}
	if left == len(order) && fraction > 0 {
		tested[smallest] = true
	}
	return tested
}

func (c clusters) folds(k int) ([]Fold, error) {
	if len(c.sizes) < k {
		return nil, fmt.Errorf("%d folds of %d groups: %w", k, len(c.sizes), rkhs.ErrOption)
	}
	groups := c.shuffled()
	slices.SortStableFunc(groups, func(a, b int) int { return c.sizes[b] - c.sizes[a] })
	foldOf, rows := make([]int, len(groups)), make([]int, k)
	for _, g := range groups {
		smallest := slices.Index(rows, slices.Min(rows))
		foldOf[g] = smallest
		rows[smallest] += c.sizes[g]
	}
	fold := make([]int, len(c.group))
	for r, g := range c.group {
		fold[r] = foldOf[g]
	}
	return foldsOf(rng.New(c.seed, "dataset folds", 0).Perm(len(fold)), fold, k), nil
}

// shuffled returns the groups in random order.
func (c clusters) shuffled() []int {
	return rng.New(c.seed, "dataset groups", 0).Perm(len(c.sizes))
}
