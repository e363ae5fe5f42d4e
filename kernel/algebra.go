package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Sum is the kernel k(x, z) = Σ_i Sum[i](x, z), defined where all its terms are.
type Sum []Kernel

func (k Sum) Eval(x, y []float64) float64 {
	s := 0.0
	for _, t := range k {
		s += t.Eval(x, y)
	}
	return s
}

func (k Sum) Validate(dim int) error            { return validateAll("Sum", k, dim) }
func (k Sum) Outside(x []float64) (int, string) { return outsideAll(k, x) }
func (k Sum) Parameters() []Parameter           { return parametersAll(k) }
func (k Sum) WithParameters(v []float64) Kernel { return Sum(withParametersAll(k, v)) }
func (k Sum) String() string                    { return literal(k) }
func (k Sum) engine(Kernel) gram.Engine         { return gram.Combined(k, false) }
func (k Sum) composition() Kernel               { return k }

func (k Sum) describe() gram.Description {
	terms := make([]gram.Kernel, len(k))
	for i, t := range k {
		terms[i] = t
	}
	return gram.Description{Terms: terms}
}

func (k Sum) LogGradient(dst, x, y []float64) int {
	n := 0
	for _, t := range k {
		n += logGradient(t, dst[n:], x, y)
	}
	return n
}

// Product is the kernel k(x, z) = Π_i Product[i](x, z), defined where all its
// factors are.
type Product []Kernel

func (k Product) Eval(x, y []float64) float64 {
	p := 1.0
	for _, f := range k {
		p *= f.Eval(x, y)
	}
	return p
}

func (k Product) Validate(dim int) error            { return validateAll("Product", k, dim) }
func (k Product) Outside(x []float64) (int, string) { return outsideAll(k, x) }
func (k Product) Parameters() []Parameter           { return parametersAll(k) }
func (k Product) WithParameters(v []float64) Kernel { return Product(withParametersAll(k, v)) }
func (k Product) String() string                    { return literal(k) }
func (k Product) composition() Kernel               { return k }
func (k Product) engine(Kernel) gram.Engine         { return gram.Combined(k, true) }

func (k Product) LogGradient(dst, x, y []float64) int {
	n := 0
	p := 1.0
	for _, f := range k {
		m := logGradient(f, dst[n:], x, y)
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
func (k Scale) Outside(x []float64) (int, string) { return outside(k.Of, x) }
func (k Scale) String() string                    { return literal(k) }
func (k Scale) composition() Kernel               { return k }
func (k Scale) engine(Kernel) gram.Engine         { return gram.Scaled(k.By, k.Of) }

func (k Scale) describe() gram.Description { return gram.Description{By: k.By, Of: k.Of} }

func (k Scale) Validate(dim int) error {
	if err := checkNonnegative("Scale.By", k.By); err != nil {
		return err
	}
	return validate(k.Of, dim)
}

func (k Scale) Parameters() []Parameter {
	return append([]Parameter{{"By", k.By}}, prefixed("Of.", parameters(k.Of))...)
}

func (k Scale) WithParameters(v []float64) Kernel {
	checkCount(v, 1+len(parameters(k.Of)))
	return Scale{By: v[0], Of: withParameters(k.Of, v[1:])}
}

func (k Scale) LogGradient(dst, x, y []float64) int {
	dst[0] = k.Eval(x, y)
	n := 1 + logGradient(k.Of, dst[1:], x, y)
	floats.Scale(k.By, dst[1:n])
	return n
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
		p = append(p, prefixed(fmt.Sprintf("[%d].", i), parameters(k))...)
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
	out := make([]Kernel, len(kernels))
	used := 0
	for i, k := range kernels {
		n := len(parameters(k))
		if used+n > len(v) {
			checkCount(v, used+n)
		}
		out[i] = withParameters(k, v[used:used+n])
		used += n
	}
	checkCount(v, used)
	return out
}
