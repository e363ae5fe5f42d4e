package dataset

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Standardization is the map of each column v to (v − Mean)/Std.
type Standardization struct {
	Mean, Std []float64
}

// Standardize scales the columns of train to mean 0 and standard deviation 1,
// and those of the others by the same map, all in place, and returns the map.
// The standard deviation divides by n (not n−1); for a constant column it is
// taken as 1, so that the column becomes exactly 0. It panics if train has no
// rows, or another matrix has another number of columns. O(n·d).
func Standardize(train *mat.Dense, others ...*mat.Dense) *Standardization {
	s := standardizationOf(train)
	s.Apply(train)
	for _, x := range others {
		s.Apply(x)
	}
	return s
}

// Apply maps the rows of x in place. It panics if x has not one column for each
// of s.Mean.
func (s *Standardization) Apply(x *mat.Dense) {
	n, d := x.Dims()
	if d != len(s.Mean) {
		panic("dataset: standardization of another number of columns")
	}
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = (row[j] - s.Mean[j]) / s.Std[j]
		}
	}
}

// standardizationOf measures the columns of x from its first row, which makes
// the mean of a constant column exact and an offset harmless, and in units of
// the largest deviation, which keeps the squares in range.
func standardizationOf(x *mat.Dense) *Standardization {
	n, d := x.Dims()
	first := x.RawRowView(0)
	shift, largest, squares := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			shift[j] += (v - first[j]) / float64(n)
			largest[j] = max(largest[j], math.Abs(v-first[j]))
		}
	}
	s := &Standardization{Mean: make([]float64, d), Std: make([]float64, d)}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if largest[j] > 0 {
				e := (v - first[j] - shift[j]) / largest[j]
				squares[j] += float64(e * e) // not fused: the same bits on every machine
			}
		}
	}
	for j := range d {
		s.Mean[j] = first[j] + shift[j]
		s.Std[j] = 1
		if largest[j] > 0 {
			s.Std[j] = largest[j] * math.Sqrt(squares[j]/float64(n))
		}
	}
	return s
}
