package doublysgd

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// risk is the loss of scores offset + f, n×q, against the targets of n rows: of a
// Scalar loss numbers y, n×q, of a Multiclass loss the index of a class.
type risk struct {
	scalar  loss.Scalar     // or nil
	multi   loss.Multiclass // or nil
	y       compute.Matrix
	class   []int     // of a classification under any loss
	offset  []float64 // of a classification, the score where f = 0; or nil
	workers int
}

// rows returns the risk of rows [from, to).
func (k *risk) rows(from, to int) *risk {
	part := *k
	if k.multi == nil {
		part.y = compute.Rows(k.y, from, to)
	}
	if k.class != nil {
		part.class = k.class[from:to]
	}
	return &part
}

// ordered returns the risk of the rows in the given order.
func (k *risk) ordered(order []int) *risk {
	part := *k
	if k.class != nil {
		part.class = make([]int, len(order))
		for i, r := range order {
			part.class[i] = k.class[r]
		}
	}
	if k.multi != nil {
		return &part
	}
	part.y = compute.NewMatrix(len(order), k.y.Cols)
	for i, r := range order {
		copy(row(part.y, i), row(k.y, r))
	}
	return &part
}

func (k *risk) count() int {
	if k.multi != nil {
		return len(k.class)
	}
	return k.y.Rows
}

func (k *risk) loss() loss.Loss {
	if k.multi != nil {
		return k.multi
	}
	return k.scalar
}

// riskRows is the number of rows that one worker takes at a time, and over which
// a sum of losses is taken before it is added to the others.
const riskRows = 512

// value returns the sum of the losses.
func (k *risk) value(f compute.Matrix) float64 { return k.sum(f, k.at) }

// criterion returns the mean over rows held out by which choices are made: of the
// loss, or of a classification the fraction of wrong labels. That is smoothed,
// 1/(1 + exp(4·margin)), for the sake of its variance.
func (k *risk) criterion(f compute.Matrix) float64 {
	if k.class == nil {
		return k.value(f) / float64(k.count())
	}
	return k.sum(f, k.smoothedError) / float64(k.count())
}

func (k *risk) smoothedError(f []float64, i int) float64 {
	return loss.Logistic{}.Probability(-4 * k.margin(f, i))
}

// score returns the score of output o.
func (k *risk) score(f []float64, o int) float64 {
	if k.offset == nil {
		return f[o]
	}
	return f[o] + k.offset[o]
}

// margin returns how far the score of the right class lies above all others.
func (k *risk) margin(f []float64, i int) float64 {
	if len(f) == 1 {
		return float64(2*k.class[i]-1) * k.score(f, 0)
	}
	rival, right := math.Inf(-1), 0.0
	for c := range f {
		if v := k.score(f, c); c == k.class[i] {
			right = v
		} else {
			rival = max(rival, v)
		}
	}
	return (right - rival) / 2
}

// sum adds up what of says of each row.
func (k *risk) sum(f compute.Matrix, of func(f []float64, i int) float64) float64 {
	parts := make([]float64, (k.count()+riskRows-1)/riskRows)
	compute.Parallel(len(parts), k.workers, func(p int) {
		for i := p * riskRows; i < min((p+1)*riskRows, k.count()); i++ {
			parts[p] += of(row(f, i), i)
		}
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

func (k *risk) at(f []float64, i int) float64 {
	if k.multi != nil {
		return k.multi.Value(f, k.class[i])
	}
	sum := 0.0
	for o, y := range row(k.y, i) {
		sum += k.scalar.Value(k.score(f, o), y)
	}
	return sum
}

// descent sets dst to −c times the derivative of the loss of each row; dst may
// be f.
func (k *risk) descent(dst, f compute.Matrix, c float64) {
	compute.Parallel((k.count()+riskRows-1)/riskRows, k.workers, func(p int) {
		for i := p * riskRows; i < min((p+1)*riskRows, k.count()); i++ {
			k.descentAt(row(dst, i), row(f, i), i, c)
		}
	})
}

func (k *risk) descentAt(dst, f []float64, i int, c float64) {
	if k.multi == nil {
		for o, y := range row(k.y, i) {
			dst[o] = -c * k.scalar.Derivative(k.score(f, o), y)
		}
		return
	}
	k.multi.Gradient(dst, f, k.class[i])
	for o := range dst {
		dst[o] *= -c
	}
}
