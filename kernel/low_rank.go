package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// LowRank is the kernel
//
//	k(x, z) = Σ_m Weights[m] · Base(x, p_m)·Base(z, p_m) / Base(p_m, p_m)
//
// with p_m the rows of Points, M×d. Sparse low-rank kernel learning fits this kernel. A block of n×m values is one
// product of two matrices with M columns. K(X,Z)·W costs O((n+m)·M·(d+q)) for q columns of W. Source: Machart, Peel,
// Anthoine, Ralaivola and Glotin, "Stochastic low-rank kernel learning for regression", ICML 2011, eq. (4).
type LowRank struct {
	Base    Kernel
	Points  *mat.Dense // one point per row, inside the domain of Base, Base(p, p) > 0
	Weights []float64  // nonnegative, one for each point
}

func (k LowRank) Eval(x, y []float64) float64 {
	p := k.Points.RawMatrix()
	s := 0.0
	for m, w := range k.Weights {
		pm := compute.Row(p, m)
		s += w * k.Base.Eval(x, pm) * (k.Base.Eval(y, pm) / k.Base.Eval(pm, pm))
	}
	return s
}

// features maps x to the vector of Base(x, p_m)·√(Weights[m]/Base(p_m, p_m)).
func (k LowRank) features() gram.Embedding {
	return gram.LowRank(k.Base, k.Points.RawMatrix(), k.Weights)
}

func (k LowRank) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Embedding: k.features(), Family: Linear{}}
}

func (k LowRank) engine() gram.Engine               { return gram.Mapped(k.features(), Linear{}.engine()) }
func (k LowRank) outside(x []float64) (int, string) { return outside(k.Base, x) }
func (k LowRank) String() string                    { return literal(k) }

func (k LowRank) validate(dim int) error {
	if k.Points == nil || k.Points.IsEmpty() {
		return fmt.Errorf("kernel: LowRank.Points is empty: %w", rkhs.ErrEmpty)
	}
	p := k.Points.RawMatrix()
	if dim != 0 && dim != p.Cols {
		return fmt.Errorf("kernel: LowRank has points of length %d, the data %d columns: %w", p.Cols, dim, rkhs.ErrShape)
	}
	if len(k.Weights) != p.Rows {
		return fmt.Errorf("kernel: LowRank has %d weights for %d points: %w", len(k.Weights), p.Rows, rkhs.ErrShape)
	}
	if err := checkEach(checkNonnegative, "LowRank.Weights", k.Weights); err != nil {
		return err
	}
	if err := input.Finite("kernel", "LowRank.Points", p); err != nil {
		return err
	}
	if err := check(k.Base, "LowRank.Points", compute.DensePoints(p)); err != nil {
		return err
	}
	for m, v := range gram.Diagonal(k.Base, p) {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("kernel: Base(p, p) is %v at row %d of LowRank.Points, want a positive number: %w",
				v, m, rkhs.ErrDomain)
		}
	}
	return nil
}
