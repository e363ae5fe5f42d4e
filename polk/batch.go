package polk

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/loss"
)

// Batch is a mini-batch: X is n×d, Y holds the targets, n×q, or the labels, n×1.
type Batch struct{ X, Y mat.Matrix }

// batch holds validated rows with targets or class indices.
type batch struct {
	x       compute.Points
	y       compute.Matrix // B×q, of a regression
	class   []int          // of a classification
	weights compute.Weights
	outputs int // C, which grows with the classes seen
}

func (b batch) clone() batch {
	b.x, b.y, b.class, b.weights = b.x.Clone(), compute.Clone(b.y), append([]int(nil), b.class...), slices.Clone(b.weights)
	return b
}

// between returns rows [from, to), which share memory with b.
func (b batch) between(from, to int) batch {
	b.x, b.weights = b.x.Between(from, to), b.weights.Between(from, to)
	if b.labelled() {
		b.class = b.class[from:to]
	} else {
		b.y = compute.Rows(b.y, from, to)
	}
	return b
}

// largestStep is the number of rows above which an update performs several steps. One step
// on many rows would be little longer than a step on few rows.
const largestStep = 256

// parts returns the batches of the steps of an update.
func (b batch) parts(size int) (list []batch) {
	n := b.x.Rows
	if n <= max(largestStep, size) {
		return []batch{b}
	}
	for from := 0; from < n; from += size {
		list = append(list, b.between(from, min(from+size, n)))
	}
	return list
}

// labelled reports whether the rows have labels.
func (b batch) labelled() bool { return b.class != nil }

// coded returns the batch with targets: a label becomes 1 for its class and −1 for other classes.
func (b batch) coded() batch {
	if !b.labelled() {
		return b
	}
	b.y = compute.NewMatrix(b.x.Rows, b.outputs)
	for i, class := range b.class {
		row := compute.Row(b.y, i)
		for k := range row {
			row[k] = -1
		}
		row[class] = 1
	}
	return b
}

// pick copies rows into the memory of p.
func (b batch) pick(p batch, rows []int) batch {
	b.x.PickTo(&p.x, rows)
	p.outputs, p.weights, p.class = b.outputs, b.weights.Pick(rows), compute.PickOf(b.class, rows)
	if !b.labelled() {
		compute.PickTo(compute.Reshape(&p.y, len(rows), b.y.Cols), b.y, rows)
	}
	return p
}

// checkTargets returns an error for targets with squares that could overflow.
func checkTargets(y compute.Matrix) error {
	for i := range y.Rows {
		for _, v := range compute.Row(y, i) {
			if math.Abs(v) > largest {
				return fmt.Errorf("polk: target %v in row %d exceeds %g: %w", v, i, largest, rkhs.ErrDiverged)
			}
		}
	}
	return nil
}

// gradients stores the unweighted derivatives of the losses at the scores f in g, both B×C. It
// returns the weighted sum of the losses and the number of wrong labels.
func gradients(l loss.Loss, g, f compute.Matrix, b batch) (sum float64, mistakes int) {
	for i := range f.Rows {
		gi, fi := compute.Row(g, i), compute.Row(f, i)
		switch l := l.(type) {
		case loss.Multiclass:
			sum += b.weights.At(i) * l.Value(fi, b.class[i])
			l.Gradient(gi, fi, b.class[i])
		case loss.Scalar:
			y := gi
			if b.labelled() {
				y[0] = float64(2*b.class[i] - 1)
			} else {
				copy(y, compute.Row(b.y, i))
			}
			for o, v := range fi {
				sum += b.weights.At(i) * l.Value(v, y[o])
				gi[o] = l.Derivative(v, y[o])
			}
		}
		if b.labelled() && decide(l, fi) != b.class[i] {
			mistakes++
		}
	}
	return sum, mistakes
}

// decide returns the predicted class: by the sign of the score of a binary loss, else the first
// of the largest scores.
func decide(l loss.Loss, scores []float64) int {
	if loss.Margin(l) {
		return input.Class(scores)
	}
	return floats.MaxIdx(scores)
}

// largest bounds numbers, so that sums of their squares cannot overflow.
const largest = 1e130

// exceeds reports whether a number exceeds largest or is NaN.
func exceeds(v []float64) bool {
	for _, x := range v {
		if !(math.Abs(x) <= largest) {
			return true
		}
	}
	return false
}
