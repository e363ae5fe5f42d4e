package kernel

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Sum is the kernel k(x, z) = Σ_i Sum[i](x, z). Its domain is the intersection of the domains of its terms.
type Sum []Kernel

func (k Sum) Eval(x, y []float64) float64 {
	s := 0.0
	for _, t := range k {
		s += t.Eval(x, y)
	}
	return s
}

func (k Sum) validate(dim int) error            { return validateAll("Sum", k, dim) }
func (k Sum) outside(x []float64) (int, string) { return outsideAll(k, x) }
func (k Sum) parameters() []Parameter           { return parametersAll(k) }
func (k Sum) withParameters(v []float64) Kernel { return Sum(withParametersAll(k, v)) }
func (k Sum) structure() gram.Structure         { return gram.Structure{Self: k, Terms: listOf(k)} }
func (k Sum) String() string                    { return literal(k) }

func (k Sum) logGradient(dst, x, y []float64) int {
	n := 0
	for _, t := range k {
		n += LogGradient(t, dst[n:], x, y)
	}
	return n
}

// Product is the kernel k(x, z) = Π_i Product[i](x, z). Its domain is the intersection of the domains of its factors.
type Product []Kernel

func (k Product) Eval(x, y []float64) float64 {
	p := 1.0
	for _, f := range k {
		p *= f.Eval(x, y)
	}
	return p
}

func (k Product) validate(dim int) error            { return validateAll("Product", k, dim) }
func (k Product) outside(x []float64) (int, string) { return outsideAll(k, x) }
func (k Product) parameters() []Parameter           { return parametersAll(k) }
func (k Product) withParameters(v []float64) Kernel { return Product(withParametersAll(k, v)) }
func (k Product) structure() gram.Structure         { return gram.Structure{Self: k, Factors: listOf(k)} }
func (k Product) String() string                    { return literal(k) }

func (k Product) logGradient(dst, x, y []float64) int {
	n := 0
	p := 1.0
	for _, f := range k {
		m := LogGradient(f, dst[n:], x, y)
		v := f.Eval(x, y)
		floats.Scale(v, dst[:n])
		floats.Scale(p, dst[n:n+m])
		p *= v
		n += m
	}
	return n
}

// Scale is the kernel k(x, z) = By·Of(x, z).
type Scale struct {
	By float64 // nonnegative
	Of Kernel
}

func (k Scale) Eval(x, y []float64) float64       { return k.By * k.Of.Eval(x, y) }
func (k Scale) outside(x []float64) (int, string) { return outside(k.Of, x) }
func (k Scale) structure() gram.Structure         { return gram.Structure{Self: k, By: k.By, Of: k.Of} }
func (k Scale) String() string                    { return literal(k) }

func (k Scale) validate(dim int) error {
	return cmp.Or(checkNonnegative("Scale.By", k.By), validate(k.Of, dim))
}

func (k Scale) parameters() []Parameter {
	return append([]Parameter{{"By", k.By}}, prefixed("Of.", Parameters(k.Of))...)
}

func (k Scale) withParameters(v []float64) Kernel {
	checkCount(v, 1+len(Parameters(k.Of)))
	return Scale{By: v[0], Of: WithParameters(k.Of, v[1:])}
}

func (k Scale) logGradient(dst, x, y []float64) int {
	dst[0] = k.Eval(x, y)
	n := 1 + LogGradient(k.Of, dst[1:], x, y)
	floats.Scale(k.By, dst[1:n])
	return n
}

func listOf(kernels []Kernel) []gram.Kernel {
	list := make([]gram.Kernel, len(kernels))
	for i, k := range kernels {
		list[i] = k
	}
	return list
}

func validateAll(name string, kernels []Kernel, dim int) error {
	if len(kernels) == 0 {
		return fmt.Errorf("kernel: %s is empty: %w", name, rkhs.ErrOption)
	}
	for _, k := range kernels {
		if err := validate(k, dim); err != nil {
			return err
		}
	}
	return nil
}

func outsideAll(kernels []Kernel, x []float64) (int, string) {
	for _, k := range kernels {
		if column, reason := outside(k, x); column >= 0 {
			return column, reason
		}
	}
	return -1, ""
}

func parametersAll(kernels []Kernel) []Parameter {
	var p []Parameter
	for i, k := range kernels {
		p = append(p, prefixed(fmt.Sprintf("[%d].", i), Parameters(k))...)
	}
	return p
}

func prefixed(prefix string, p []Parameter) []Parameter {
	for i := range p {
		p[i].Name = prefix + p[i].Name
	}
	return p
}

func withParametersAll(kernels []Kernel, v []float64) []Kernel {
	checkCount(v, len(parametersAll(kernels)))
	out := make([]Kernel, len(kernels))
	for i, k := range kernels {
		n := len(Parameters(k))
		out[i], v = WithParameters(k, v[:n]), v[n:]
	}
	return out
}
