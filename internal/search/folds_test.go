package search_test

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/search"
)

// TestFoldsDoNotDependOnBatches assigns the same rows at once and in parts.
func TestFoldsDoNotDependOnBatches(t *testing.T) {
	f := search.Folds{K: 4, Seed: 3, Purpose: "test"}
	const n = 103
	folds := func(batches ...int) []int {
		var list []int
		for _, size := range batches {
			part := make([]int, size)
			order, ends := f.Deal(len(list), size)
			from := 0
			for k, to := range ends {
				for _, i := range order[from:to] {
					part[i] = k
				}
				from = to
			}
			if from != size || !slices.IsSorted(ends) {
				t.Fatalf("%d rows end at %v", size, ends)
			}
			list = append(list, part...)
		}
		return list
	}
	want := folds(n)
	if got := folds(1, 2, 50, 3, 47); !slices.Equal(got, want) {
		t.Errorf("in batches %v, at once %v", got, want)
	}
	for i := 0; i+4 <= n; i += 4 {
		if run := slices.Sorted(slices.Values(want[i : i+4])); !slices.Equal(run, []int{0, 1, 2, 3}) {
			t.Errorf("rows from %d on are in folds %v", i, want[i:i+4])
		}
	}
}

// TestNumberedRowsAreInTheFoldsOfTheirPlaces assigns rows by number in a different order.
func TestNumberedRowsAreInTheFoldsOfTheirPlaces(t *testing.T) {
	f := search.Folds{K: 4, Seed: 3, Purpose: "test"}
	const n, step = 103, 10 // coprime
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = uint64(i * step % n)
	}
	want, wantEnds := f.Deal(0, n)
	order, ends := f.DealNumbered(numbers)
	if !slices.Equal(ends, wantEnds) {
		t.Fatalf("folds end at %v, want %v", ends, wantEnds)
	}
	from := 0
	for _, to := range ends {
		var fold []int
		for _, i := range order[from:to] {
			fold = append(fold, int(numbers[i]))
		}
		if slices.Sort(fold); !slices.Equal(fold, want[from:to]) {
			t.Errorf("a fold of %v, want %v", fold, want[from:to])
		}
		from = to
	}
}

func TestEarlyStopping(t *testing.T) {
	s := search.NewEarlyStopping(7, 2, 0.1)
	s.Add(1, math.NaN())
	if s.Best() != 7 || s.Over() {
		t.Errorf("without a number: best %v, over %v", s.Best(), s.Over())
	}
	for i, c := range []struct {
		err, best float64
		over      bool
	}{{10, 0, false}, {9.5, 1, false}, {8, 2, false}, {8, 2, false}, {9, 2, true}} {
		s.Add(float64(i), c.err)
		if s.Best() != c.best || s.Over() != c.over {
			t.Errorf("after %d errors: best %v, over %v", i+1, s.Best(), s.Over())
		}
	}
}
