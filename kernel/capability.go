package kernel

import (
	"fmt"
	"reflect"

	"github.com/rkhs-go/rkhs"
)

// The functions below ask a kernel for a capability and answer for a kernel that
// has none.

func validate(k Kernel, dim int) error {
	if v := reflect.ValueOf(k); k == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("kernel: the kernel is nil: %w", rkhs.ErrOption)
	}
	if v, ok := k.(Validator); ok {
		return v.Validate(dim)
	}
	return nil
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
