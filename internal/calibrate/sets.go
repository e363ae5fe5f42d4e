package calibrate

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	// Enough is the number of rows that justifies further fits, or training on fewer rows. A
	// probability of .5 then has a standard error of .015, the coverage of a .9 interval .007.
	Enough = 2000
	// MostRows is the number of rows that justifies further predictions. Standard errors are half as large.
	MostRows = 8000
	// MostSets is the largest number of sets. A fit to the rows outside a set has at least four fifths
	// of all rows.
	MostSets = 5
	// leastRows is the smallest sample for cross-validation and for held-out sets.
	leastRows = 10
)

// Plan describes at most Sets held-out sets, and only as many as Rows rows in total need. Each set has a
// fifth of all rows, but at most Each.
type Plan struct{ Sets, Rows, Each int }

var (
	// Apart is the plan if the model is not trained on held-out rows.
	Apart = Plan{Sets: 1, Rows: Enough, Each: Enough}
	// Cheap is the plan if fits to the other rows cost almost no time.
	Cheap = Plan{Sets: MostSets, Rows: MostRows, Each: MostRows}
)

// Refits returns the plan if each of at most the given number of sets costs a fit to the other rows.
// Sets are then as large as possible.
func Refits(most int) Plan { return Plan{Sets: most, Rows: Enough, Each: MostRows} }

// Sets returns disjoint sets of held-out rows, each for one fit to the other rows. The n rows are all
// rows or a sample of them. Sets are stratified by class, if class is not nil, and do not contain the
// only row of a class. first are the first copies of equal rows, or nil; copies are in the same set.
func Sets(n, all int, class []int, by Plan, seed uint64, first []int) [][]int {
	rows := n
	order := compute.Distinct(rng.New(seed, "rows to calibrate by", 0).Perm(n), first)
	if first != nil {
		all = all * len(order) / max(1, n)
		n = len(order)
	}
	if n < leastRows {
		return nil
	}
	if class != nil {
		order = byClass(order, class)
		n = len(order)
	}
	size := min(n, all/MostSets, by.Each)
	if size == 0 {
		return nil
	}
	possible := (n + size - 1) / size
	sets := make([][]int, min(by.Sets, possible, (by.Rows+size-1)/size))
	for i, row := range order {
		if k := i % possible; k < len(sets) {
			sets[k] = append(sets[k], row)
		}
	}
	for i, s := range sets {
		slices.Sort(s)
		sets[i] = compute.WithCopies(s, compute.Indices(rows), first)
	}
	return sets
}

// byClass groups rows by class and removes the only row of a class.
func byClass(order, class []int) []int {
	count := map[int]int{}
	for _, k := range class {
		count[k]++
	}
	kept := slices.DeleteFunc(order, func(i int) bool { return count[class[i]] == 1 })
	slices.SortStableFunc(kept, func(a, b int) int { return class[a] - class[b] })
	return kept
}

// Others returns the rows from 0 to n−1 outside held, which is in ascending order.
func Others(n int, held []int) []int {
	rows := make([]int, 0, n-len(held))
	for i := range n {
		if len(held) > 0 && held[0] == i {
			held = held[1:]
			continue
		}
		rows = append(rows, i)
	}
	return rows
}
