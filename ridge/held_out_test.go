package ridge

import "testing"

// By default a solution is waited for as long as a third of its steps, and ten at least: on the way
// to a good one there are stairs.
func TestPatienceNow(t *testing.T) {
	for _, c := range []struct{ patience, steps, want int }{{2, 90, 2}, {0, 6, 10}, {0, 90, 30}} {
		if got := (&heldOut{patience: c.patience, least: leastPatience, steps: c.steps}).patienceNow(); got != c.want {
			t.Errorf("Patience %d after %d steps: %d, want %d", c.patience, c.steps, got, c.want)
		}
	}
}
