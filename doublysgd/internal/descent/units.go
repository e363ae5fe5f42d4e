package descent

import (
	"cmp"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Units are the offset and unit of each output: a model fits (y − Offset)/Unit and predicts Offset +
// Unit·f.
type Units struct{ Offset, Unit []float64 }

// NoUnits returns offsets of 0 and units of 1.
func NoUnits(outputs int) Units {
	return Units{make([]float64, outputs), slices.Repeat([]float64{1}, outputs)}
}

// RobustUnits returns the median of each column and 1.4826 times the median absolute deviation
// from it; if that is zero, the mean absolute deviation, or else 1. Integer weights give the units
// of repeated rows. Nil weights mean ones.
func RobustUnits(y compute.Matrix, weights []float64) Units {
	u := NoUnits(y.Cols)
	for o := range y.Cols {
		v := column(y, o)
		centre := median(v, weights)
		for i, x := range v {
			v[i] = math.Abs(x - centre)
		}
		unit := 1.4826 * median(v, weights)
		if unit == 0 {
			unit = mean(v, weights)
		}
		u.Offset[o] = centre
		if unit != 0 && compute.Finite(unit) && compute.Finite(1/unit) {
			u.Unit[o] = unit
		}
	}
	return u
}

// mean returns the weighted mean of v.
func mean(v, weights []float64) float64 {
	if weights == nil {
		return compute.Mean(v)
	}
	sum, total := 0.0, 0.0
	for i, x := range v {
		sum += float64(weights[i] * x)
		total += weights[i]
	}
	return sum / total
}

// median returns the weighted median of v, the mean of the two middle elements if there are two.
// It sorts v if weights is nil.
func median(v, weights []float64) float64 {
	if weights == nil {
		slices.Sort(v)
		n := len(v)
		return v[(n-1)/2]/2 + v[n/2]/2
	}
	const rounding = 1e-12 // of the sum of the weights
	order := compute.Indices(len(v))
	total := 0.0
	for _, w := range weights {
		total += w
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	below := 0.0
	for k, i := range order {
		below += weights[i]
		if math.Abs(below-total/2) <= rounding*total && k+1 < len(order) {
			return v[i]/2 + v[order[k+1]]/2
		}
		if below > total/2 {
			return v[i]
		}
	}
	return v[order[len(order)-1]]
}

// TargetMeans returns the mean of each column and units of 1.
func TargetMeans(y compute.Matrix) Units {
	u := NoUnits(y.Cols)
	for o := range y.Cols {
		u.Offset[o] = compute.Mean(column(y, o))
	}
	return u
}

// StandardUnits returns the mean and standard deviation of each column, or 1 if it is constant up to
// rounding.
func StandardUnits(y compute.Matrix) Units {
	u := TargetMeans(y)
	for o, mean := range u.Offset {
		v := column(y, o)
		largest := 0.0
		for i, x := range v {
			v[i] = math.Abs(x - mean)
			largest = max(largest, v[i])
		}
		if largest <= 1e-14*math.Abs(mean) {
			continue
		}
		for i, x := range v {
			v[i] = (x / largest) * (x / largest)
		}
		u.Unit[o] = largest * math.Sqrt(compute.Mean(v))
	}
	return u
}

func column(y compute.Matrix, o int) []float64 {
	v := make([]float64, y.Rows)
	for i := range v {
		v[i] = y.Data[i*y.Stride+o]
	}
	return v
}

// Standardise returns (y − Offset)/Unit.
func (u Units) Standardise(y compute.Matrix) compute.Matrix {
	z := compute.NewMatrix(y.Rows, y.Cols)
	for i := range y.Rows {
		for o, v := range compute.Row(y, i) {
			z.Data[i*z.Stride+o] = (v - u.Offset[o]) / u.Unit[o]
		}
	}
	return z
}

// Restore replaces f by Offset + Unit·f.
func (u Units) Restore(f compute.Matrix) {
	for i := range f.Rows {
		for o, v := range compute.Row(f, i) {
			f.Data[i*f.Stride+o] = u.Offset[o] + u.Unit[o]*v
		}
	}
}

// Shifted returns the units after a constant is added to the function.
func (u Units) Shifted(constant []float64) Units {
	v := Units{slices.Clone(u.Offset), u.Unit}
	for o, c := range constant {
		v.Offset[o] += float64(u.Unit[o] * c)
	}
	return v
}

// Encode writes u.
func (u Units) Encode(e *codec.Encoder) {
	e.Float64s(u.Offset)
	e.Float64s(u.Unit)
}

// DecodeUnits reads the units of the given number of outputs.
func DecodeUnits(d *codec.Decoder, outputs int) Units {
	u := Units{d.Float64s(), d.Float64s()}
	if d.Err() == nil && (len(u.Offset) != outputs || len(u.Unit) != outputs) {
		d.Fail("%d offsets and %d units of %d outputs", len(u.Offset), len(u.Unit), outputs)
	}
	return u
}
