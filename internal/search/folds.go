package search

import "github.com/rkhs-go/rkhs/internal/rng"

// Folds assigns rows to K folds. Each block of K rows visits all folds in a separate
// random order. The fold of a row therefore depends only on its number, not on batches,
// and the folds have equal size.
type Folds struct {
	K       int
	Seed    uint64
	Purpose string // of the random stream
}

// Deal groups n rows by fold. The first row has the number first. It returns their
// indices fold by fold and the end of each fold.
func (f Folds) Deal(first, n int) (order, ends []int) { return f.group(f.of(first, n)) }

// DealNumbered is Deal for rows with the given numbers.
func (f Folds) DealNumbered(numbers []uint64) (order, ends []int) {
	fold := make([]int, len(numbers))
	for i, r := range numbers {
		fold[i] = f.run(r / uint64(f.K))[r%uint64(f.K)]
	}
	return f.group(fold)
}

// group lists rows fold by fold.
func (f Folds) group(fold []int) (order, ends []int) {
	ends = make([]int, f.K)
	for k := range ends {
		for i, v := range fold {
			if v == k {
				order = append(order, i)
			}
		}
		ends[k] = len(order)
	}
	return order, ends
}

// run returns the order in which block i visits the folds.
func (f Folds) run(i uint64) []int { return rng.New(f.Seed, f.Purpose, i).Perm(f.K) }

// of returns the fold of each of n rows from the given number on.
func (f Folds) of(first, n int) []int {
	fold := make([]int, n)
	var visit []int // the fold order of the current block
	for i := range fold {
		r := first + i
		if i == 0 || r%f.K == 0 {
			visit = f.run(uint64(r / f.K))
		}
		fold[i] = visit[r%f.K]
	}
	return fold
}
