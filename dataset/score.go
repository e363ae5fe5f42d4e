package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
)

// RMSE returns the root mean squared error of predicted, n×q, for the truth y, n×q. It has the unit
// of y. In all scores y may be rkhs.Weighted; means are then weighted.
//
// Errors are rkhs.ErrShape for different sizes, rkhs.ErrEmpty, rkhs.ErrNotFinite and the errors of
// rkhs.Weighted. O(n·q).
func RMSE(predicted, y mat.Matrix) (float64, error) {
	mean, err := meanOf("RMSE", predicted, y, func(p, v float64) float64 { return float64((p - v) * (p - v)) })
	return math.Sqrt(mean), err
}

// MAE returns the mean absolute error; see RMSE.
func MAE(predicted, y mat.Matrix) (float64, error) {
	return meanOf("MAE", predicted, y, func(p, v float64) float64 { return math.Abs(p - v) })
}

// Pinball returns the mean pinball loss of predicted tau-quantiles p,
//
//	max(tau·(y − p), (tau − 1)·(y − p))
//
// The true quantile minimizes its expectation (Koenker and Bassett, 1978). For tau = 0.5 it is half
// the mean absolute error. Errors are as for RMSE, and rkhs.ErrOption unless 0 < tau < 1.
func Pinball(predicted, y mat.Matrix, tau float64) (float64, error) {
	if !(0 < tau && tau < 1) {
		return 0, fmt.Errorf("dataset: pinball: tau = %v, want 0 < tau < 1: %w", tau, rkhs.ErrOption)
	}
	return meanOf("pinball", predicted, y, func(p, v float64) float64 { return max(tau*(v-p), (tau-1)*(v-p)) })
}

// R2 returns the coefficient of determination
//
//	1 − Σ_i (y_i − p_i)² / Σ_i (y_i − mean(y))²
//
// averaged over the q columns. The mean of y scores 0. Errors are as for RMSE, and
// rkhs.ErrDomain if a column of y is constant.
func R2(predicted, y mat.Matrix) (float64, error) {
	p, t, w, err := pair("R2", "predicted", predicted, y)
	if err != nil {
		return 0, err
	}
	means, deviations := moments(t, w)
	n, q := t.Dims()
	sum := 0.0
	for j, deviation := range deviations {
		if deviation == 0 {
			return 0, fmt.Errorf("dataset: R2: column %d of y is %v throughout: %w", j, means[j], rkhs.ErrDomain)
		}
		squares := 0.0
		for i := range n {
			e := (t.At(i, j) - p.At(i, j)) / deviation
			squares += float64(w.At(i) * e * e)
		}
		sum += 1 - squares/w.Total(n)
	}
	return sum / float64(q), nil
}

// Coverage returns the fraction of the targets y, n×q, inside the intervals from lower to upper,
// both n×q, and the mean width of the intervals. Errors are as for RMSE.
func Coverage(lower, upper, y mat.Matrix) (covered, width float64, err error) {
	low, t, w, err := pair("coverage", "lower", lower, y)
	if err != nil {
		return 0, 0, err
	}
	high, _, _, err := pair("coverage", "upper", upper, y)
	if err != nil {
		return 0, 0, err
	}
	n, q := t.Dims()
	total := w.Total(n) * float64(q)
	for i := range n {
		for o := range q {
			a, b := low.At(i, o), high.At(i, o)
			width += float64(w.At(i)*(b-a)) / total
			if v := t.At(i, o); a <= v && v <= b {
				covered += w.At(i) / total
			}
		}
	}
	return covered, width, nil
}

// meanOf returns the mean of a loss over the elements.
func meanOf(score string, predicted, y mat.Matrix, loss func(p, v float64) float64) (float64, error) {
	p, t, w, err := pair(score, "predicted", predicted, y)
	if err != nil {
		return 0, err
	}
	n, q := t.Dims()
	sum := 0.0
	for i := range n {
		for j, v := range t.RawRowView(i) {
			sum += float64(w.At(i) * loss(p.At(i, j), v))
		}
	}
	return sum / (w.Total(n) * float64(q)), nil
}

// pair checks a prediction, under the name that errors give it, and the truth y. It removes rows of
// weight zero. Only probabilities may have other columns than y. The weights w may be nil.
func pair(score, name string, predicted, y mat.Matrix) (p, t *mat.Dense, w compute.Weights, err error) {
	if p, err = dense(score, name, predicted); err != nil {
		return nil, nil, nil, err
	}
	rows, err := input.WeighedRows("dataset: "+score, input.Dense, "y", y)
	if err != nil {
		return nil, nil, nil, err
	}
	n, columns := p.Dims()
	if tn, _ := y.Dims(); n != tn || columns != rows.X.Cols && name != probabilities {
		return nil, nil, nil, fmt.Errorf("dataset: %s: %s is %d×%d, y is %d×%d: %w", score, name, n, columns, tn, rows.X.Cols, rkhs.ErrShape)
	}
	if rows.Kept != nil {
		kept := mat.NewDense(len(rows.Kept), columns, nil)
		for i, r := range rows.Kept {
			kept.SetRow(i, p.RawRowView(r))
		}
		p = kept
	}
	t = new(mat.Dense)
	t.SetRawMatrix(rows.X.Matrix)
	return p, t, rows.Weights, nil
}

const probabilities = "probabilities"

// dense returns m, or a copy if m has another type. The errors name the task.
func dense(task, name string, m mat.Matrix) (*mat.Dense, error) {
	rows, err := input.View("dataset: "+task, name, m)
	if err != nil {
		return nil, err
	}
	d := new(mat.Dense)
	d.SetRawMatrix(rows)
	return d, nil
}
