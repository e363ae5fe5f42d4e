package descent

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// RobustUnitsWeighed is RobustUnits for rows of the given weights, or nil: of whole weights the units
// are those of rows repeated.
func RobustUnitsWeighed(y compute.Matrix, weights []float64) Units {
	if weights == nil {
		return RobustUnits(y)
	}
	u := NoUnits(y.Cols)
	for o := range y.Cols {
		v := column(y, o)
		centre := medianWeighed(v, weights)
		mean, total := 0.0, 0.0
		for i, x := range v {
			v[i] = math.Abs(x - centre)
			mean += float64(weights[i] * v[i])
			total += weights[i]
		}
		unit := 1.4826 * medianWeighed(v, weights)
		if unit == 0 {
			unit = mean / total
		}
		u.Offset[o] = centre
		if unit != 0 && compute.Finite(unit) && compute.Finite(1/unit) {
			u.Unit[o] = unit
		}
	}
	return u
}

// halfway is the fraction of all weights by which rounding may miss a half of them.
const halfway = 1e-12

// medianWeighed returns the value below which half of the weights lie, or the mean of two
// between which there is none.
func medianWeighed(v, weights []float64) float64 {
	order := compute.Indices(len(v))
	total := 0.0
	for _, w := range weights {
		total += w
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	below := 0.0
	for k, i := range order {
		if below += weights[i]; math.Abs(below-total/2) <= halfway*total && k+1 < len(order) {
			return v[i]/2 + v[order[k+1]]/2
		}
		if below > total/2 {
			return v[i]
		}
	}
	return v[order[len(order)-1]]
}
