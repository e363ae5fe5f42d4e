package choose

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// What a rarely listed column does to the targets is told by few rows. Multiplied by its own
// deviation, it counts as little as it is known: the opposite of columns of one deviation. Of a
// function that is linear in the columns, weights have the variance of their columns then.

// leastSpread is what deviations count as at least, in units of the largest: to distances whose
// squares are below the accuracy of numbers, it makes no difference by how much.
const leastSpread = 1e-8

// columnsAnElement is the number of columns for each listed element up to which there are scales:
// beyond, a number for each column would take several times the memory of the rows.
const columnsAnElement = 4

// spreadScale returns what, divided by, multiplies each column of sparse rows by its deviation, in
// units of the largest, or nil where nobody asks for it, all are alike, or the columns are very many. A column that never changes, one that is not
// listed at all among them, counts as the one that changes least. O(d + l) for l listed elements
// of d columns.
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

// sparseDeviations returns the standard deviation of each column, of values in the unit of the
// largest lest squares overflow.
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
