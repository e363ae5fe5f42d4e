// Package calibrate fits probabilities of scores, and intervals of predictions, to predictions at
// held-out rows.
package calibrate

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Sample is a list of held-out rows with their predictions and targets.
type Sample struct {
	X       compute.Points // the rows of a regression, or empty
	Scores  compute.Matrix // predictions at held-out rows, n×q
	At      compute.Matrix // predictions of the model itself, n×q, or empty
	Targets compute.Matrix // n×q, of a regression
	Class   []int          // of a classification
	Weights compute.Weights
	// Unlike marks scores on another scale than the scores of the model. Only the class frequencies
	// then give probabilities.
	Unlike bool
}

const (
	// rounding is the relative precision of LeaveOneOut's predictions At. Equal rows differ by less, in an
	// order that depends on their targets.
	rounding = 0x1p-30
	// leastLeft is the smallest 1 − h of a row and its copies.
	leastLeft = 0x1p-44
)

// LeaveOut divides the residuals of a fit by left = 1 − h for the leverages h of the rows. The results
// are the leave-one-out residuals. If times is not nil, it holds the total weight of the copies of each
// row relative to the weight of the row; a fit without the row omits all its copies. Source: Allen, "The
// relationship between variable selection and data augmentation and a method for prediction", 1974.
func LeaveOut(residuals compute.Matrix, left, times []float64) {
	for i, v := range left {
		if times != nil && times[i] != 1 {
			v = max(leastLeft, v-float64((times[i]-1)*(1-v)))
		}
		floats.Scale(1/v, compute.Row(residuals, i))
	}
}

// LeaveOneOut returns the sample of a leave-one-out fit with the residuals left. rest has the residuals of
// the fit to all rows. The targets are y + means.
func LeaveOneOut(x compute.Points, y compute.Matrix, means []float64, left, rest compute.Matrix, class []int, weights compute.Weights) Sample {
	targets := compute.Clone(y)
	compute.AddRow(targets, means)
	scores, at := compute.Clone(targets), compute.Clone(y)
	unit := max(rounding*floats.Norm(at.Data, math.Inf(1)), math.SmallestNonzeroFloat64)
	for i := range scores.Rows {
		floats.Sub(compute.Row(scores, i), compute.Row(left, i))
		row := compute.Row(at, i)
		floats.Sub(row, compute.Row(rest, i))
		for o, v := range row {
			row[o] = math.Round(v/unit) * unit
		}
	}
	compute.AddRow(at, means)
	return Sample{X: x, Scores: scores, At: at, Targets: targets, Class: class, Weights: slices.Clone(weights)}
}

// Rows returns the number of rows.
func (s Sample) Rows() int { return s.Scores.Rows }

// With returns the rows of both samples. An empty one may be zero.
func (s Sample) With(t Sample) Sample {
	if s.Rows() == 0 {
		return t
	}
	all := Sample{Scores: compute.Stack(s.Scores, t.Scores), Class: slices.Concat(s.Class, t.Class)}
	if s.Weights != nil || t.Weights != nil {
		all.Weights = slices.Concat(s.explicitWeights(), t.explicitWeights())
	}
	if s.Class == nil {
		all.Targets = compute.Stack(s.Targets, t.Targets)
		if s.hasColumns() && t.hasColumns() {
			all.X = compute.DensePoints(compute.Stack(s.X.Matrix, t.X.Matrix))
		}
	}
	return all
}

// hasColumns reports whether X is dense and not empty.
func (s Sample) hasColumns() bool { return s.X.Rows == s.Rows() && s.X.Sparse == nil && s.X.Cols > 0 }

// explicitWeights returns the weights, or ones.
func (s Sample) explicitWeights() compute.Weights {
	if s.Weights != nil {
		return s.Weights
	}
	return slices.Repeat(compute.Weights{1}, s.Rows())
}

