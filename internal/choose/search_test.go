package choose

import (
	"math"
	"slices"
	"testing"
)

func never() bool { return false }

// valley has its least value at a bandwidth and a ridge.
func valley(factor, ridge float64) float64 {
	return math.Abs(math.Log(factor/4)) + math.Abs(math.Log(ridge/1e-3))
}

func TestLadder(t *testing.T) {
	var tried []float64
	c := Curve[int](func(ridge float64) (float64, int) {
		tried = append(tried, ridge)
		return valley(4, ridge), len(tried)
	})
	best, all := c.Ladder(Unrated[int](4, 1), Falling(1, 1e-8), 2, never)
	if math.Abs(best.Ridge/1e-3-1) > 1e-12 || best.Detail != 4 || best.Factor != 4 || len(all) != 6 {
		t.Errorf("best %+v of %d: %v", best, len(all), tried)
	}
	if none, all := c.Ladder(Unrated[int](1, 7), Falling(1, 1e-8), 2, func() bool { return true }); none.Ridge != 7 || len(all) != 0 {
		t.Errorf("a search that is stopped: %+v, %d candidates", none, len(all))
	}
	if r := slices.Collect(Falling(0.5, 0.5)); !slices.Equal(r, []float64{0.5}) {
		t.Errorf("a ridge that is given: %v", r)
	}
}
