package loss_test

import (
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/loss"
)

func TestContract(t *testing.T) {
	for _, l := range append(all(), scaled{3}) {
		t.Run(l.String(), func(t *testing.T) { testutil.CheckLoss(t, l, excess(l)) })
	}
}

// excess is the documented inaccuracy of the constants of Huber and EpsilonInsensitive.
func excess(l loss.Loss) float64 {
	switch l := l.(type) {
	case loss.Huber:
		return l.Delta * l.Delta / 2
	case loss.EpsilonInsensitive:
		return l.Epsilon
	}
	return 0
}
