package descent

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Waiting holds rows before their step.
type Waiting struct {
	X       compute.Points
	Y       compute.Matrix  // of a task with targets
	Class   []int           // of a classification
	Weights compute.Weights // nil if all weights are 1
	Scores  compute.Matrix  // of the first Scores.Rows rows
}

// With returns w with more rows appended, without their scores. The rows of w are shared.
func (w Waiting) With(more Waiting) Waiting {
	if w.Weights != nil || more.Weights != nil {
		w.Weights = append(w.weights(), more.weights()...)
	}
	w.X = w.X.With(more.X)
	w.Y = compute.AppendRows(w.Y, more.Y)
	w.Class = append(w.Class, more.Class...)
	return w
}

// Between returns rows [from, to), which share memory with w.
func (w Waiting) Between(from, to int) Waiting {
	w.X, w.Weights = w.X.Between(from, to), w.Weights.Between(from, to)
	if w.Y.Rows > 0 {
		w.Y = compute.Rows(w.Y, from, to)
	}
	if w.Class != nil {
		w.Class = w.Class[from:to]
	}
	w.Scores = compute.Rows(w.Scores, min(from, w.Scores.Rows), min(to, w.Scores.Rows))
	return w
}

// Without returns w without its first n rows.
func (w Waiting) Without(n int) Waiting { return w.Between(n, w.X.Rows) }

// Last returns the last n rows without their scores, or all if there are fewer.
func (w Waiting) Last(n int) Waiting {
	w.Scores = compute.Matrix{}
	return w.Without(max(0, w.X.Rows-n))
}

// weights returns the weights of all rows, with ones for nil.
func (w Waiting) weights() []float64 {
	if w.Weights == nil {
		return slices.Repeat([]float64{1}, w.X.Rows)
	}
	return w.Weights
}

// Picked returns copies of rows, without scores.
func (w Waiting) Picked(rows []int) Waiting {
	p := Waiting{X: w.X.Pick(rows), Y: compute.Pick(w.Y, rows), Weights: w.Weights.Pick(rows)}
	for _, i := range rows {
		if w.Class != nil {
			p.Class = append(p.Class, w.Class[i])
		}
	}
	return p
}

// Clone returns a copy that does not retain removed rows.
func (w Waiting) Clone() Waiting {
	return Waiting{X: w.X.Clone(), Y: compute.Clone(w.Y), Class: slices.Clone(w.Class), Weights: slices.Clone(w.Weights), Scores: compute.Clone(w.Scores)}
}
