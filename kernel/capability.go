package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// The functions below ask a kernel for a capability and answer for a kernel that
// has none.

// validate asks for the parameters of k; points of length 0 stand for any.
func validate(k Kernel, dim int) (err error) {
	if door.IsNil(k) {
		return fmt.Errorf("kernel: the kernel is nil: %w", rkhs.ErrOption)
	}
	defer refusePanic(k, &err)
	if v, ok := k.(Validator); ok {
		return v.Validate(dim)
	}
	return nil
}

// refusePanic, deferred, makes an error of the panic of a kernel that embeds a nil.
func refusePanic(k Kernel, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("kernel: %T cannot be computed with: %v: %w", k, p, rkhs.ErrOption)
	}
}

func outside(k Kernel, x []float64) (int, string) {
	if d, ok := k.(Domain); ok {
		return d.Outside(x)
	}
	return -1, ""
}

func parameters(k Kernel) []Parameter {
	if p, ok := k.(Parametric); ok {
		return p.Parameters()
	}
	return nil
}

func withParameters(k Kernel, v []float64) Kernel {
	if p, ok := k.(Parametric); ok {
		return p.WithParameters(v)
	}
	return k
}

func logGradient(k Kernel, dst, x, y []float64) int {
	if p, ok := k.(Parametric); ok {
		return p.LogGradient(dst, x, y)
	}
	return 0
}
