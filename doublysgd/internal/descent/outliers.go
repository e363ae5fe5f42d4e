package descent

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Outliers tells the rows of a stream that are not learned from: those with a target more
// than outlierFactor times as far from the median of the first rows as any before it.
// Each of them raises the reach by this factor, so that one wild value does no harm, and
// values of a new order are learned from after a few. The zero value knows no outliers.
type Outliers struct {
	centre, reach []float64 // of each output
}

const outlierFactor = 10

// NewOutliers returns what the targets of the first rows say.
func NewOutliers(first compute.Matrix) Outliers {
	u := RobustUnits(first, nil)
	return Outliers{u.Offset, u.Unit}
}

// Known reports whether there were first rows.
func (o *Outliers) Known() bool { return len(o.centre) > 0 }

// Ordinary returns those of the rows, in their order, that are no outliers. They are
// looked at in the given order, nil for their own.
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

// admit reports whether a row is none, and extends the reach.
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

// Outward returns the rows from the nearest to the farthest from the centre, by the output
// in which they are farthest.
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

// DecodeOutliers reads those of so many outputs, or none.
func DecodeOutliers(d *codec.Decoder, outputs int) Outliers {
	o := Outliers{d.Float64s(), d.Float64s()}
	if d.Err() == nil && (len(o.centre) != len(o.reach) || len(o.centre) != 0 && len(o.centre) != outputs) {
		d.Fail("the reach of %d and %d targets, want %d", len(o.centre), len(o.reach), outputs)
	}
	return o
}
