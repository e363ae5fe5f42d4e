package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// The functions below ask a kernel for a capability. A user-defined kernel has it by an exported interface of this
// package, and goes first: a type that embeds a kernel of this package may add methods. The kernels of this package
// have it by unexported methods, which a type that embeds them inherits.

// validate checks the parameters of k. Points of length 0 stand for any.
func validate(k Kernel, dim int) (err error) {
	if door.IsNil(k) {
		return fmt.Errorf("kernel: the kernel is nil: %w", rkhs.ErrOption)
	}
	defer refusePanic(k, &err)
	switch k := k.(type) {
	case Validator:
		return k.Validate(dim)
	case interface{ validate(dim int) error }:
		return k.validate(dim)
	}
	return nil
}

// refusePanic, deferred, makes an error of the panic of a kernel that embeds a nil.
func refusePanic(k Kernel, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("kernel: %T cannot be computed with: %v: %w", k, p, rkhs.ErrOption)
	}
}

// domain is a kernel of this package that is undefined at some points.
type domain interface {
	outside(x []float64) (int, string)
}

func hasDomain(k Kernel) bool {
	switch k.(type) {
	case Domain, domain:
		return true
	}
	return false
}

func outside(k Kernel, x []float64) (int, string) {
	switch k := k.(type) {
	case Domain:
		return k.Outside(x)
	case domain:
		return k.outside(x)
	}
	return -1, ""
}

// parametric is a kernel of this package with parameters.
type parametric interface {
	parameters() []Parameter
	withParameters(v []float64) Kernel
	logGradient(dst, x, y []float64) int
}

// Parameters returns the parameters of a kernel in a fixed order, none for one that is not Parametric.
func Parameters(k Kernel) []Parameter {
	switch k := k.(type) {
	case Parametric:
		return k.Parameters()
	case parametric:
		return k.parameters()
	}
	return nil
}

// WithParameters returns k with new values, in the order of Parameters. It panics if their number is wrong.
func WithParameters(k Kernel, values []float64) Kernel {
	switch k := k.(type) {
	case Parametric:
		return k.WithParameters(values)
	case parametric:
		return k.withParameters(values)
	}
	checkCount(values, 0)
	return k
}

// LogGradient sets dst_i = ∂k(x,y)/∂(log θ_i) for the parameters θ and returns their number. dst may be longer.
func LogGradient(k Kernel, dst, x, y []float64) int {
	switch k := k.(type) {
	case Parametric:
		return k.LogGradient(dst, x, y)
	case parametric:
		return k.logGradient(dst, x, y)
	}
	return 0
}

// scaleGradientOf returns the gradient by the scales of the coordinates, nil for a kernel that has none.
func scaleGradientOf(k Kernel) func(dst, x, y []float64) {
	switch k := k.(type) {
	case ScaleDifferentiable:
		return k.ScaleGradient
	case interface{ scaleGradient(dst, x, y []float64) }:
		return k.scaleGradient
	}
	return nil
}
