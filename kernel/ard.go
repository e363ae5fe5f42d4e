package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// ARD is the kernel
//
//	k(x, z) = Of(x/Scales, z/Scales)
//
// that divides each coordinate by its own scale before Of sees it: automatic
// relevance determination. A coordinate of large scale counts little. Source:
// Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// section 5.1.
type ARD struct {
	Scales []float64 // positive, one a coordinate
	Of     Kernel
}

func (k ARD) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	u := make([]float64, 2*len(x))
	k.divide(u[:len(x)], x)
	k.divide(u[len(x):], y)
	return k.Of.Eval(u[:len(x)], u[len(x):])
}

func (k ARD) divide(dst, x []float64) {
	floats.DivTo(dst, x, gram.SameLength(x, k.Scales))
}

func (k ARD) engine(Kernel) gram.Engine {
	return gram.Mapped(gram.Division(k.Scales), gram.EngineOf(k.Of))
}

func (k ARD) validate(dim int) error {
	if dim != 0 && dim != len(k.Scales) {
		return fmt.Errorf("kernel: ARD has %d scales, the data %d columns: %w", len(k.Scales), dim, rkhs.ErrShape)
	}
	if len(k.Scales) == 0 {
		return fmt.Errorf("kernel: ARD.Scales is empty: %w", rkhs.ErrOption)
	}
	for i, s := range k.Scales {
		if err := checkLength("ARD.Scales", s); err != nil {
			return checkLength(fmt.Sprintf("ARD.Scales[%d]", i), s)
		}
	}
	return validate(k.Of, len(k.Scales))
}

func (k ARD) outside(x []float64) (int, string) {
	if !hasDomain(k.Of) {
		return -1, ""
	}
	u := make([]float64, len(x))
	k.divide(u, x)
	column, reason := outside(k.Of, u)
	if column >= 0 {
		reason = fmt.Sprintf("divided by its scale %v %s", k.Scales[column], reason)
	}
	return column, reason
}

// parameters implements Parametric. The scales are among them if Of implements
// ScaleDifferentiable.
func (k ARD) parameters() []Parameter {
	var p []Parameter
	if scaleGradientOf(k.Of) != nil {
		for i, s := range k.Scales {
			p = append(p, Parameter{fmt.Sprintf("Scales[%d]", i), s})
		}
	}
	return append(p, prefixed("Of.", Parameters(k.Of))...)
}

func (k ARD) withParameters(v []float64) Kernel {
	checkCount(v, len(k.parameters()))
	scales := k.Scales
	if scaleGradientOf(k.Of) != nil {
		scales, v = v[:len(k.Scales)], v[len(k.Scales):]
	}
	return ARD{Scales: append([]float64(nil), scales...), Of: WithParameters(k.Of, v)}
}

func (k ARD) logGradient(dst, x, y []float64) int {
	y = gram.SameLength(x, y)
	u, v := make([]float64, len(x)), make([]float64, len(x))
	k.divide(u, x)
	k.divide(v, y)
	n := 0
	if gradient := scaleGradientOf(k.Of); gradient != nil {
		gradient(dst, u, v)
		n = len(x)
	}
	return n + LogGradient(k.Of, dst[n:], u, v)
}

func (k ARD) unscaled() Kernel { return k.Of }
func (k ARD) String() string   { return literal(k) }

func (k ARD) structure() gram.Structure {
	return gram.Structure{Self: k, Map: gram.Division(k.Scales), Of: k.Of}
}
