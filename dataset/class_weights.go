package dataset

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Balanced returns rows x, n×d, with weights by which all labels, n×1, count alike: a row
// of a label of n_k rows, of K labels, has the weight n/(K·n_k). Rows that have weights
// already, rkhs.Weighted, keep their ratios among those of a label. Every classifier takes
// the result in place of the rows:
//
//	rows, err := dataset.Balanced(train.X, train.Targets())
//	model, err := ridge.FitClassifier(ctx, rows, train.Targets(), nil)
//
// It fits where all mistakes among a rare label are as bad as all those among a frequent
// one; the fraction of right labels becomes smaller by it, as a rule. Errors are
// rkhs.ErrShape, rkhs.ErrLabels, rkhs.ErrEmpty, rkhs.ErrNotFinite and those of
// rkhs.Weighted. O(n).
func Balanced(x, labels mat.Matrix) (rkhs.Weighted, error) {
	index, rows, err := weighed("balanced weights", x, labels)
	if err != nil {
		return rkhs.Weighted{}, err
	}
	total, of := 0.0, map[int]float64{}
	for i, l := range index {
		total += rows.Weights[i]
		of[l] += rows.Weights[i]
	}
	present := 0.0
	for _, sum := range of {
		if sum > 0 {
			present++
		}
	}
	for i, l := range index {
		if of[l] > 0 {
			rows.Weights[i] *= total / (present * of[l])
		}
	}
	return rows, nil
}

// WeighClasses returns rows x, n×d, with the weights that are given for their labels, n×1,
// times those that they have already: what a mistake costs. A label without a weight has
// the weight one. Errors are those of Balanced, and rkhs.ErrDomain or rkhs.ErrNotFinite for
// a weight that is none. O(n).
func WeighClasses(x, labels mat.Matrix, weights map[int]float64) (rkhs.Weighted, error) {
	const task = "weights of classes"
	for l, w := range weights {
		switch {
		case w-w != 0:
			return rkhs.Weighted{}, fmt.Errorf("dataset: %s: the weight of label %d is %v: %w", task, l, w, rkhs.ErrNotFinite)
		case w < 0:
			return rkhs.Weighted{}, fmt.Errorf("dataset: %s: the weight of label %d is %v: %w", task, l, w, rkhs.ErrDomain)
		}
	}
	index, rows, err := weighed(task, x, labels)
	if err != nil {
		return rkhs.Weighted{}, err
	}
	for i, l := range index {
		if w, given := weights[l]; given {
			rows.Weights[i] *= w
		}
	}
	return rows, nil
}

// weighed returns the labels of rows, and the rows with weights, one without.
func weighed(task string, x, labels mat.Matrix) (index []int, rows rkhs.Weighted, err error) {
	if index, err = labelColumn(task, "labels", labels); err != nil {
		return nil, rows, err
	}
	inner, given, err := door.Weights("dataset: "+task, "x", x)
	if err != nil {
		return nil, rows, err
	}
	weights := compute.Weights(given)
	n, _ := inner.Dims()
	if n != len(index) {
		return nil, rows, fmt.Errorf("dataset: %s: x has %d rows, labels %d: %w", task, n, len(index), rkhs.ErrShape)
	}
	rows = rkhs.Weighted{Matrix: inner, Weights: make([]float64, n)}
	for i := range rows.Weights {
		rows.Weights[i] = weights.At(i)
	}
	return index, rows, nil
}
