package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// RMSE returns the root of the mean square of the entries of predicted − y, both
// n×q. It has the unit of y; 0 is best.
//
// As in all scores y may be rkhs.Weighted: the mean is then that with the weights.
//
// The errors are rkhs.ErrShape if the two differ in size, rkhs.ErrEmpty and
// rkhs.ErrNotFinite, and for weights those of rkhs.Weighted. O(n·q).
func RMSE(predicted, y mat.Matrix) (float64, error) {
	mean, err := meanOf("RMSE", predicted, y, func(p, v float64) float64 { return float64((p - v) * (p - v)) })
	return math.Sqrt(mean), err
}

// MAE returns the mean absolute value of the entries of predicted − y, both n×q.
// Errors and cost are those of RMSE.
func MAE(predicted, y mat.Matrix) (float64, error) {
	return meanOf("MAE", predicted, y, func(p, v float64) float64 { return math.Abs(p - v) })
}

// Pinball returns the mean pinball loss of predicted tau-quantiles, both n×q,
//
//	max(tau·(y − p), (tau − 1)·(y − p))
//
// of which the smallest expectation is that of the true quantile (Koenker and
// Bassett, 1978). Half the mean absolute error is that of tau = 0.5. The errors
// are those of RMSE, and rkhs.ErrOption unless 0 < tau < 1. O(n·q).
func Pinball(predicted, y mat.Matrix, tau float64) (float64, error) {
	if !(0 < tau && tau < 1) {
		return 0, fmt.Errorf("dataset: pinball: tau = %v, want 0 < tau < 1: %w", tau, rkhs.ErrOption)
	}
	return meanOf("pinball", predicted, y, func(p, v float64) float64 { return max(tau*(v-p), (tau-1)*(v-p)) })
}

// R2 returns the coefficient of determination, both n×q,
//
//	1 − Σ_i (y_i − p_i)² / Σ_i (y_i − mean(y))²
//
// or the mean of those of q columns: 1 is best, 0 what the mean of y reaches, and
// less is worse than that. The errors are those of RMSE, and rkhs.ErrDomain if a
// column of y is constant. O(n·q).
func R2(predicted, y mat.Matrix) (float64, error) {
	p, t, w, err := pair("R2", predicted, y)
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

// meanOf returns the mean of a loss over the entries.
func meanOf(score string, predicted, y mat.Matrix, loss func(p, v float64) float64) (float64, error) {
	p, t, w, err := pair(score, predicted, y)
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

// pair checks what is to be compared, and leaves out rows of weight zero. Without weights w
// is nil.
func pair(score string, predicted, y mat.Matrix) (p, t *mat.Dense, w compute.Weights, err error) {
	return namedPair(score, "predicted", predicted, y)
}

func namedPair(score, name string, predicted, y mat.Matrix) (p, t *mat.Dense, w compute.Weights, err error) {
	if p, err = dense(score, name, predicted); err != nil {
		return nil, nil, nil, err
	}
	rows, err := door.WeighedRows("dataset: "+score, door.Dense, "y", y)
	if err != nil {
		return nil, nil, nil, err
	}
	pr, pc := p.Dims()
	if tr, _ := y.Dims(); pr != tr || name == "predicted" && pc != rows.X.Cols {
		return nil, nil, nil, fmt.Errorf("dataset: %s: %s is %d×%d, y is %d×%d: %w", score, name, pr, pc, tr, rows.X.Cols, rkhs.ErrShape)
	}
	if rows.Kept != nil {
		kept := mat.NewDense(len(rows.Kept), pc, nil)
		for i, r := range rows.Kept {
			kept.SetRow(i, p.RawRowView(r))
		}
		p = kept
	}
	t = new(mat.Dense)
	t.SetRawMatrix(rows.X.Matrix)
	return p, t, rows.Weights, nil
}

// dense returns m, or a copy of it if it is of another type, for the task that the
// errors name: rkhs.ErrEmpty and rkhs.ErrNotFinite.
func dense(task, name string, m mat.Matrix) (*mat.Dense, error) {
	rows, err := door.View("dataset: "+task, name, m)
	if err != nil {
		return nil, err
	}
	d := new(mat.Dense)
	d.SetRawMatrix(rows)
	return d, nil
}
