package descent

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Waiting holds rows that no step has been taken on.
type Waiting struct {
	X       compute.Points
	Y       compute.Matrix  // of a task with targets
	Class   []int           // of a classification
	Weights compute.Weights // nil, where no row that waits has any but 1
	Scores  compute.Matrix  // of the first rows, as many as it has
}

// With returns the waiting rows with more of them, without the scores of these. Those before
// are shared.
func (w Waiting) With(more Waiting) Waiting {
	if w.Weights != nil || more.Weights != nil {
		w.Weights = append(w.weights(), more.weights()...)
	}
	w.X = w.X.With(more.X)
	w.Y = compute.AppendRows(w.Y, more.Y)
	w.Class = append(w.Class, more.Class...)
	return w
}

// Without returns the waiting rows but for the first n, which have scores or no row has.
// They are shared.
func (w Waiting) Without(n int) Waiting {
	w.X = w.X.Between(n, w.X.Rows)
	if w.Y.Rows > 0 {
		w.Y = compute.Rows(w.Y, n, w.Y.Rows)
	}
	if w.Scores.Rows > 0 {
		w.Scores = compute.Rows(w.Scores, n, w.Scores.Rows)
	}
	if w.Class != nil {
		w.Class = w.Class[n:]
	}
	w.Weights = w.Weights.Between(n, len(w.Weights))
	return w
}

// weights returns those of all rows, as many ones where there are none.
func (w Waiting) weights() []float64 {
	if w.Weights == nil {
		return slices.Repeat([]float64{1}, w.X.Rows)
	}
	return w.Weights
}

// First returns the first n rows, without scores. They are shared.
func (w Waiting) First(n int) Waiting {
	f := Waiting{X: w.X.Between(0, n), Y: compute.Rows(w.Y, 0, n)}
	if w.Class != nil {
		f.Class = w.Class[:n]
	}
	f.Weights = w.Weights.Between(0, n)
	return f
}

// Last returns the last n rows at most, without scores. They are shared.
func (w Waiting) Last(n int) Waiting {
	w.Scores = compute.Matrix{}
	if from := w.X.Rows - n; from > 0 {
		return w.Without(from)
	}
	return w
}

// Picked returns copies of the given rows, none of which has scores.
func (w Waiting) Picked(rows []int) Waiting {
	p := Waiting{X: w.X.Pick(rows), Y: compute.Pick(w.Y, rows), Weights: w.Weights.Pick(rows)}
	for _, i := range rows {
		if w.Class != nil {
			p.Class = append(p.Class, w.Class[i])
		}
	}
	return p
}

// Clone returns a copy that does not hold on to rows that were let go.
func (w Waiting) Clone() Waiting {
	return Waiting{X: w.X.Clone(), Y: compute.Clone(w.Y), Class: slices.Clone(w.Class), Weights: slices.Clone(w.Weights), Scores: compute.Clone(w.Scores)}
}
