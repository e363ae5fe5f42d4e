package descent

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// Risk is the loss of scores offset + f, n×q, against the targets of n rows: of a
// Scalar loss numbers y, n×q, of a Multiclass loss the index of a class.
type Risk struct {
	Scalar  loss.Scalar     // or nil
	Each    []loss.Scalar   // that of each output, all like Scalar; nil for Scalar
	Multi   loss.Multiclass // or nil
	Y       compute.Matrix
	Class   []int           // of a classification under any loss
	Weights compute.Weights // of the rows, by which losses are multiplied
	Offset  []float64       // of a classification, the score where f = 0; or nil
	Workers int
}

// Part returns the risk of rows [from, to).
func (r *Risk) Part(from, to int) *Risk {
	part := *r
	if r.Multi == nil {
		part.Y = compute.Rows(r.Y, from, to)
	}
	if r.Class != nil {
		part.Class = r.Class[from:to]
	}
	part.Weights = r.Weights.Between(from, to)
	return &part
}

// Ordered returns the risk of the rows in the given order.
func (r *Risk) Ordered(order []int) *Risk {
	part := *r
	if r.Class != nil {
		part.Class = make([]int, len(order))
		for i, row := range order {
			part.Class[i] = r.Class[row]
		}
	}
	part.Weights = r.Weights.Pick(order)
	if r.Multi != nil {
		return &part
	}
	part.Y = compute.NewMatrix(len(order), r.Y.Cols)
	for i, row := range order {
		copy(compute.Row(part.Y, i), compute.Row(r.Y, row))
	}
	return &part
}

// Count returns the number of rows.
func (r *Risk) Count() int {
	if r.Multi != nil {
		return len(r.Class)
	}
	return r.Y.Rows
}

// Loss returns the loss.
func (r *Risk) Loss() loss.Loss {
	if r.Multi != nil {
		return r.Multi
	}
	return r.Scalar
}

// Of returns the Scalar loss of an output.
func (r *Risk) Of(output int) loss.Scalar {
	if r.Each != nil {
		return r.Each[output]
	}
	return r.Scalar
}

// RiskRows is the number of rows that one worker takes at a time, and over which
// a sum of losses is taken before it is added to the others.
const RiskRows = 512

// Value returns the sum of the losses, times their weights.
func (r *Risk) Value(f compute.Matrix) float64 { return r.sum(f, r.at) }

// Total returns the sum of the weights, the number of rows without any.
func (r *Risk) Total() float64 {
	return r.Weights.Total(r.Count())
}

// Centre subtracts from each column of m its mean, and returns the means.
func (r *Risk) Centre(m compute.Matrix) []float64 {
	v := r.means(m)
	for i := range m.Rows {
		for o, c := range v {
			m.Data[i*m.Stride+o] -= c
		}
	}
	return v
}

// means returns the mean of each column of m, which has rows.
func (r *Risk) means(m compute.Matrix) []float64 {
	v := make([]float64, m.Cols)
	r.addColumns(v, m)
	floats.Scale(1/r.Total(), v)
	return v
}

// addColumns adds the sums of the columns of m, rows times their weights.
func (r *Risk) addColumns(sums []float64, m compute.Matrix) {
	for i := range m.Rows {
		if r.Weights == nil {
			floats.Add(sums, compute.Row(m, i))
			continue
		}
		floats.AddScaled(sums, r.Weights[i], compute.Row(m, i))
	}
}

// Criterion returns the mean over rows held out by which choices are made: of the
// loss, or of a classification the fraction of wrong labels. That is smoothed,
// 1/(1 + exp(4·margin)), for the sake of its variance.
func (r *Risk) Criterion(f compute.Matrix) float64 {
	if r.Class == nil {
		return r.Value(f) / r.Total()
	}
	return r.sum(f, r.smoothedError) / r.Total()
}

func (r *Risk) smoothedError(f []float64, i int) float64 {
	return loss.Logistic{}.Probability(-4 * r.Margin(f, i))
}

// score returns the score of output o.
func (r *Risk) score(f []float64, o int) float64 {
	if r.Offset == nil {
		return f[o]
	}
	return f[o] + r.Offset[o]
}

// Margin returns how far the score of the right class lies above all others.
func (r *Risk) Margin(f []float64, i int) float64 {
	if len(f) == 1 {
		return float64(2*r.Class[i]-1) * r.score(f, 0)
	}
	rival, right := math.Inf(-1), 0.0
	for c := range f {
		if v := r.score(f, c); c == r.Class[i] {
			right = v
		} else {
			rival = max(rival, v)
		}
	}
	return (right - rival) / 2
}

// sum adds up what of says of each row, times its weight.
func (r *Risk) sum(f compute.Matrix, of func(f []float64, i int) float64) float64 {
	parts := make([]float64, (r.Count()+RiskRows-1)/RiskRows)
	compute.Parallel(len(parts), r.Workers, func(p int) {
		for i := p * RiskRows; i < min((p+1)*RiskRows, r.Count()); i++ {
			parts[p] += float64(r.Weights.At(i) * of(compute.Row(f, i), i))
		}
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

func (r *Risk) at(f []float64, i int) float64 {
	if r.Multi != nil {
		return r.Multi.Value(f, r.Class[i])
	}
	sum := 0.0
	for o, y := range compute.Row(r.Y, i) {
		sum += r.Of(o).Value(r.score(f, o), y)
	}
	return sum
}

// Descent sets dst to −c times the derivative of the loss of each row, whatever its weight;
// dst may be f.
func (r *Risk) Descent(dst, f compute.Matrix, c float64) {
	compute.Parallel((r.Count()+RiskRows-1)/RiskRows, r.Workers, func(p int) {
		for i := p * RiskRows; i < min((p+1)*RiskRows, r.Count()); i++ {
			r.descentAt(compute.Row(dst, i), compute.Row(f, i), i, c)
		}
	})
}

func (r *Risk) descentAt(dst, f []float64, i int, c float64) {
	if r.Multi == nil {
		for o, y := range compute.Row(r.Y, i) {
			dst[o] = -c * r.Of(o).Derivative(r.score(f, o), y)
		}
		return
	}
	r.Multi.Gradient(dst, f, r.Class[i])
	for o := range dst {
		dst[o] *= -c
	}
}
