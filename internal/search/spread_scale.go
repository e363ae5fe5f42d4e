package search

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Few rows determine the effect of a rarely listed column. Multiplying each column by its
// deviation reduces the influence of rare columns, the opposite of standardising. For a
// linear function the prior variance of a weight is then the variance of its column.

// leastSpread is the lower bound of deviations relative to the largest. Smaller deviations
// do not change distances at working precision.
const leastSpread = 1e-8

// columnsAnElement is the maximum number of columns per listed element. For more columns the
// scales would need several times the memory of the rows.
const columnsAnElement = 4

// spreadScale returns divisors that multiply each column of sparse rows by its deviation
// relative to the largest. Constant and unlisted columns get the smallest positive
// deviation. It returns nil if Options.Spread is false, all deviations are alike, or there
// are too many columns. O(d + l) for l listed elements of d columns.
func (o *Options) spreadScale(x *compute.Sparse) columnScale {
	if !o.Spread || x.Cols > columnsAnElement*x.Listed() {
		return nil
	}
	s := columnScale(sparseDeviations(x))
	most, least := 0.0, math.Inf(1)
	for _, v := range s {
		if v > 0 {
			most, least = max(most, v), min(least, v)
		}
	}
	if most == 0 {
		return nil
	}
	least = max(least, leastSpread*most)
	for j, v := range s {
		s[j] = most / min(max(v, least), most)
	}
	if s.alike(nil) {
		return nil
	}
	return s
}

// sparseDeviations returns the standard deviation of each column. It divides by the largest
// value first to avoid overflow.
func sparseDeviations(x *compute.Sparse) []float64 {
	from, to := x.Offsets[0], x.Offsets[x.Rows]
	columns, values := x.Columns[from:to], x.Values[from:to]
	unit, mean, square := make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols)
	listed := make([]int32, x.Cols)
	for k, j := range columns {
		unit[j] = max(unit[j], math.Abs(values[k]))
		listed[j]++
	}
	n := float64(x.Rows)
	for k, j := range columns {
		if unit[j] > 0 {
			mean[j] += values[k] / unit[j] / n
		}
	}
	for k, j := range columns {
		if unit[j] > 0 {
			d := values[k]/unit[j] - mean[j]
			square[j] += float64(d * d)
		}
	}
	for j, q := range square {
		unlisted := (n - float64(listed[j])) * float64(mean[j]*mean[j])
		square[j] = unit[j] * math.Sqrt((q+unlisted)/n)
	}
	return square
}
