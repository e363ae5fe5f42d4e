package descent

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Outliers detects outlying rows of a stream. The distance of their target from the median of the
// first rows exceeds the distances of all earlier targets by more than the factor outlierFactor.
// Each outlier raises the reach by this factor, so that the stream adapts to values of a new
// magnitude. The zero value detects no outliers.
type Outliers struct {
	centre, reach []float64 // of each output
}

const outlierFactor = 10

// NewOutliers returns the detector for the targets of the first rows.
func NewOutliers(first compute.Matrix) Outliers {
	u := RobustUnits(first, nil)
	return Outliers{u.Offset, u.Unit}
}

// Known reports whether the first rows are known.
func (o *Outliers) Known() bool { return len(o.centre) > 0 }

// Ordinary returns the rows that are no outliers in ascending order. It examines them in the given
// order, or in their own for nil.
func (o *Outliers) Ordinary(y compute.Matrix, order []int) (rows []int) {
	o.reach = slices.Clone(o.reach)
	for k := range y.Rows {
		i := k
		if order != nil {
			i = order[k]
		}
		if o.admit(compute.Row(y, i)) {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}

// admit reports whether a row is ordinary, and extends the reach.
func (o *Outliers) admit(y []float64) bool {
	near := true
	for c, centre := range o.centre {
		near = near && math.Abs(y[c]-centre) <= outlierFactor*o.reach[c]
	}
	for c, centre := range o.centre {
		o.reach[c] = max(o.reach[c], min(math.Abs(y[c]-centre), outlierFactor*o.reach[c]))
	}
	return near
}

// Outward returns the rows by their distance from the centre, the largest over the outputs.
func (o *Outliers) Outward(y compute.Matrix) []int {
	distance, order := make([]float64, y.Rows), compute.Indices(y.Rows)
	for i := range order {
		for c, centre := range o.centre {
			distance[i] = max(distance[i], math.Abs(y.Data[i*y.Stride+c]-centre)/o.reach[c])
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(distance[i], distance[j]) })
	return order
}

// Encode writes o.
func (o *Outliers) Encode(e *codec.Encoder) {
	e.Float64s(o.centre)
	e.Float64s(o.reach)
}

// DecodeOutliers reads a detector for the given number of outputs, or an empty one.
func DecodeOutliers(d *codec.Decoder, outputs int) Outliers {
	o := Outliers{d.Float64s(), d.Float64s()}
	if d.Err() == nil && (len(o.centre) != len(o.reach) || len(o.centre) != 0 && len(o.centre) != outputs) {
		d.Fail("the reach of %d and %d targets, want %d", len(o.centre), len(o.reach), outputs)
	}
	return o
}
