package search

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// criterion computes the loss of each row times its weight. The error is the mean loss.
type criterion struct {
	y       compute.Matrix  // n×q; for classes ±1, one against the rest
	labels  []int           // or nil
	weights compute.Weights // or nil
}

// among returns the weights of the listed rows scaled to mean one, or nil.
func (c criterion) among(rows []int) []float64 {
	w := c.weights.Pick(rows)
	if w != nil {
		floats.Scale(1/mean(w), w)
	}
	return w
}

// fittedCriterion is a criterion with the sharpness fitted to one set of predictions.
type fittedCriterion struct {
	criterion
	sharpness float64
	wrong     float64 // fraction of rows in which another class has the largest score
}

// fit returns the losses of predictions f of consecutive rows starting at first.
func (c criterion) fit(f compute.Matrix, first int) ([]float64, fittedCriterion) {
	j := fittedCriterion{criterion: c}
	rows := make([]int, f.Rows)
	for i := range rows {
		rows[i] = first + i
	}
	if c.labels != nil {
		s := c.softMaximum(f, rows)
		defer softMaxima.Put(s)
		j.sharpness, j.wrong = s.sharpness(), s.wrong
		return s.losses(j.sharpness), j
	}
	return j.losses(f, rows), j
}

// losses returns the loss of each listed row, given their predictions f.
func (j fittedCriterion) losses(f compute.Matrix, rows []int) []float64 {
	if j.labels != nil {
		s := j.softMaximum(f, rows)
		defer softMaxima.Put(s)
		return s.losses(j.sharpness)
	}
	loss := make([]float64, f.Rows)
	for i, r := range rows {
		for c, v := range compute.Row(f, i) {
			d := v - j.y.Data[r*j.y.Stride+c]
			loss[i] += float64(d * d)
		}
	}
	if w := j.among(rows); w != nil {
		floats.Mul(loss, w)
	}
	return loss
}

// softMaximum gives class c the probability exp(t·f_c)/Σ_j exp(t·f_j). Two classes have
// the scores −f and f.
type softMaximum struct {
	classes int
	below   []float64       // n×classes: score minus the score of the row's class
	weights compute.Weights // of the rows, or nil
	scratch []float64       // n×classes
	largest []float64       // n
	trial   []float64       // n, losses at the current sharpness
	wrong   float64         // fraction of rows with a positive entry
}

// softMaxima pools released values for reuse.
var softMaxima = sync.Pool{New: func() any { return new(softMaximum) }}

func (c criterion) softMaximum(f compute.Matrix, rows []int) *softMaximum {
	classes := max(2, f.Cols)
	s := softMaxima.Get().(*softMaximum)
	s.classes, s.weights, s.wrong = classes, c.among(rows), 0
	s.below, s.scratch = compute.Resize(s.below, f.Rows*classes), compute.Resize(s.scratch, f.Rows*classes)
	s.largest, s.trial = compute.Resize(s.largest, f.Rows), compute.Resize(s.trial, f.Rows)
	for i, r := range rows {
		l := c.labels[r]
		row := s.below[i*classes : (i+1)*classes]
		copy(row, compute.Row(f, i))
		if f.Cols == 1 {
			row[0], row[1] = -row[0], row[0]
		}
		floats.AddConst(-row[l], row)
		if slices.Max(row) > 0 {
			s.wrong += s.weights.At(i) / float64(f.Rows)
		}
	}
	return s
}

// losses returns −log of the probability of the class of each row,
// log Σ_j exp(t·(f_j − f_c)).
func (s *softMaximum) losses(t float64) []float64 {
	return s.lossesTo(make([]float64, len(s.largest)), t)
}

// lossesTo stores the losses in loss and returns it.
func (s *softMaximum) lossesTo(loss []float64, t float64) []float64 {
	for i := range loss {
		row := s.below[i*s.classes : (i+1)*s.classes]
		s.largest[i] = t * slices.Max(row)
		for j, v := range row {
			s.scratch[i*s.classes+j] = float64(t*v) - s.largest[i]
		}
	}
	compute.Exp(s.scratch, s.scratch)
	for i := range loss {
		loss[i] = sum(s.scratch[i*s.classes : (i+1)*s.classes])
	}
	compute.Log(loss, loss)
	floats.Add(loss, s.largest)
	if s.weights != nil {
		floats.Mul(loss, s.weights)
	}
	return loss
}

// Bounds and accuracy of log t in the search for the sharpness.
const (
	leastSharpness, mostSharpness = -2.5, 4.5
	sharpnessAccuracy             = 0.05
)

// sharpness returns the t that minimises the mean loss, a convex function of t, by
// golden section search in log t. It calibrates scores from squared loss, which
// approach ±1 at any class probability.
func (s *softMaximum) sharpness() float64 {
	const golden = 0.6180339887498949
	at := func(logarithm float64) float64 { return sum(s.lossesTo(s.trial, compute.ExpOne(logarithm))) }
	lo, hi := leastSharpness, mostSharpness
	a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
	fa, fb := at(a), at(b)
	for hi-lo > sharpnessAccuracy {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - float64(golden*(hi-lo))
			fa = at(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + float64(golden*(hi-lo))
			fb = at(b)
		}
	}
	return compute.ExpOne((lo + hi) / 2)
}

// mean adds in order.
func mean(v []float64) float64 { return sum(v) / float64(len(v)) }

// standardError returns the standard error of mean(a) − mean(b) from paired differences.
func standardError(a, b []float64) float64 {
	n := float64(len(a))
	shift, square := mean(a)-mean(b), 0.0
	for i, v := range a {
		d := v - b[i] - shift
		square += float64(d * d)
	}
	return math.Sqrt(square / n / max(n-1, 1))
}
