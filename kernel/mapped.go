package kernel

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// ARD is the kernel
//
//	k(x, z) = Of(x/Scales, z/Scales)
//
// with automatic relevance determination: it divides each coordinate by its own scale. A coordinate with a large
// scale has little influence. Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006,
// section 5.1.
type ARD struct {
	Scales []float64 // positive, one for each coordinate
	Of     Kernel
}

func (k ARD) Eval(x, y []float64) float64  { return k.Of.Eval(images(k.by(), x, y)) }
func (k ARD) by() gram.Embedding           { return gram.Division(k.Scales) }
func (k ARD) structure() gram.Structure    { return gram.Structure{Self: k, Map: k.by(), Of: k.Of} }
func (k ARD) describe(d *gram.Description) { d.Scaled, d.Unscaled = true, k.Of }
func (k ARD) String() string               { return literal(k) }

func (k ARD) validate(dim int) error {
	if dim != 0 && dim != len(k.Scales) {
		return fmt.Errorf("kernel: ARD has %d scales, the data %d columns: %w", len(k.Scales), dim, rkhs.ErrShape)
	}
	if len(k.Scales) == 0 {
		return fmt.Errorf("kernel: ARD.Scales is empty: %w", rkhs.ErrOption)
	}
	if err := checkEach(checkLength, "ARD.Scales", k.Scales); err != nil {
		return err
	}
	return validate(k.Of, len(k.Scales))
}

func (k ARD) outside(x []float64) (int, string) {
	column, reason := outside(k.Of, image(k.by(), x))
	if column >= 0 {
		reason = fmt.Sprintf("divided by its scale %v %s", k.Scales[column], reason)
	}
	return column, reason
}

// parameters includes the scales if Of is ScaleDifferentiable.
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
		scales, v = v[:len(scales)], v[len(scales):]
	}
	return ARD{Scales: slices.Clone(scales), Of: WithParameters(k.Of, v)}
}

func (k ARD) logGradient(dst, x, y []float64) int {
	u, v := images(k.by(), x, y)
	n := 0
	if gradient := scaleGradientOf(k.Of); gradient != nil {
		gradient(dst, u, v)
		n = len(x)
	}
	return n + LogGradient(k.Of, dst[n:], u, v)
}

// Projected is the kernel
//
//	k(x, z) = Of(L·x, L·z)
//
// with a matrix L, r×d. If Of is a function of ‖x−z‖², Projected is the same function of the squared Mahalanobis
// distance (x−z)ᵀM(x−z) with M = LᵀL. A diagonal L is ARD. L is not among the Parameters. Rows are mapped once for
// all blocks, in O(n·r·d) for n rows. Source: Weinberger and Tesauro, "Metric learning for kernel regression",
// AISTATS 2007, section 3.
type Projected struct {
	L  *mat.Dense // finite
	Of Kernel
}

func (k Projected) Eval(x, y []float64) float64 { return k.Of.Eval(images(k.by(), x, y)) }
func (k Projected) by() gram.Embedding          { return gram.Projection{Dense: k.L} }
func (k Projected) structure() gram.Structure   { return gram.Structure{Self: k, Map: k.by(), Of: k.Of} }
func (k Projected) String() string              { return literal(k) }

func (k Projected) validate(dim int) error {
	if k.L == nil || k.L.IsEmpty() {
		return fmt.Errorf("kernel: Projected.L is empty: %w", rkhs.ErrEmpty)
	}
	l := k.L.RawMatrix()
	if dim != 0 && dim != l.Cols {
		return fmt.Errorf("kernel: Projected.L has %d columns, the data %d: %w", l.Cols, dim, rkhs.ErrShape)
	}
	if err := input.Finite("kernel", "Projected.L", l); err != nil {
		return err
	}
	return validate(k.Of, l.Rows)
}

