package choose

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// The rim: rows that are left out together, a slice of the outermost along a random
// direction, which the others must extrapolate to. Rows left out one by one have
// neighbours, and cannot tell a kernel that goes wild beyond the rows from one that does
// not. It counts little, since rows to come are mostly like those at hand.
const (
	rimSlices = 6
	rimShare  = 0.05
	rimWeight = 0.05
)

// scoreOf returns log error + rimWeight·log rim.
func scoreOf(error, rim float64) float64 {
	const least = 1e-300
	return logOne(max(error, least)) + float64(rimWeight*logOne(max(rim, least)))
}

// direction holds coordinates: of sparse rows those in the columns that they list.
type direction struct {
	columns []int32 // ascending, of sparse rows
	at      []float64
}

func newDirection(x compute.Points) *direction {
	if x.Sparse == nil {
		return &direction{at: make([]float64, x.Cols)}
	}
	columns := x.Sparse.Touched()
	return &direction{columns, make([]float64, len(columns))}
}

// along returns the inner products of the rows with a direction of normal coordinates, drawn anew in
// the order of the columns that there are.
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

// rim returns the slices, of the rows of x from the first on.
func rim(x compute.Points, first int, seed uint64) [][]int {
	slicesOf, d := make([][]int, rimSlices), newDirection(x)
	s := rng.New(seed, "choose rim", 0)
	for k := range slicesOf {
		along := d.along(x, s.NormFloat64)
		order := compute.Indices(x.Rows)[first:]
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(along[b], along[a]) })
		slicesOf[k] = order[:max(1, int(rimShare*float64(len(order))))]
	}
	return slicesOf
}
