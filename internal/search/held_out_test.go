package search_test

import (
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/search"
)

func TestHeldOut(t *testing.T) {
	order := []int{4, 2, 0, 5, 3, 1}
	third := func(rows int) int { return rows / 3 }
	for _, c := range []struct{ class, learn, heldOut []int }{
		{nil, []int{4, 2, 0, 5}, []int{3, 1}},
		{[]int{7, 7, 7, 7, 8, 8}, []int{4, 2, 0, 5, 3}, []int{1}}, // a third of two rows rounds to zero
		{[]int{1, 1, 1, 0, 0, 0}, []int{4, 2, 0, 5}, []int{3, 1}},
	} {
		learn, heldOut := search.HeldOut(order, c.class, third)
		if !slices.Equal(learn, c.learn) || !slices.Equal(heldOut, c.heldOut) {
			t.Errorf("classes %v: learn from %v, held out %v, want %v and %v", c.class, learn, heldOut, c.learn, c.heldOut)
		}
	}
	if _, heldOut := search.HeldOut(order, nil, func(int) int { return 0 }); heldOut != nil {
		t.Errorf("%v are held out, want none", heldOut)
	}
}
