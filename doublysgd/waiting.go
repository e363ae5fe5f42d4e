package doublysgd

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// waiting holds rows that no step has been taken on.
type waiting struct {
	x      compute.Matrix
	y      compute.Matrix // of a task with targets
	class  []int          // of a classification
	scores compute.Matrix // of the first rows, as many as it has
}

// with returns the waiting rows with more of them. Those before are shared.
func (w waiting) with(x, y compute.Matrix, class []int) waiting {
	w.x = appendRows(w.x, x)
	w.y = appendRows(w.y, y)
	w.class = append(w.class, class...)
	return w
}

// appendRows returns the rows of m and of x. What append may write to lies behind
// the rows of m.
func appendRows(m, x compute.Matrix) compute.Matrix {
	for i := range x.Rows {
		m.Data = append(m.Data, row(x, i)...)
	}
	m.Rows, m.Cols, m.Stride = m.Rows+x.Rows, x.Cols, x.Cols
	return m
}

// without returns the waiting rows but for the first n, which have scores. They are
// shared.
func (w waiting) without(n int) waiting {
	w.x = compute.Rows(w.x, n, w.x.Rows)
	if w.y.Rows > 0 {
		w.y = compute.Rows(w.y, n, w.y.Rows)
	}
	w.scores = compute.Rows(w.scores, n, w.scores.Rows)
	if w.class != nil {
		w.class = w.class[n:]
	}
	return w
}

// clone returns a copy that does not hold on to rows that were let go.
func (w waiting) clone() waiting {
	return waiting{x: cloneRows(w.x), y: cloneRows(w.y), class: slices.Clone(w.class), scores: cloneRows(w.scores)}
}
