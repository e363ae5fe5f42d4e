package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// computed is a kernel of this package, or one that embeds it and so is the same
// function by another name.
type computed interface {
	// engine returns the engine of self, which is the kernel that was asked.
	engine(self Kernel) gram.Engine
}

// structured is a kernel of this package of which the engine knows more.
type structured interface{ structure() gram.Structure }

// looped is a kernel of this package with a loop over rows.
type looped interface {
	row(dst, x []float64, z blas64.General)
}

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

func engineOf(k gram.Kernel) (gram.Engine, bool) {
	if c, ok := k.(computed); ok {
		return c.engine(k), true
	}
	return nil, false
}

func structureOf(k gram.Kernel) gram.Structure {
	switch k := k.(type) {
	case Represented: // has features of its own
		return gram.Structure{}
	case structured:
		return k.structure()
	case looped:
		return gram.Structure{Row: k.row}
	}
	return gram.Structure{}
}

// describe tells a search what it may know of k.
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
	if l, ok := k.(interface {
		distance() gram.Distance
		lessDiagonal(dst, s []float64)
	}); ok {
		d.Distance, d.LessDiagonal = l.distance(), l.lessDiagonal
	}
	if h, ok := k.(interface{ amplitude() float64 }); ok {
		d.Amplitude = h.amplitude()
	}
	if q, ok := k.(interface{ precision() float64 }); ok {
		d.Precision = q.precision()
	}
	if a, ok := k.(interface{ unscaled() Kernel }); ok {
		d.Scaled, d.Unscaled = true, a.unscaled()
	}
	return d
}

// ownOf returns the kernel of this package that k is, or embeds.
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
	own, ok := Kernel(nil), false
	if of != nil {
		own, ok = registry.Own(of)
	}
	if !ok {
		return nil, fmt.Errorf("kernel: %v of type %T is no kernel of package kernel: %w", k, k, rkhs.ErrOption)
	}
	return own, gram.Agree(k, own, dim)
}
