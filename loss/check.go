package loss

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
)

// Check returns an error that wraps rkhs.ErrOption if l is nil, is neither a Scalar nor a Multiclass
// loss, has a method Validate() error that returns an error, has a Curvature that is not positive,
// or panics in these methods.
func Check(l Loss) (err error) {
	if l == nil {
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
