package kernel

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Warped is the kernel
//
//	k(x, z) = Of(w(x), w(z))
//
// with input warping: w replaces each coordinate by a monotone function of it, such as its normal score or the
// logarithm. The function of coordinate c is linear between the knots (From[c][i], To[c][i]) and constant before the
// first and after the last knot. A coordinate without knots is unchanged. Knots are not among the Parameters.
// O(Σ_c log |From[c]|) for a point. Source: Snoek, Swersky, Zemel and Adams, "Input warping for Bayesian optimization
// of non-stationary functions", ICML 2014.
type Warped struct {
	From [][]float64 // one list for each coordinate, finite and ascending; empty for an unchanged coordinate
	To   [][]float64 // the values at From, finite and not descending
	Of   Kernel
}

func (k Warped) Eval(x, y []float64) float64 { return k.Of.Eval(images(k.by(), x, y)) }
func (k Warped) by() gram.Embedding          { return gram.Warping{From: k.From, To: k.To} }
func (k Warped) structure() gram.Structure   { return gram.Structure{Self: k, Map: k.by(), Of: k.Of} }
func (k Warped) String() string              { return literal(k) }

func (k Warped) validate(dim int) error {
	if len(k.From) == 0 {
		return fmt.Errorf("kernel: Warped.From is empty: %w", rkhs.ErrEmpty)
	}
	if dim != 0 && dim != len(k.From) || len(k.To) != len(k.From) {
		return fmt.Errorf("kernel: Warped has knots of %d and values of %d columns, the data %d: %w",
			len(k.From), len(k.To), dim, rkhs.ErrShape)
	}
	for c, from := range k.From {
		to := k.To[c]
		if len(to) != len(from) {
			return fmt.Errorf("kernel: Warped has %d knots and %d values of column %d: %w", len(from), len(to), c+1, rkhs.ErrShape)
		}
		for i, v := range from {
			if !compute.Finite(v-from[0]) || !compute.Finite(to[i]-to[0]) {
				return fmt.Errorf("kernel: Warped has the knot (%v, %v) of column %d: %w", v, to[i], c+1, rkhs.ErrNotFinite)
			}
			if i > 0 && (v <= from[i-1] || to[i] < to[i-1]) {
				return fmt.Errorf("kernel: knots %d and %d of column %d of Warped do not ascend: %w", i, i+1, c+1, rkhs.ErrOption)
			}
		}
	}
	return validate(k.Of, len(k.From))
}

func (k Warped) outside(x []float64) (int, string) {
	column, reason := outside(k.Of, image(k.by(), x))
	if column < 0 {
		return -1, ""
	}
	return column, "warped: " + reason
}

func (k Warped) parameters() []Parameter { return prefixed("Of.", Parameters(k.Of)) }
func (k Warped) withParameters(v []float64) Kernel {
	return Warped{k.From, k.To, WithParameters(k.Of, v)}
}

func (k Warped) logGradient(dst, x, y []float64) int {
	u, v := images(k.by(), x, y)
	return LogGradient(k.Of, dst, u, v)
}

func (k Warped) representation(dim int) gram.Representation {
	return representationBehind(k.by(), k, k.Of, dim)
}
