package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Accuracy returns the fraction of rows with predicted = y, labels in columns of
// n. 1 less it is the error rate.
//
// The errors are those of RMSE, rkhs.ErrShape for more than one column, and
// rkhs.ErrLabels for a label that is not a whole number, as scores of classes are
// not. O(n).
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

// LogLoss returns the mean of −log P(i, k_i), where P(i, k), n×K, is the
// probability that row i has the label labels[k], and y, n×1, has labels[k_i]. It
// is +Inf if what happened was given the probability 0; log K is that of knowing
// nothing.
//
// The errors are rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite; rkhs.ErrDomain
// for a probability outside [0, 1] and a row whose sum is off 1 by more than 1e-6;
// rkhs.ErrLabels for a label twice among labels, and one of y that is not among
// them. O(n·K).
func LogLoss(probabilities, y mat.Matrix, labels []int) (float64, error) {
	const task = "log loss"
	p, targets, w, err := namedPair(task, "probabilities", probabilities, y)
	if err != nil {
		return 0, err
	}
	t, err := labelColumn(task, "y", targets)
	if err != nil {
		return 0, err
	}
	loss, err := logLoss(p, t, w, labels)
	if err != nil {
		return 0, fmt.Errorf("dataset: %s: %w", task, err)
	}
	return loss, nil
}

func logLoss(p *mat.Dense, t []int, w compute.Weights, labels []int) (float64, error) {
	if n, k := p.Dims(); n != len(t) || k != len(labels) {
		return 0, fmt.Errorf("probabilities are %d×%d for %d rows and %d labels: %w", n, k, len(t), len(labels), rkhs.ErrShape)
	}
	column := make(map[int]int, len(labels))
	for k, l := range labels {
		if _, twice := column[l]; twice {
			return 0, fmt.Errorf("label %d comes twice: %w", l, rkhs.ErrLabels)
		}
		column[l] = k
	}
	sum := 0.0
	for i, l := range t {
		k, ok := column[l]
		if !ok {
			return 0, fmt.Errorf("label %d of row %d is not one of %v: %w", l, i, labels, rkhs.ErrLabels)
		}
		if err := checkDistribution(p.RawRowView(i)); err != nil {
			return 0, fmt.Errorf("row %d: %w", i, err)
		}
		sum -= float64(w.At(i) * math.Log(p.At(i, k)))
	}
	return sum / w.Total(len(t)), nil
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

// AUC returns the area under the receiver operating characteristic of scores, n×1:
// the probability that a row of the larger of the two labels in y, n×1, has a
// higher score than one of the smaller, where equal scores count one half. 1 is
// best, 0.5 what chance reaches. It is exact: a number of pairs over another (Mann
// and Whitney, 1947).
//
// The errors are those of RMSE, rkhs.ErrShape for more than one column, and
// rkhs.ErrLabels unless y has two labels. O(n·log n).
func AUC(scores, y mat.Matrix) (float64, error) {
	s, t, w, err := pair("AUC", scores, y)
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
	// Twice the pairs in order, each times the weights of its rows, from runs of equal
	// scores; below is the weight of the rows of the smaller label.
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

// labelPair returns two columns of labels of one length, and the weights of the rows.
func labelPair(score string, predicted, y mat.Matrix) (p, t []int, w compute.Weights, err error) {
	a, b, w, err := pair(score, predicted, y)
	if err != nil {
		return nil, nil, nil, err
	}
	if p, err = labelColumn(score, "predicted", a); err != nil {
		return nil, nil, nil, err
	}
	t, err = labelColumn(score, "y", b)
	return p, t, w, err
}

// labelColumn returns a column of whole numbers, for the task that the errors name.
func labelColumn(task, name string, m mat.Matrix) ([]int, error) {
	rows, err := door.View("dataset: "+task, name, m)
	if err != nil {
		return nil, err
	}
	return door.Whole("dataset: "+task+": "+name, rows)
}
