package gram

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// lowRankMap maps x to the vector of Base(x, p_m)·√(Weights[m]/Base(p_m, p_m)).
type lowRankMap struct {
	base    Engine
	points  side
	factors []float64
}

// diagonalOf takes few rows at a time: the diagonal of a LowRank needs its
// factor of these rows.
func diagonalOf(e Engine, x compute.Matrix) []float64 {
	const few = 16
	d := make([]float64, x.Rows)
	for i := 0; i < x.Rows; i += few {
		to := min(i+few, x.Rows)
		e.diag(d[i:to], compute.Rows(x, i, to))
	}
	return d
}

// LowRank returns the map of x to the vector of base(x, p_m)·√(weights[m]/base(p_m, p_m)).
func LowRank(base Kernel, points compute.Matrix, weights []float64) Embedding {
	e := EngineOf(base)
	f := diagonalOf(e, points)
	for m, v := range f {
		f[m] = math.Sqrt(weights[m] / v)
	}
	return lowRankMap{e, e.prepare(points, 0), f}
}

// Diagonal returns k(x_i, x_i), computed for few rows at a time.
func Diagonal(k Kernel, x compute.Matrix) []float64 { return diagonalOf(EngineOf(k), x) }

func (l lowRankMap) Width(int) int { return len(l.factors) }

func (l lowRankMap) EmbedTo(dst, x blas64.General, workers int) {
	eachTile(x.Rows, workers, func(from, to int) {
		rows := compute.Rows(dst, from, to)
		tiles(l.base, rows, l.base.prepare(compute.Rows(x, from, to), 1), l.points, 0)
		for i := range rows.Rows {
			floats.Mul(compute.Row(rows, i), l.factors)
		}
	})
}
