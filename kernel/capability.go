package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// The functions below ask a kernel for a capability. User-defined kernels have it by exported interfaces, which take
// precedence. Kernels of this package have it by unexported methods, which types that embed them inherit.

func init() {
	gram.Install(gram.Source{
		Engine:     engineOf,
		Structure:  structureOf,
		Own:        func(k gram.Kernel, dim int) (gram.Kernel, error) { return ownOf(k, dim) },
		Describe:   describe,
		Represent:  func(k gram.Kernel, dim int) (gram.Representation, error) { return representationOf(k, dim) },
		Check:      func(k gram.Kernel, x compute.Points) error { return check(k, "x", x) },
		Outside:    func(k gram.Kernel, x []float64) (int, string) { return outside(k, x) },
		Restricted: func(k gram.Kernel) bool { return restricted(k) },
	})
}

// engineOf returns the engine of a kernel of this package that has a special one, or nil.
func engineOf(k gram.Kernel) gram.Engine {
	if c, ok := k.(interface{ engine() gram.Engine }); ok {
		return c.engine()
	}
	return nil
}

// structureOf returns the structure of a kernel of this package. A kernel with its own random features has no
// Self, so that package features does not decompose it.
func structureOf(k gram.Kernel) (of gram.Structure) {
	if s, ok := k.(interface{ structure() gram.Structure }); ok {
		of = s.structure()
	}
	if _, ok := k.(Represented); ok {
		of.Self = nil
	}
	return of
}

// describe returns the description of any kernel.
func describe(k gram.Kernel) gram.Description {
	d := gram.Description{ScaleGradient: scaleGradientOf(k)}
	switch k.(type) {
	case Parametric, parametric:
		for _, p := range Parameters(k) {
			d.Names, d.Parameters = append(d.Names, p.Name), append(d.Parameters, p.Value)
		}
		d.WithParameters = func(v []float64) gram.Kernel { return WithParameters(k, v) }
		d.LogGradient = func(dst, x, y []float64) int { return LogGradient(k, dst, x, y) }
	}
	if k, ok := k.(interface{ describe(*gram.Description) }); ok {
		k.describe(&d)
	}
	return d
}

// ownOf returns the kernel of this package that k is or embeds.
func ownOf(k Kernel, dim int) (Kernel, error) {
	if err := validate(k, dim); err != nil {
		return nil, err
	}
	if own, ok := registry.Own(k); ok {
		return own, nil
	}
	var of Kernel = structureOf(k).Self
	if of == nil {
		if r, err := representationOf(k, dim); err == nil {
			of = r.Of
		}
	}
	if of != nil {
		if own, ok := registry.Own(of); ok {
			return own, gram.Agree(k, own, dim)
		}
	}
	return nil, fmt.Errorf("kernel: %v of type %T is no kernel of package kernel: %w", k, k, rkhs.ErrOption)
}

// validate checks the parameters of k for points of length dim, or of any length if dim is 0.
func validate(k Kernel, dim int) (err error) {
	if input.IsNil(k) {
		return fmt.Errorf("kernel: the kernel is nil: %w", rkhs.ErrOption)
	}
	defer recoverError(k, &err)
	switch k := k.(type) {
	case Validator:
		return k.Validate(dim)
	case interface{ validate(dim int) error }:
		return k.validate(dim)
	}
	return nil
}

// recoverError, deferred, turns the panic of a kernel that embeds a nil into an error.
func recoverError(k Kernel, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("kernel: %T cannot be computed with: %v: %w", k, p, rkhs.ErrOption)
	}
}

// domain is a kernel of this package that is undefined at some points.
type domain interface {
	outside(x []float64) (int, string)
}

// outside returns the first column of x outside of the domain of k and the reason, or a negative column.
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

// Parameters returns the parameters of k in a fixed order. It is empty if k is not Parametric.
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

// scaleGradientOf returns the gradient by the scales of the coordinates, or nil for a kernel without it.
func scaleGradientOf(k Kernel) func(dst, x, y []float64) {
	switch k := k.(type) {
	case ScaleDifferentiable:
		return k.ScaleGradient
	case interface{ scaleGradient(dst, x, y []float64) }:
		return k.scaleGradient
	}
	return nil
}
