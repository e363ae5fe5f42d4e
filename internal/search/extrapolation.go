package search

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// An extrapolation set has the outermost rows along a random direction, predicted together
// from all other rows. Leave-one-out cannot detect wild extrapolation, because a single row
// has close neighbours. The weight is small since most unseen rows resemble the training rows.
const (
	extrapolationSets   = 6
	extrapolationShare  = 0.05
	extrapolationWeight = 0.05
)

// scoreOf returns log error + extrapolationWeight·log extrapolation for the two mean losses.
func scoreOf(error, extrapolation float64) float64 {
	const least = 1e-300
	return logOne(max(error, least)) + float64(extrapolationWeight*logOne(max(extrapolation, least)))
}

// direction is a random direction. For sparse rows it has only the listed columns.
type direction struct {
	columns []int32 // ascending; nil for dense rows
	at      []float64
}

func newDirection(x compute.Points) *direction {
	if x.Sparse == nil {
		return &direction{at: make([]float64, x.Cols)}
	}
	columns := x.Sparse.Touched()
	return &direction{columns, make([]float64, len(columns))}
}

// along returns the inner products of the rows with a new direction. It draws the
// coordinates from normal in column order.
func (d *direction) along(x compute.Points, normal func() float64) []float64 {
	for j := range d.at {
		d.at[j] = normal()
	}
	along := make([]float64, x.Rows)
	if x.Sparse != nil {
		for i := range along {
			columns, values := x.Sparse.Row(i)
			for k, j := range columns {
				at, _ := slices.BinarySearch(d.columns, j)
				along[i] += float64(values[k] * d.at[at])
			}
		}
		return along
	}
	for i := range along {
		for j, v := range compute.Row(x.Matrix, i) {
			along[i] += float64(v * d.at[j])
		}
	}
	return along
}

// extrapolation returns extrapolation sets among the rows of x from first on.
func extrapolation(x compute.Points, first int, seed uint64) [][]int {
	slicesOf, d := make([][]int, extrapolationSets), newDirection(x)
	s := rng.New(seed, "choose rim", 0)
	for k := range slicesOf {
		along := d.along(x, s.NormFloat64)
		order := compute.Indices(x.Rows)[first:]
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(along[b], along[a]) })
		slicesOf[k] = order[:max(1, int(extrapolationShare*float64(len(order))))]
	}
	return slicesOf
}
