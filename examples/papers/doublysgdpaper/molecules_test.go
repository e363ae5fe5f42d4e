package doublysgdpaper

import (
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/rng"
)

// A molecule of three atoms keeps its entries in any order. Without noise its heaviest atom is
// first. Padding remains last.
func TestPermuted(t *testing.T) {
	triangle, got := make([]float64, atoms*(atoms+1)/2), make([]float64, atoms*(atoms+1)/2)
	copy(triangle, []float64{1, 2, 3})
	copy(triangle[atoms:], []float64{9, 4})
	triangle[2*atoms-1] = 5
	permuted(got, triangle, 0, rng.New(1, "test", 0))
	// Norms: atom 0 √14, atom 1 √101, atom 2 √50.
	want := map[int]float64{0: 9, 1: 4, 2: 2, atoms: 5, atoms + 1: 3, 2*atoms - 1: 1}
	for i, v := range got {
		if v != want[i] {
			t.Errorf("entry %d is %v, want %v", i, v, want[i])
		}
	}
	other := 0
	s := rng.New(1, "test", 1)
	for range 50 {
		again := make([]float64, len(got))
		permuted(again, triangle, 5, s)
		if !slices.Equal(again, got) {
			other++
		}
		slices.Sort(again)
		if sorted := slices.Sorted(slices.Values(got)); !slices.Equal(again, sorted) {
			t.Fatal("a permutation has other entries")
		}
	}
	if other < 5 {
		t.Errorf("%d of 50 permutations differ from the sorted one", other)
	}
}

func TestAveraged(t *testing.T) {
	if got := averaged([]float64{1, 3, 5, 7}, 2); !slices.Equal(got, []float64{2, 6}) {
		t.Errorf("got %v", got)
	}
}
