package choose

import "github.com/rkhs-go/rkhs/internal/rng"

// Folds deals rows out to K folds. Each run of K rows visits all K folds in an order
// drawn for that run, so that the fold of a row depends on its number alone, however
// the rows come, and the folds are even.
type Folds struct {
	K       int
	Seed    uint64
	Purpose string // of the random stream
}

// Deal groups n rows, the first of which has the given number, by fold: it returns
// their places among the n, fold by fold, and where each fold ends.
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

// run returns the folds in the order in which a run of K rows visits them.
func (f Folds) run(i uint64) []int { return rng.New(f.Seed, f.Purpose, i).Perm(f.K) }

// of returns the fold of each of n rows from the given number on.
func (f Folds) of(first, n int) []int {
	fold := make([]int, n)
	var visit []int // the folds in the order of this run
	for i := range fold {
		r := first + i
		if i == 0 || r%f.K == 0 {
			visit = f.run(uint64(r / f.K))
		}
		fold[i] = visit[r%f.K]
	}
	return fold
}
