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

// alongDirection returns the inner products of the rows with a direction of normal
// coordinates, drawn in the order of the columns that there are.
func alongDirection(x compute.Points, normal func() float64) []float64 {
	along := make([]float64, x.Rows)
	if x.Sparse != nil {
		direction := map[int32]float64{}
		for _, j := range x.Sparse.Touched() {
			direction[j] = normal()
		}
		for i := range along {
			columns, values := x.Sparse.Row(i)
			for k, j := range columns {
				along[i] += float64(values[k] * direction[j])
			}
		}
		return along
	}
	direction := make([]float64, x.Cols)
	for j := range direction {
		direction[j] = normal()
	}
	for i := range along {
		for j, v := range compute.Row(x.Matrix, i) {
			along[i] += float64(v * direction[j])
		}
	}
	return along
}

// rim returns the slices, of the rows of x from the first on.
func rim(x compute.Points, first int, seed uint64) [][]int {
	slicesOf := make([][]int, rimSlices)
	s := rng.New(seed, "choose rim", 0)
	for k := range slicesOf {
		along := alongDirection(x, s.NormFloat64)
		order := compute.Indices(x.Rows)[first:]
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(along[b], along[a]) })
		slicesOf[k] = order[:max(1, int(rimShare*float64(len(order))))]
	}
	return slicesOf
}
