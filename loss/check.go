package loss

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
)

// Check returns an error that wraps rkhs.ErrOption if a parameter of l is out of
// range, or if l is neither a Scalar nor a Multiclass loss.
func Check(l Loss) error {
	switch l := l.(type) {
	case Huber:
		return inRange(l, l.Delta > 0 && finite(l.Delta), "Delta must be positive")
	case EpsilonInsensitive:
		return inRange(l, l.Epsilon >= 0 && finite(l.Epsilon), "Epsilon must not be negative")
	case Pinball:
		return inRange(l, l.Tau > 0 && l.Tau < 1, "Tau must lie between 0 and 1")
	case Scalar, Multiclass:
		return nil
	}
	return fmt.Errorf("loss: %v (%T) is neither a Scalar nor a Multiclass loss: %w", l, l, rkhs.ErrOption)
}

func inRange(l Loss, ok bool, rule string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("loss: %v: %s: %w", l, rule, rkhs.ErrOption)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
