package doublysgd

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/doublysgd/internal/target"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// outliers tells the rows of a stream that are not learned from: those with a target more
// than outlierFactor times as far from the median of the first rows as any before it.
// Each of them raises the reach by this factor, so that one wild value does no harm, and
// values of a new order are learned from after a few. The zero value knows no outliers.
type outliers struct {
	centre, reach []float64 // of each output
}

const outlierFactor = 10

// newOutliers returns what the targets of the first rows say.
func newOutliers(first compute.Matrix) outliers {
	u := target.Robust(first)
	return outliers{u.Offset, u.Unit}
}

// ordinary returns those of the rows, in their order, that are no outliers. They are
// looked at in the given order, nil for their own.
func (o *outliers) ordinary(y compute.Matrix, order []int) (rows []int) {
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
func (o *outliers) admit(y []float64) bool {
	near := true
	for c, centre := range o.centre {
		near = near && math.Abs(y[c]-centre) <= outlierFactor*o.reach[c]
	}
	for c, centre := range o.centre {
		o.reach[c] = max(o.reach[c], min(math.Abs(y[c]-centre), outlierFactor*o.reach[c]))
	}
	return near
}

// outward returns the rows from the nearest to the farthest from the centre, by the output
// in which they are farthest.
func (o *outliers) outward(y compute.Matrix) []int {
	distance, order := make([]float64, y.Rows), make([]int, y.Rows)
	for i := range order {
		order[i] = i
		for c, centre := range o.centre {
			distance[i] = max(distance[i], math.Abs(y.Data[i*y.Stride+c]-centre)/o.reach[c])
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(distance[i], distance[j]) })
	return order
}

func (o *outliers) encode(e *codec.Encoder) {
	e.Float64s(o.centre)
	e.Float64s(o.reach)
}

// decodeOutliers reads those of so many outputs, or none.
func decodeOutliers(d *codec.Decoder, outputs int) outliers {
	o := outliers{d.Float64s(), d.Float64s()}
	if d.Err() == nil && (len(o.centre) != len(o.reach) || len(o.centre) != 0 && len(o.centre) != outputs) {
		d.Fail("the reach of %d and %d targets, want %d", len(o.centre), len(o.reach), outputs)
	}
	return o
}
