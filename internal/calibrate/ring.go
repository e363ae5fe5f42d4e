package calibrate

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Ring holds the last Enough rows of a stream, each with its prediction before the update. Once it is
// full, Add does not allocate.
type Ring struct {
	sample  Sample
	weights compute.Weights // of all rows
	next    int             // the oldest row of a full ring
}

// Add adds the rows of a sample with at least as many scores as the earlier rows. The earlier rows have
// zeros for new scores.
func (r *Ring) Add(s Sample) {
	r.widen(s)
	for i := range s.Rows() {
		at := r.replace()
		copy(compute.Row(r.sample.Scores, at), compute.Row(s.Scores, i))
		r.weights[at] = s.Weights.At(i)
		if s.Class != nil {
			r.sample.Class[at] = s.Class[i]
		} else {
			copy(compute.Row(r.sample.Targets, at), compute.Row(s.Targets, i))
		}
	}
}

// widen adds columns for the scores of s, and allocates the ring at first.
func (r *Ring) widen(s Sample) {
	old, columns := r.sample.Scores, s.Scores.Cols
	if columns <= old.Cols {
		return
	}
	wide := compute.NewMatrix(Enough, columns)
	for i := range old.Rows {
		copy(compute.Row(wide, i), compute.Row(old, i))
	}
	r.sample.Scores = compute.Rows(wide, 0, old.Rows)
	if old.Cols > 0 {
		return
	}
	r.weights = make([]float64, 0, Enough)
	if s.Class != nil {
		r.sample.Class = make([]int, 0, Enough)
	} else {
		r.sample.Targets = compute.Rows(compute.NewMatrix(Enough, columns), 0, 0)
	}
}

// replace returns the index of a new row.
func (r *Ring) replace() int {
	n := r.sample.Rows()
	if n == Enough {
		at := r.next
		r.next = (r.next + 1) % Enough
		return at
	}
	longer(&r.sample.Scores)
	if r.sample.Class != nil {
		r.sample.Class = append(r.sample.Class, 0)
	} else {
		longer(&r.sample.Targets)
	}
	r.weights = append(r.weights, 1)
	return n
}

// longer adds a row within the capacity.
func longer(m *compute.Matrix) {
	m.Rows++
	m.Data = m.Data[:m.Rows*m.Stride]
}

// Sample returns a copy of the rows in the younger half of the stream, which has all rows. Older
// predictions are from models trained on less than half of it.
func (r *Ring) Sample(all int) Sample {
	if r == nil || r.sample.Rows() == 0 {
		return Sample{}
	}
	n := r.sample.Rows()
	var rows []int
	for i := range n {
		if younger := n - 1 - (i+n-r.next)%n; younger < (all+1)/2 {
			rows = append(rows, i)
		}
	}
	s := r.sample
	s.Weights = r.weights
	return s.pick(rows).OfMeanOne()
}

// Encode writes r.
func (r *Ring) Encode(e *codec.Encoder) {
	e.Int(r.next)
	e.Matrix(r.sample.Scores)
	e.Matrix(r.sample.Targets)
	e.Ints(r.sample.Class)
	e.Float64s(r.weights)
}

// DecodeRing reads a ring with at most the given number of scores and with labels of the given number
// of classes, 0 for a regression.
func DecodeRing(d *codec.Decoder, columns, classes int) Ring {
	next, s, weights := d.Int(), Sample{Scores: d.Matrix(), Targets: d.Matrix(), Class: d.Ints()}, d.Float64s()
	if d.Err() != nil || s.Rows() == 0 {
		return Ring{}
	}
	if classes == 0 {
		s.Class = nil
	}
	shaped := s.Rows() <= Enough && s.Scores.Cols <= columns && next >= 0 && next < Enough && s.sound(classes)
	weighted := len(weights) == s.Rows() && finite(weights) && slices.Min(weights) >= 0 && slices.Max(weights) > 0
	if !shaped || !weighted {
		d.Fail("%d×%d scores of calibration rows are invalid", s.Rows(), s.Scores.Cols)
		return Ring{}
	}
	s.Weights = weights
	r := Ring{}
	r.Add(s)
	r.next = next
	return r
}
