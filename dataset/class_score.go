package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Accuracy returns the fraction of the n rows with predicted = y, both n×1.
//
// Errors are as for RMSE, rkhs.ErrShape for several columns, and rkhs.ErrLabels for a label that
// is not a whole number. O(n).
func Accuracy(predicted, y mat.Matrix) (float64, error) {
	p, t, w, err := labelPair("accuracy", predicted, y)
	if err != nil {
		return 0, err
	}
	right := 0.0
	for i, v := range t {
		if p[i] == v {
			right += w.At(i)
		}
	}
	return right / w.Total(len(t)), nil
}

// LogLoss returns the mean of −log P(i, k_i), where P(i, k), n×K, is the probability that row i has
// the label labels[k], and y, n×1, holds the labels labels[k_i]. It is +Inf if a row has the
// probability 0 for its label. Equal probabilities score log K.
//
// Errors are rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite; rkhs.ErrDomain for a probability
// outside [0, 1] and a row with a sum that differs from 1 by more than 1e-6; rkhs.ErrLabels for
// duplicate labels and for a label of y that labels does not list. O(n·K).
func LogLoss(probabilities, y mat.Matrix, labels []int) (float64, error) {
	p, index, w, err := probabilityPair("log loss", probabilities, y, labels)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, k := range index {
		sum -= float64(w.At(i) * math.Log(p.At(i, k)))
	}
	return sum / w.Total(len(index)), nil
}

// CalibrationError returns the expected calibration error of probabilities, n×K; see LogLoss for the
// arguments. It sorts the rows by their largest probability into bins of equal size. The
// result is the mean over the bins of the distance between the mean largest probability and the
// accuracy (Guo et al., "On calibration of modern neural networks", 2017; equal-mass bins as in
// Nguyen and O'Connor, 2015). The optimum is 0. For correct probabilities p it is still
// about .8·√(bins/n) times the mean of √(p·(1 − p)).
//
// Errors are as for LogLoss, and rkhs.ErrOption for less than one bin. O(n·(log n + K)).
func CalibrationError(probabilities, y mat.Matrix, labels []int, bins int) (float64, error) {
	const task = "calibration error"
	if bins < 1 {
		return 0, fmt.Errorf("dataset: %s: %d bins: %w", task, bins, rkhs.ErrOption)
	}
	p, index, w, err := probabilityPair(task, probabilities, y, labels)
	if err != nil {
		return 0, err
	}
	n := len(index)
	most, off := make([]float64, n), make([]float64, n)
	for i, k := range index {
		best := floats.MaxIdx(p.RawRowView(i))
		most[i] = p.At(i, best)
		off[i] = most[i]
		if best == k {
			off[i]--
		}
	}
	order := sortedBy(most)
	sum := 0.0
	for b := range bins {
		bin := 0.0
		for _, i := range order[b*n/bins : (b+1)*n/bins] {
			bin += float64(w.At(i) * off[i])
		}
		sum += math.Abs(bin)
	}
	return sum / w.Total(n), nil
}

// probabilityPair checks probabilities p and labels y. index holds the column of p for the label of
// each row.
func probabilityPair(task string, proba, y mat.Matrix, labels []int) (p *mat.Dense, index []int, w compute.Weights, err error) {
	p, targets, w, err := pair(task, probabilities, proba, y)
	if err != nil {
		return nil, nil, nil, err
	}
	t, err := labelColumn(task, "y", targets)
	if err != nil {
		return nil, nil, nil, err
	}
	if index, err = labelIndex(p, t, labels); err != nil {
		return nil, nil, nil, fmt.Errorf("dataset: %s: %w", task, err)
	}
	return p, index, w, nil
}

func labelIndex(p *mat.Dense, t []int, labels []int) ([]int, error) {
	if n, k := p.Dims(); n != len(t) || k != len(labels) {
		return nil, fmt.Errorf("probabilities are %d×%d for %d rows and %d labels: %w", n, k, len(t), len(labels), rkhs.ErrShape)
	}
	column := make(map[int]int, len(labels))
	for k, l := range labels {
		if _, twice := column[l]; twice {
			return nil, fmt.Errorf("label %d comes twice: %w", l, rkhs.ErrLabels)
		}
		column[l] = k
	}
	index := make([]int, len(t))
	for i, l := range t {
		k, ok := column[l]
		if !ok {
			return nil, fmt.Errorf("label %d of row %d is not one of %v: %w", l, i, labels, rkhs.ErrLabels)
		}
		if err := checkDistribution(p.RawRowView(i)); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		index[i] = k
	}
	return index, nil
}

func checkDistribution(p []float64) error {
	sum := 0.0
	for k, v := range p {
		if v < 0 || v > 1 {
			return fmt.Errorf("probability %v in column %d: %w", v, k, rkhs.ErrDomain)
		}
		sum += v
	}
	if math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("probabilities sum to %v: %w", sum, rkhs.ErrDomain)
	}
	return nil
}

// AUC returns the area under the receiver operating characteristic of scores, n×1, for two labels
// y, n×1. This is the probability that a row of the larger label has a higher score than a row of
// the smaller label. Equal scores count one half. Chance reaches 0.5. The result is exact (Mann
// and Whitney, 1947).
//
// Errors are as for RMSE, rkhs.ErrShape for several columns, and rkhs.ErrLabels unless y has two
// labels. O(n·log n).
func AUC(scores, y mat.Matrix) (float64, error) {
	s, t, w, err := pair("AUC", "predicted", scores, y)
	if err != nil {
		return 0, err
	}
	labels, err := labelColumn("AUC", "y", t)
	if err != nil {
		return 0, err
	}
	low, high := slices.Min(labels), slices.Max(labels)
	for i, l := range labels {
		if low == high || l != low && l != high {
			return 0, fmt.Errorf("dataset: AUC: label %d in row %d, want two labels in y: %w", l, i, rkhs.ErrLabels)
		}
	}
	score := mat.Col(nil, 0, s)
	order := sortedBy(score)
	// pairs sums twice the weight of the correctly ordered pairs over runs of equal scores. below and
	// above are the weights of both labels so far.
	pairs, below, above := 0.0, 0.0, 0.0
	for from := 0; from < len(order); {
		to, ups, downs := from, 0.0, 0.0
		for ; to < len(order) && cmp.Compare(score[order[to]], score[order[from]]) == 0; to++ {
			if labels[order[to]] == high {
				ups += w.At(order[to])
			} else {
				downs += w.At(order[to])
			}
		}
		pairs += float64(ups * (2*below + downs))
		below, above, from = below+downs, above+ups, to
	}
	return pairs / (2 * below * above), nil
}

// labelPair returns predicted and true labels, and the weights of the rows.
func labelPair(score string, predicted, y mat.Matrix) (p, t []int, w compute.Weights, err error) {
	a, b, w, err := pair(score, "predicted", predicted, y)
	if err != nil {
		return nil, nil, nil, err
	}
	if p, err = labelColumn(score, "predicted", a); err != nil {
		return nil, nil, nil, err
	}
	t, err = labelColumn(score, "y", b)
	return p, t, w, err
}

// labelColumn returns a column of whole numbers. The errors name the task.
func labelColumn(task, name string, m mat.Matrix) ([]int, error) {
	rows, err := input.View("dataset: "+task, name, m)
	if err != nil {
		return nil, err
	}
	return input.Whole("dataset: "+task+": "+name, rows)
}
