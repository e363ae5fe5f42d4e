package alignment

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestVotes has ties, which the smaller class wins.
func TestVotes(t *testing.T) {
	// Columns are the pairs (0,1), (0,2), (1,2); a positive score votes for the second class.
	scores := compute.Matrix{Rows: 4, Cols: 3, Stride: 3, Data: []float64{
		-1, -1, 5,
		1, 0, -1,
		-1, 1, 1,
		1, -1, 1, // one vote each
	}}
	for i, want := range []int{0, 1, 2, 0} {
		if got := vote(3)(compute.Row(scores, i)); got != want {
			t.Errorf("row %d goes to class %d, want %d", i, got, want)
		}
	}
}
