package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Projected is the kernel
//
//	k(x, z) = Of(L·x, L·z)
//
// of points that a matrix L, r×d, maps before Of sees them. Where Of is a function of
// ‖x−z‖² it is one of the squared Mahalanobis distance (x−z)ᵀM(x−z) with M = LᵀL. ARD is
// that of a diagonal L. Rows are mapped once for all blocks, O(n·r·d) for n rows. Source:
// Weinberger and Tesauro, "Metric learning for kernel regression", AISTATS 2007, section 3.
type Projected struct {
	L  *mat.Dense // finite
	Of Kernel
}

// Eval returns k(x, y).
func (k Projected) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	l := k.L.RawMatrix()
	u := make([]float64, 2*l.Rows)
	k.project(u[:l.Rows], x)
	k.project(u[l.Rows:], y)
	return k.Of.Eval(u[:l.Rows], u[l.Rows:])
}

func (k Projected) project(dst, x []float64) {
	l := k.L.RawMatrix()
	for i := range dst {
		dst[i] = gram.Dot(compute.Row(l, i), x)
	}
}

func (k Projected) engine(Kernel) gram.Engine {
	return gram.Mapped(gram.Projection{Dense: k.L}, gram.EngineOf(k.Of))
}

// validate implements Validator.
func (k Projected) validate(dim int) error {
	if k.L == nil || k.L.IsEmpty() {
		return fmt.Errorf("kernel: Projected.L is empty: %w", rkhs.ErrEmpty)
	}
	l := k.L.RawMatrix()
	if dim != 0 && dim != l.Cols {
		return fmt.Errorf("kernel: Projected.L has %d columns, the data %d: %w", l.Cols, dim, rkhs.ErrShape)
	}
	for i := range l.Rows {
		for j, v := range compute.Row(l, i) {
			if !compute.Finite(v) {
				return fmt.Errorf("kernel: Projected.L at row %d, column %d is %v: %w", i, j, v, rkhs.ErrNotFinite)
			}
		}
	}
	return validate(k.Of, l.Rows)
}

// outside implements Domain. The column is that of L·x.
func (k Projected) outside(x []float64) (int, string) {
	if !hasDomain(k.Of) {
		return -1, ""
	}
	u := make([]float64, k.L.RawMatrix().Rows)
	k.project(u, x)
	column, reason := outside(k.Of, u)
	if column >= 0 {
		return 0, fmt.Sprintf("and its row: coordinate %d of L·x is %v, %s", column, u[column], reason)
	}
	return -1, ""
}

// parameters implements Parametric: those of Of. L is not among them.
func (k Projected) parameters() []Parameter { return prefixed("Of.", Parameters(k.Of)) }

// withParameters implements Parametric.
func (k Projected) withParameters(v []float64) Kernel {
	return Projected{L: k.L, Of: WithParameters(k.Of, v)}
}

// logGradient implements Parametric.
func (k Projected) logGradient(dst, x, y []float64) int {
	r := k.L.RawMatrix().Rows
	u := make([]float64, 2*r)
	k.project(u[:r], x)
	k.project(u[r:], gram.SameLength(x, y))
	return LogGradient(k.Of, dst, u[:r], u[r:])
}

// representation implements Represented, where Of is.
func (k Projected) representation(int) gram.Representation {
	r, err := representationOf(k.Of, k.L.RawMatrix().Rows)
	if err != nil {
		return gram.Representation{}
	}
	r.Of = k
	if r.Embedding == nil {
		r.Embedding = gram.Projection{Dense: k.L}
	} else {
		r.Embedding = gram.Composed{Inner: gram.Projection{Dense: k.L}, Outer: r.Embedding}
	}
	return r
}

func (k Projected) String() string { return literal(k) }

func (k Projected) structure() gram.Structure {
	return gram.Structure{Self: k, Map: gram.Projection{Dense: k.L}, Of: k.Of}
}
