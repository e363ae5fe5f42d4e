package dataset

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Balanced returns the rows x, n×d, with weights that give all labels, n×1, the same total weight:
// with K labels, each of the n_k rows of a label has the weight n/(K·n_k). Existing weights
// (rkhs.Weighted) keep their ratios within a label. Every classifier accepts the result:
//
//	rows, err := dataset.Balanced(train.X, train.Targets())
//	model, err := ridge.FitClassifier(ctx, rows, train.Targets(), nil)
//
// Use it if errors on a rare label cost as much in total as errors on a frequent label. It usually
// lowers the accuracy. Errors are rkhs.ErrShape, rkhs.ErrLabels, rkhs.ErrEmpty, rkhs.ErrNotFinite
// and the errors of rkhs.Weighted. O(n).
func Balanced(x, labels mat.Matrix) (rkhs.Weighted, error) {
	index, rows, err := weighed("balanced weights", x, labels)
	if err != nil {
		return rkhs.Weighted{}, err
	}
	total, sums := 0.0, map[int]float64{}
	for i, l := range index {
		total += rows.Weights[i]
		sums[l] += rows.Weights[i]
	}
	present := 0.0
	for _, sum := range sums {
		if sum > 0 {
			present++
		}
	}
	for i, l := range index {
		if sums[l] > 0 {
			rows.Weights[i] *= total / (present * sums[l])
		}
	}
	return rows, nil
}

// WeighClasses returns the rows x, n×d, with their weights multiplied by the weights of their
// labels, n×1: the cost of a mistake. The default weight is one. Errors are as for Balanced, and
// rkhs.ErrDomain or rkhs.ErrNotFinite for a negative or infinite weight. O(n).
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

// weighed returns the labels, and the rows with a copy of their weights, or with weights of one.
func weighed(task string, x, labels mat.Matrix) (index []int, rows rkhs.Weighted, err error) {
	if index, err = labelColumn(task, "labels", labels); err != nil {
		return nil, rows, err
	}
	inner, given, err := input.Weights("dataset: "+task, "x", x)
	if err != nil {
		return nil, rows, err
	}
	n, _ := inner.Dims()
	if n != len(index) {
		return nil, rows, fmt.Errorf("dataset: %s: x has %d rows, labels %d: %w", task, n, len(index), rkhs.ErrShape)
	}
	rows = rkhs.Weighted{Matrix: inner, Weights: make([]float64, n)}
	for i := range rows.Weights {
		rows.Weights[i] = compute.Weights(given).At(i)
	}
	return index, rows, nil
}
