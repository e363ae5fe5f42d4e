package input

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Weighed holds rows with their targets and weights.
type Weighed struct {
	X compute.Points
	Y blas64.General
	// Weights of the rows are positive. Nil means ones.
	Weights []float64
	// Kept lists the rows of positive weight. It is nil if all rows have positive weight.
	Kept []int
}

// A Form is the form of rows that a learner needs.
type Form func(pkg, name string, m mat.Matrix) (compute.Points, error)

// Dense is the Form of dense rows. Sparse rows are converted, up to 2 GiB.
func Dense(pkg, name string, m mat.Matrix) (compute.Points, error) {
	v, err := View(pkg, name, m)
	return compute.DensePoints(v), err
}

// WeighedPair validates rows x, which may be rkhs.Weighted, and their targets y. Unequal numbers of rows
// are rkhs.ErrShape. It does not normalise weights.
func WeighedPair(pkg string, form Form, x, y mat.Matrix) (Weighed, error) {
	return weighedPair(pkg, form, x, "y", y)
}

// WeighedLabels is WeighedPair for labels.
func WeighedLabels(pkg string, form Form, x, labels mat.Matrix) (Weighed, error) {
	return weighedPair(pkg, form, x, "labels", labels)
}

func weighedPair(pkg string, form Form, x mat.Matrix, name string, y mat.Matrix) (w Weighed, err error) {
	if w, err = rowsWithWeights(pkg, form, "x", x); err != nil {
		return w, err
	}
	if w.Y, err = View(pkg, name, y); err != nil {
		return Weighed{}, err
	}
	if w.X.Rows != w.Y.Rows {
		return Weighed{}, fmt.Errorf("%s: x has %d rows, %s has %d: %w", pkg, w.X.Rows, name, w.Y.Rows, rkhs.ErrShape)
	}
	return w.positive(), nil
}

// rowsWithWeights returns all rows with their weights.
func rowsWithWeights(pkg string, form Form, name string, x mat.Matrix) (w Weighed, err error) {
	rows, weights, err := split(pkg, name, x)
	if err != nil {
		return w, err
	}
	w.X, err = form(pkg, name, rows)
	w.Weights = weights
	return w, err
}

// WeighedRows is WeighedPair for rows without targets. name is the argument in errors.
func WeighedRows(pkg string, form Form, name string, x mat.Matrix) (w Weighed, err error) {
	if w, err = rowsWithWeights(pkg, form, name, x); err != nil {
		return Weighed{}, err
	}
	return w.positive(), nil
}

// WeighedClasses is WeighedLabels and Labels, with weights normalised by MeanOne.
func WeighedClasses(pkg string, form Form, x, labels mat.Matrix) (w Weighed, names, index []int, err error) {
	if w, err = WeighedLabels(pkg, form, x, labels); err != nil {
		return w, nil, nil, err
	}
	w.Weights = MeanOne(w.Weights)
	names, index, err = Labels(pkg, w.Y)
	return w, names, index, err
}

// MeanOne returns the weights scaled to mean one, or nil if all are equal.
func MeanOne(weights []float64) []float64 {
	if len(weights) == 0 || slices.Min(weights) == slices.Max(weights) {
		return nil
	}
	w := slices.Clone(weights)
	floats.Scale(1/slices.Max(weights), w)
	floats.Scale(float64(len(w))/floats.Sum(w), w)
	return w
}

// leastWeight is the fraction of the largest weight below which a weight is treated as zero.
const leastWeight = 1e-100

// Weights returns a matrix without its weights, and the validated weights or nil.
func Weights(pkg, name string, m mat.Matrix) (rows mat.Matrix, weights []float64, err error) {
	if rows, weights, err = split(pkg, name, m); err != nil {
		return nil, nil, err
	}
	if IsNil(rows) {
		return nil, nil, fmt.Errorf("%s: %s is nil: %w", pkg, name, rkhs.ErrEmpty)
	}
	if _, _, err = dims(rows); err != nil {
		return nil, nil, fmt.Errorf("%s: %s is %w", pkg, name, err)
	}
	return rows, weights, nil
}

// positive removes rows of zero weight.
func (w Weighed) positive() Weighed {
	if w.Weights == nil {
		return w
	}
	least := leastWeight * slices.Max(w.Weights)
	var kept []int
	for i, v := range w.Weights {
		if v > least {
			kept = append(kept, i)
		}
	}
	if len(kept) == len(w.Weights) {
		return w
	}
	w.Kept = kept
	w.X, w.Y = w.X.Pick(kept), pick(w.Y, kept)
	weights := make([]float64, len(kept))
	for i, row := range kept {
		weights[i] = w.Weights[row]
	}
	w.Weights = weights
	return w
}

// pick returns copies of rows of m, or m if it is empty.
func pick(m blas64.General, rows []int) blas64.General {
	if m.Rows == 0 {
		return m
	}
	return compute.Pick(m, rows)
}

// Unweighted returns a matrix without its weights.
func Unweighted(m mat.Matrix) mat.Matrix {
	if w, ok := weighted(m); ok {
		return w.Matrix
	}
	return m
}

// weighted returns m as an rkhs.Weighted, also through a pointer.
func weighted(m mat.Matrix) (w rkhs.Weighted, ok bool) {
	if p, pointer := m.(*rkhs.Weighted); pointer && p != nil {
		return *p, true
	}
	w, ok = m.(rkhs.Weighted)
	return w, ok
}

// split returns the rows of a matrix and their weights, or nil.
func split(pkg, name string, m mat.Matrix) (rows mat.Matrix, weights []float64, err error) {
	w, ok := weighted(m)
	if !ok {
		return m, nil, nil
	}
	if IsNil(w.Matrix) {
		return nil, nil, fmt.Errorf("%s: the matrix of the weighted %s is nil: %w", pkg, name, rkhs.ErrEmpty)
	}
	r, _, err := dims(w.Matrix)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s is %w", pkg, name, err)
	}
	if len(w.Weights) != r {
		return nil, nil, fmt.Errorf("%s: %s has %d rows and %d weights: %w", pkg, name, r, len(w.Weights), rkhs.ErrShape)
	}
	if err := checkWeights(pkg, name, w.Weights); err != nil {
		return nil, nil, err
	}
	return w.Matrix, w.Weights, nil
}

// checkWeights returns an error that names the first row with an invalid weight.
func checkWeights(pkg, name string, weights []float64) error {
	most := 0.0
	for i, v := range weights {
		switch {
		case v-v != 0:
			return fmt.Errorf("%s: the weight of row %d of %s is %v: %w", pkg, i, name, v, rkhs.ErrNotFinite)
		case v < 0:
			return fmt.Errorf("%s: the weight of row %d of %s is %v: %w", pkg, i, name, v, rkhs.ErrDomain)
		}
		most = max(most, v)
	}
	if most == 0 && len(weights) > 0 {
		return fmt.Errorf("%s: all %d weights of %s are zero: %w", pkg, len(weights), name, rkhs.ErrEmpty)
	}
	return nil
}

// Between returns rows [from, to) with their targets and weights, without Kept.
func (w Weighed) Between(from, to int) Weighed {
	p := Weighed{X: w.X.Between(from, to), Y: compute.Rows(w.Y, from, to)}
	if w.Weights != nil {
		p.Weights = w.Weights[from:to]
	}
	return p
}
