package input

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
)

// Labels returns the distinct labels of a column of whole numbers in ascending order, and the class of
// each row, the index of its label. A fractional value or a single label is rkhs.ErrLabels.
func Labels(pkg string, y blas64.General) (labels []int, index []int, err error) {
	if index, err = Whole(pkg, y); err != nil {
		return nil, nil, err
	}
	seen := map[int]int{}
	for _, l := range index {
		seen[l] = 0
	}
	labels = slices.Sorted(maps.Keys(seen))
	if len(labels) < 2 {
		return nil, nil, fmt.Errorf("%s: all labels are %d: %w", pkg, labels[0], rkhs.ErrLabels)
	}
	for k, l := range labels {
		seen[l] = k
	}
	for i, l := range index {
		index[i] = seen[l]
	}
	return labels, index, nil
}

// Whole returns a column of whole numbers. A fractional value is rkhs.ErrLabels.
func Whole(pkg string, y blas64.General) ([]int, error) {
	if err := single(pkg, y); err != nil {
		return nil, err
	}
	labels := make([]int, y.Rows)
	for i := range labels {
		v := y.Data[i*y.Stride]
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return nil, fmt.Errorf("%s: label %v in row %d is not a whole number: %w", pkg, v, i, rkhs.ErrLabels)
		}
		labels[i] = int(v)
	}
	return labels, nil
}

func single(pkg string, y blas64.General) error {
	if y.Cols != 1 {
		return fmt.Errorf("%s: labels have %d columns, want one: %w", pkg, y.Cols, rkhs.ErrShape)
	}
	return nil
}

// Announced returns labels that are given before the first row, in ascending order. Fewer than two labels,
// or equal labels, are rkhs.ErrLabels.
func Announced(pkg string, labels []int) ([]int, error) {
	sorted := slices.Sorted(slices.Values(labels))
	if len(sorted) < 2 || len(slices.Compact(slices.Clone(sorted))) < len(sorted) {
		return nil, fmt.Errorf("%s: labels %v; want two or more, all different: %w", pkg, labels, rkhs.ErrLabels)
	}
	return sorted, nil
}

// Known returns the class of each row of the column y, the index of its label in labels, which ascend. An
// unknown label is rkhs.ErrLabels.
func Known(pkg string, y blas64.General, labels []int) ([]int, error) {
	if err := single(pkg, y); err != nil {
		return nil, err
	}
	index := make([]int, y.Rows)
	for i := range index {
		v := y.Data[i*y.Stride]
		k, ok := slices.BinarySearch(labels, int(v))
		if !ok || float64(labels[k]) != v {
			return nil, fmt.Errorf("%s: label %v in row %d is not one of %v: %w", pkg, v, i, labels, rkhs.ErrLabels)
		}
		index[i] = k
	}
	return index, nil
}

// Targets returns the regression targets of classes. A single output has −1 and 1 for classes 0 and 1.
// Several outputs have 1 in the column of the class and −1 in other columns.
func Targets(index []int, outputs int) blas64.General {
	y := blas64.General{Rows: len(index), Cols: outputs, Stride: outputs, Data: make([]float64, len(index)*outputs)}
	for i, k := range index {
		row := y.Data[i*outputs : (i+1)*outputs]
		if outputs == 1 {
			row[0] = float64(2*k - 1)
			continue
		}
		for c := range row {
			row[c] = -1
		}
		row[k] = 1
	}
	return y
}

// Class returns the class of the scores of a model of Targets. For a single score it is 1 if the score is
// positive, otherwise 0. For several it is the first with the highest score.
func Class(scores []float64) int {
	if len(scores) == 1 {
		if scores[0] > 0 {
			return 1
		}
		return 0
	}
	best := 0
	for k, v := range scores {
		if v > scores[best] {
			best = k
		}
	}
	return best
}
