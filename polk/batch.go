package polk

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/loss"
)

// batch is rows that have passed the door, with targets or with class indices.
type batch struct {
	x       compute.Matrix
	y       compute.Matrix // B×q, of a regression
	class   []int          // of a classification
	outputs int            // C, which grows with the classes seen
}

func (b batch) clone() batch {
	b.x.Data, b.y.Data, b.class = slices.Clone(b.x.Data), slices.Clone(b.y.Data), slices.Clone(b.class)
	return b
}

// labelled reports whether the batch is of a classification.
func (b batch) labelled() bool { return b.class != nil }

// gradients sets g to the derivatives of the losses at the scores f, both B×C,
// and returns the sum of the losses and the number of wrong labels.
func gradients(l loss.Loss, g, f compute.Matrix, b batch) (sum float64, mistakes int) {
	for i := range f.Rows {
		gi, fi := row(g, i), row(f, i)
		switch l := l.(type) {
		case loss.Multiclass:
			sum += l.Value(fi, b.class[i])
			l.Gradient(gi, fi, b.class[i])
		case loss.Scalar:
			y := gi
			if b.labelled() {
				y[0] = sign(b.class[i])
			} else {
				copy(y, row(b.y, i))
			}
			for o, v := range fi {
				sum += l.Value(v, y[o])
				gi[o] = l.Derivative(v, y[o])
			}
		}
		if b.labelled() && decide(l, fi) != b.class[i] {
			mistakes++
		}
	}
	return sum, mistakes
}

// sign returns the target of one of two classes.
func sign(class int) float64 { return float64(2*class - 1) }

// decide returns the index of the class: by the sign of the score of a loss of
// labels ±1, else the first of the highest scores.
func decide(l loss.Loss, scores []float64) int {
	best := 0
	if loss.Margin(l) && scores[0] > 0 {
		return 1
	}
	for c, v := range scores {
		if v > scores[best] {
			best = c
		}
	}
	return best
}

// beyond reports whether any number is too large to work with, or none.
func beyond(v []float64) bool {
	const most = 1e100
	for _, x := range v {
		if !(math.Abs(x) <= most) {
			return true
		}
	}
	return false
}
