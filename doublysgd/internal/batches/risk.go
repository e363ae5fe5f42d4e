package batches

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// Risk is the loss of scores offset + f, n×q, against the targets of n rows: of a
// Scalar loss numbers y, n×q, of a Multiclass loss the index of a class.
type Risk struct {
	Scalar  loss.Scalar     // or nil
	Multi   loss.Multiclass // or nil
	Y       compute.Matrix
	Class   []int     // of a classification under any loss
	Offset  []float64 // of a classification, the score where f = 0; or nil
	Workers int
}

// Part returns the risk of rows [from, to).
func (k *Risk) Part(from, to int) *Risk {
	part := *k
	if k.Multi == nil {
		part.Y = compute.Rows(k.Y, from, to)
	}
	if k.Class != nil {
		part.Class = k.Class[from:to]
	}
	return &part
}

// Ordered returns the risk of the rows in the given order.
func (k *Risk) Ordered(order []int) *Risk {
	part := *k
	if k.Class != nil {
		part.Class = make([]int, len(order))
		for i, r := range order {
			part.Class[i] = k.Class[r]
		}
	}
	if k.Multi != nil {
		return &part
	}
	part.Y = compute.NewMatrix(len(order), k.Y.Cols)
	for i, r := range order {
		copy(compute.Row(part.Y, i), compute.Row(k.Y, r))
	}
	return &part
}

// Count returns the number of rows.
func (k *Risk) Count() int {
	if k.Multi != nil {
		return len(k.Class)
	}
	return k.Y.Rows
}

// Loss returns the loss.
func (k *Risk) Loss() loss.Loss {
	if k.Multi != nil {
		return k.Multi
	}
	return k.Scalar
}

// RiskRows is the number of rows that one worker takes at a time, and over which
// a sum of losses is taken before it is added to the others.
const RiskRows = 512

// Value returns the sum of the losses.
func (k *Risk) Value(f compute.Matrix) float64 { return k.sum(f, k.at) }

// Criterion returns the mean over rows held out by which choices are made: of the
// loss, or of a classification the fraction of wrong labels. That is smoothed,
// 1/(1 + exp(4·margin)), for the sake of its variance.
func (k *Risk) Criterion(f compute.Matrix) float64 {
	if k.Class == nil {
		return k.Value(f) / float64(k.Count())
	}
	return k.sum(f, k.smoothedError) / float64(k.Count())
}

func (k *Risk) smoothedError(f []float64, i int) float64 {
	return loss.Logistic{}.Probability(-4 * k.Margin(f, i))
}

// score returns the score of output o.
func (k *Risk) score(f []float64, o int) float64 {
	if k.Offset == nil {
		return f[o]
	}
	return f[o] + k.Offset[o]
}

// Margin returns how far the score of the right class lies above all others.
func (k *Risk) Margin(f []float64, i int) float64 {
	if len(f) == 1 {
		return float64(2*k.Class[i]-1) * k.score(f, 0)
	}
	rival, right := math.Inf(-1), 0.0
	for c := range f {
		if v := k.score(f, c); c == k.Class[i] {
			right = v
		} else {
			rival = max(rival, v)
		}
	}
	return (right - rival) / 2
}

// sum adds up what of says of each row.
func (k *Risk) sum(f compute.Matrix, of func(f []float64, i int) float64) float64 {
	parts := make([]float64, (k.Count()+RiskRows-1)/RiskRows)
	compute.Parallel(len(parts), k.Workers, func(p int) {
		for i := p * RiskRows; i < min((p+1)*RiskRows, k.Count()); i++ {
			parts[p] += of(compute.Row(f, i), i)
		}
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

func (k *Risk) at(f []float64, i int) float64 {
	if k.Multi != nil {
		return k.Multi.Value(f, k.Class[i])
	}
	sum := 0.0
	for o, y := range compute.Row(k.Y, i) {
		sum += k.Scalar.Value(k.score(f, o), y)
	}
	return sum
}

// Descent sets dst to −c times the derivative of the loss of each row; dst may
// be f.
func (k *Risk) Descent(dst, f compute.Matrix, c float64) {
	compute.Parallel((k.Count()+RiskRows-1)/RiskRows, k.Workers, func(p int) {
		for i := p * RiskRows; i < min((p+1)*RiskRows, k.Count()); i++ {
			k.descentAt(compute.Row(dst, i), compute.Row(f, i), i, c)
		}
	})
}

func (k *Risk) descentAt(dst, f []float64, i int, c float64) {
	if k.Multi == nil {
		for o, y := range compute.Row(k.Y, i) {
			dst[o] = -c * k.Scalar.Derivative(k.score(f, o), y)
		}
		return
	}
	k.Multi.Gradient(dst, f, k.Class[i])
	for o := range dst {
		dst[o] *= -c
	}
}
