package loss

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Check returns an error that wraps rkhs.ErrOption if l is nil, or neither a Scalar
// nor a Multiclass loss, if it has a method Validate() error that returns one, as
// losses whose parameter is out of range do, if its Curvature is not positive, or if
// either panics, as those of a struct that embeds a nil pointer do.
func Check(l Loss) (err error) {
	if door.IsNil(l) {
		return fmt.Errorf("loss: the loss is nil: %w", rkhs.ErrOption)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("loss: %T cannot be computed with: %v: %w", l, p, rkhs.ErrOption)
		}
	}()
	_, scalar := l.(Scalar)
	_, multi := l.(Multiclass)
	if !scalar && !multi {
		return fmt.Errorf("loss: %T is neither a Scalar nor a Multiclass loss: %w", l, rkhs.ErrOption)
	}
	if v, ok := l.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return err
		}
	}
	return inRange(l, l.Curvature() > 0, "its Curvature must be positive, +Inf for a loss with kinks")
}

func inRange(l Loss, ok bool, rule string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("loss: %v: %s: %w", l, rule, rkhs.ErrOption)
}
