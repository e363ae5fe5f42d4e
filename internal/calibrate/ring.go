package calibrate

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Ring holds the last rows of a stream with what was predicted of each before it was learned
// from, Enough of them. It takes rows without allocating once it is full.
type Ring struct {
	sample  Sample
	weights compute.Weights // of all rows
	next    int             // the oldest row, once it is full
}

// Add takes the rows of a sample, of as many scores as those before or more: the rows before
// have then zeros for these.
func (r *Ring) Add(s Sample) {
	r.widen(s)
	for i := range s.Rows() {
		at := r.place()
		copy(compute.Row(r.sample.Scores, at), compute.Row(s.Scores, i))
		r.weights[at] = s.Weights.At(i)
		if s.Class != nil {
			r.sample.Class[at] = s.Class[i]
		} else {
			copy(compute.Row(r.sample.Targets, at), compute.Row(s.Targets, i))
		}
	}
}

// widen makes room for rows like those of s.
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

// place returns the place of a new row.
func (r *Ring) place() int {
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

// longer adds a row, for which there is room.
func longer(m *compute.Matrix) {
	m.Rows++
	m.Data = m.Data[:m.Rows*m.Stride]
}

// Sample returns a copy of the rows, of which the older half of all rows of the stream is left out:
// a model of less than half of these tells little of the model that there is now.
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

// DecodeRing reads what Encode wrote, of so many scores and of so many classes, 0 for a
// regression.
func DecodeRing(d *codec.Decoder, columns, classes int) Ring {
	next, s, weights := d.Int(), Sample{Scores: d.Matrix(), Targets: d.Matrix(), Class: d.Ints()}, d.Float64s()
	if d.Err() != nil || s.Rows() == 0 {
		return Ring{}
	}
	if classes == 0 {
		s.Class = nil
	}
	if s.Rows() > Enough || s.Scores.Cols > columns || next < 0 || next >= Enough || len(weights) != s.Rows() || !s.sound(classes) ||
		slices.Min(weights) < 0 || !compute.AllFinite(compute.ColumnOf(weights)) || slices.Max(weights) == 0 {
		d.Fail("%d×%d scores of rows that were learned from", s.Rows(), s.Scores.Cols)
		return Ring{}
	}
	s.Weights = weights
	r := Ring{}
	r.Add(s)
	r.next = next
	return r
}

// sound reports whether what came true fits the scores.
func (s Sample) sound(classes int) bool {
	if !compute.AllFinite(s.Scores) {
		return false
	}
	if classes == 0 {
		return s.Targets.Rows == s.Rows() && s.Targets.Cols == s.Scores.Cols && compute.AllFinite(s.Targets)
	}
	return s.Targets.Rows == 0 && len(s.Class) == s.Rows() && !slices.ContainsFunc(s.Class, func(k int) bool { return k < 0 || k >= classes })
}
