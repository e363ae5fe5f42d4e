package alignment_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/rkhs-go/rkhs/alignment"
)

// TestWorkersOnManyTiles uses enough rows for several rounds of tiles, unlike the battery.
func TestWorkersOnManyTiles(t *testing.T) {
	x, y := circles(700, 2, 1)
	for name, f := range searched() {
		var want []byte
		for _, workers := range []int{1, 3} {
			c, err := alignment.FitClassifier(context.Background(), x, y, &alignment.Options{Criterion: alignment.Alignment, Family: f, C: []float64{1}, Workers: workers, Paper: alignment.Paper{SearchRows: 600, MaxKernels: 2, Shrink: shrink(f, 0.1)}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %d workers give other bits", name, workers)
			}
		}
	}
}
