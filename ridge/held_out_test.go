package ridge

import "testing"

// The default patience is a third of the steps, and at least ten.
func TestPatienceNow(t *testing.T) {
	for _, c := range []struct{ patience, steps, want int }{{2, 90, 2}, {0, 6, 10}, {0, 90, 30}} {
		if got := (&heldOut{patience: c.patience, least: leastPatience, steps: c.steps}).patienceNow(); got != c.want {
			t.Errorf("Patience %d after %d steps: %d, want %d", c.patience, c.steps, got, c.want)
		}
	}
}