// outside returns the column of L·x only in the reason.
func (k Projected) outside(x []float64) (int, string) {
	u := image(k.by(), x)
	column, reason := outside(k.Of, u)
	if column < 0 {
		return -1, ""
	}
	return 0, fmt.Sprintf("and its row: coordinate %d of L·x is %v, %s", column, u[column], reason)
}

func (k Projected) parameters() []Parameter           { return prefixed("Of.", Parameters(k.Of)) }
func (k Projected) withParameters(v []float64) Kernel { return Projected{k.L, WithParameters(k.Of, v)} }

func (k Projected) logGradient(dst, x, y []float64) int {
	u, v := images(k.by(), x, y)
	return LogGradient(k.Of, dst, u, v)
}

func (k Projected) representation(dim int) gram.Representation {
	return representationBehind(k.by(), k, k.Of, dim)
}

// OneHot is the kernel
//
//	k(x, z) = Of(e(x), e(z))
//
// of rows with codes of categories. e replaces coordinate c by one indicator for each of Levels[c], 1 if the coordinate
// equals the level and 0 otherwise. It copies a coordinate without levels. Distances then depend on whether two
// categories differ, and not on the difference of their codes. A value that equals no level has all indicators zero.
// O(Σ_c max(1, |Levels[c]|)) for a point. Source: Hastie, Tibshirani and Friedman, "The elements of statistical
// learning", 2009, section 2.3.3.
type OneHot struct {
	Levels [][]float64 // one list for each coordinate, finite and ascending; empty for a coordinate to copy
	Of     Kernel
}

func (k OneHot) Eval(x, y []float64) float64 { return k.Of.Eval(images(k.by(), x, y)) }
func (k OneHot) by() gram.Embedding          { return gram.Encoding(k.Levels) }
func (k OneHot) structure() gram.Structure   { return gram.Structure{Self: k, Map: k.by(), Of: k.Of} }
func (k OneHot) String() string              { return literal(k) }

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
				return fmt.Errorf("kernel: OneHot.Levels[%d] has %v after %v, want them ascending: %w",
					c, v, levels[l-1], rkhs.ErrOption)
			}
		}
	}
	return validate(k.Of, k.by().Width(0))
}

func (k OneHot) outside(x []float64) (int, string) {
	column, reason := outside(k.Of, image(k.by(), x))
	if column < 0 {
		return -1, ""
	}
	c := 0
	for ; column >= max(1, len(k.Levels[c])); c++ {
		column -= max(1, len(k.Levels[c]))
	}
	return c, "one-hot encoded: " + reason
}

func (k OneHot) parameters() []Parameter           { return prefixed("Of.", Parameters(k.Of)) }
func (k OneHot) withParameters(v []float64) Kernel { return OneHot{k.Levels, WithParameters(k.Of, v)} }

func (k OneHot) logGradient(dst, x, y []float64) int {
	u, v := images(k.by(), x, y)
	return LogGradient(k.Of, dst, u, v)
}

func (k OneHot) representation(dim int) gram.Representation {
	return representationBehind(k.by(), k, k.Of, dim)
}

func image(by gram.Embedding, x []float64) []float64 {
	u := make([]float64, by.Width(len(x)))
	gram.EmbedRow(by, u, x)
	return u
}

func images(by gram.Embedding, x, y []float64) (u, v []float64) {
	return image(by, x), image(by, gram.SameLength(x, y))
}

// representationBehind returns the representation of k(x, z) = of(by(x), by(z)). It is zero if of has no
// representation. For ARD it uses the kernel inside and divides the coordinates by the scales.
func representationBehind(by gram.Embedding, k, of Kernel, dim int) gram.Representation {
	width := by.Width(dim)
	if a, ok := of.(ARD); ok {
		by, of = gram.Compose(by, a.by()), a.Of
	}
	r, err := representationOf(of, width)
	if err != nil {
		return gram.Representation{}
	}
	r.Of, r.Embedding = k, gram.Compose(by, r.Embedding)
	return r
}