// OfMeanOne returns s with weights of mean one, or without weights if all are equal. The weights of a
// stream have any scale.
func (s Sample) OfMeanOne() Sample {
	most := s.Weights.Most()
	if s.Weights == nil || s.Weights.Least() == most {
		s.Weights = nil
		return s
	}
	w := make(compute.Weights, s.Rows())
	for i, v := range s.Weights {
		w[i] = v / most
	}
	mean := w.Total(len(w)) / float64(len(w))
	for i := range w {
		w[i] /= mean
	}
	s.Weights = w
	return s
}

// pick returns some rows, without X and At.
func (s Sample) pick(rows []int) Sample {
	p := Sample{Scores: compute.Pick(s.Scores, rows), Class: compute.PickOf(s.Class, rows), Weights: s.Weights.Pick(rows)}
	if s.Class == nil {
		p.Targets = compute.Pick(s.Targets, rows)
	}
	return p
}

// distinct merges rows with equal X and targets into one row with their total weight.
func (s Sample) distinct() Sample {
	if s.X.Rows != s.Rows() {
		return s
	}
	first := s.X.FirstCopies(s.Targets, nil)
	if first == nil {
		return s
	}
	rows := compute.Distinct(compute.Indices(s.Rows()), first)
	p := s.pick(rows)
	p.X, p.Weights = s.X.Pick(rows), s.Weights.OfCopies(first).Pick(rows)
	if s.At.Rows > 0 {
		p.At = compute.Pick(s.At, rows)
	}
	return p
}

// sound reports whether the targets of a decoded sample fit its scores.
func (s Sample) sound(classes int) bool {
	if !compute.AllFinite(s.Scores) {
		return false
	}
	if classes == 0 {
		return s.Targets.Rows == s.Rows() && s.Targets.Cols == s.Scores.Cols && compute.AllFinite(s.Targets)
	}
	unknown := func(k int) bool { return k < 0 || k >= classes }
	return s.Targets.Rows == 0 && len(s.Class) == s.Rows() && !slices.ContainsFunc(s.Class, unknown)
}

// mean returns the weighted mean of one value for each row.
func (s Sample) mean(v []float64) float64 {
	sum := 0.0
	for i, x := range v {
		sum += float64(s.Weights.At(i) * x)
	}
	return sum / s.Weights.Total(s.Rows())
}

// better reports whether losses have a lower mean than others, by more than the given number of standard
// errors of the difference.
func (s Sample) better(losses, others []float64, errors float64) bool {
	d := floats.SubTo(make([]float64, len(losses)), others, losses)
	mean, square := s.mean(d), 0.0
	for i, v := range d {
		e := float64(s.Weights.At(i) * (v - mean))
		square += float64(e * e)
	}
	return mean > errors*math.Sqrt(square)/s.Weights.Total(s.Rows())
}

// folds is the number of folds in cross-validation.
const folds = 5

// parts returns the rows of each fold, stratified by class.
func (s Sample) parts() [][]int {
	order := compute.Indices(s.Rows())
	if s.Class != nil {
		slices.SortStableFunc(order, func(a, b int) int { return s.Class[a] - s.Class[b] })
	}
	list := make([][]int, min(folds, len(order)))
	for i, row := range order {
		list[i%len(list)] = append(list[i%len(list)], row)
	}
	for _, part := range list {
		slices.Sort(part)
	}
	return list
}

// crossValidate returns the loss of each row, given a function that fits to the other folds and returns
// the loss of a row.
func (s Sample) crossValidate(fit func(train Sample) (loss func(i int) float64)) []float64 {
	losses := make([]float64, s.Rows())
	parts := s.parts()
	for _, rows := range parts {
		train := rows
		if len(parts) > 1 {
			train = Others(s.Rows(), rows)
		}
		loss := fit(s.pick(train))
		for _, i := range rows {
			losses[i] = loss(i)
		}
	}
	return losses
}

// ascending returns the indices of v in stable ascending order of its values.
func ascending(v []float64) []int {
	order := compute.Indices(len(v))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	return order
}
