package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// OneHot is the kernel
//
//	k(x, z) = Of(e(x), e(z))
//
// of points some of whose coordinates are codes of categories: e puts in the place of
// coordinate c, for each of its Levels[c], an indicator, 1 where the coordinate is that level
// and 0 else, and leaves a coordinate without levels as it is. Distances then tell whether
// two categories differ, and not how far apart their codes are. A value that is none of the
// levels has zeros alone. O(Σ_c max(1, |Levels[c]|)) for a point. Source: one-hot encoding, the
// usual one of nominal variables (Hastie, Tibshirani and Friedman, "The elements of
// statistical learning", 2009, section 2.3.3).
type OneHot struct {
	Levels [][]float64 // finite and ascending, one list a coordinate; empty for one that is no code
	Of     Kernel
}

// Eval returns k(x, y).
func (k OneHot) Eval(x, y []float64) float64 {
	u, v := k.images(x, gram.SameLength(x, y))
	return k.Of.Eval(u, v)
}

func (k OneHot) images(x, y []float64) (u, v []float64) {
	e := gram.Encoding(k.Levels)
	width := e.Width(len(x))
	both := make([]float64, 2*width)
	u, v = both[:width], both[width:]
	gram.EmbedRow(e, u, x)
	gram.EmbedRow(e, v, y)
	return u, v
}

func (k OneHot) engine(Kernel) gram.Engine {
	return gram.Mapped(gram.Encoding(k.Levels), gram.EngineOf(k.Of))
}

// validate implements Validator.
func (k OneHot) validate(dim int) error {
	if dim != 0 && dim != len(k.Levels) {
		return fmt.Errorf("kernel: OneHot has levels of %d columns, the data %d: %w", len(k.Levels), dim, rkhs.ErrShape)
	}
	if len(k.Levels) == 0 {
		return fmt.Errorf("kernel: OneHot.Levels is empty: %w", rkhs.ErrEmpty)
	}
	for c, levels := range k.Levels {
		for l, v := range levels {
			if !compute.Finite(v) {
				return fmt.Errorf("kernel: OneHot.Levels[%d][%d] is %v: %w", c, l, v, rkhs.ErrNotFinite)
			}
			if l > 0 && levels[l-1] >= v {
				return fmt.Errorf("kernel: OneHot.Levels[%d] has %v after %v, want them ascending: %w", c, v, levels[l-1], rkhs.ErrOption)
			}
		}
	}
	return validate(k.Of, gram.Encoding(k.Levels).Width(0))
}

// outside implements Domain.
func (k OneHot) outside(x []float64) (int, string) {
	if !hasDomain(k.Of) {
		return -1, ""
	}
	e := gram.Encoding(k.Levels)
	u := make([]float64, e.Width(len(x)))
	gram.EmbedRow(e, u, x)
	column, reason := outside(k.Of, u)
	if column < 0 {
		return -1, ""
	}
	at := 0
	for c, levels := range k.Levels {
		if at += max(1, len(levels)); column < at {
			return c, "one-hot encoded: " + reason
		}
	}
	return column, reason
}

// parameters implements Parametric: those of Of.
func (k OneHot) parameters() []Parameter { return prefixed("Of.", Parameters(k.Of)) }

// withParameters implements Parametric.
func (k OneHot) withParameters(v []float64) Kernel {
	return OneHot{Levels: k.Levels, Of: WithParameters(k.Of, v)}
}

// logGradient implements Parametric.
func (k OneHot) logGradient(dst, x, y []float64) int {
	u, v := k.images(x, gram.SameLength(x, y))
	return LogGradient(k.Of, dst, u, v)
}

// representation implements Represented, where Of is, or what is divided by its scales.
func (k OneHot) representation(int) gram.Representation {
	e := gram.Encoding(k.Levels)
	width := e.Width(0)
	var by gram.Embedding = e
	of := k.Of
	if a, ok := of.(ARD); ok {
		by, of = gram.Composed{Inner: e, Outer: gram.Division(a.Scales)}, a.Of
	}
	r, err := representationOf(of, width)
	if err != nil {
		return gram.Representation{}
	}
	r.Of = k
	if r.Embedding != nil {
		by = gram.Composed{Inner: by, Outer: r.Embedding}
	}
	r.Embedding = by
	return r
}

func (k OneHot) String() string { return literal(k) }

func (k OneHot) structure() gram.Structure {
	return gram.Structure{Self: k, Map: gram.Encoding(k.Levels), Of: k.Of}
}
