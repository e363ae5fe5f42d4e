//go:build !race

package polk

import (
	"testing"

	"github.com/rkhs-go/rkhs/loss"
)

// In the steady state an update with one row does not allocate.
func TestSinglesAllocateNothing(t *testing.T) {
	for _, l := range []loss.Loss{loss.MulticlassHinge{}, loss.Softmax{}} {
		for _, k := range []float64{0.5, 2.8} {
			if _, next := singles(t, l, k); testing.AllocsPerRun(2000, next) != 0 {
				t.Errorf("%v, K = %v: points allocate", l, k)
			}
		}
	}
}
