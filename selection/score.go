package selection

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Score compares candidates: RMSE, MAE, R2, Pinball, Accuracy, LogLoss, AUC, or a user-defined
// score.
type Score struct {
	// Name is the name in tables.
	Name string
	// Of returns the score of a model for held-out rows x and targets y, which is rkhs.Weighted if
	// the rows have weights. NaN and an infinitely good score are errors. It is called concurrently.
	Of func(m rkhs.Model, x, y mat.Matrix) (float64, error)
	// Larger states that larger scores are better.
	Larger bool
}

// RMSE is the score dataset.RMSE.
func RMSE() Score { return Score{Name: "RMSE", Of: ofPredictions(dataset.RMSE)} }

// MAE is the score dataset.MAE.
func MAE() Score { return Score{Name: "MAE", Of: ofPredictions(dataset.MAE)} }

// R2 is the score dataset.R2.
func R2() Score { return Score{Name: "R2", Of: ofPredictions(dataset.R2), Larger: true} }

// Accuracy is the score dataset.Accuracy.
func Accuracy() Score {
	return Score{Name: "accuracy", Of: ofPredictions(dataset.Accuracy), Larger: true}
}

// Pinball is the score dataset.Pinball of predicted tau-quantiles.
func Pinball(tau float64) Score {
	return Score{Name: fmt.Sprintf("pinball %v", tau), Of: ofPredictions(func(predicted, y mat.Matrix) (float64, error) {
		return dataset.Pinball(predicted, y, tau)
	})}
}

// LogLoss is the score dataset.LogLoss of rkhs.Probabilistic classifiers. Other models are
// rkhs.ErrOption.
func LogLoss() Score { return Score{Name: "log loss", Of: logLoss} }

// AUC is the score dataset.AUC of classifiers with two labels.
func AUC() Score { return Score{Name: "AUC", Of: auc, Larger: true} }

// ofPredictions returns the score of predictions.
func ofPredictions(score func(predicted, y mat.Matrix) (float64, error)) func(m rkhs.Model, x, y mat.Matrix) (float64, error) {
	return func(m rkhs.Model, x, y mat.Matrix) (float64, error) {
		p, err := m.Predict(x)
		if err != nil {
			return 0, err
		}
		return score(p, y)
	}
}

func logLoss(m rkhs.Model, x, y mat.Matrix) (float64, error) {
	c, ok := m.(rkhs.Probabilistic)
	if !ok {
		return 0, fmt.Errorf("log loss of a %T, which has no probabilities: %w", m, rkhs.ErrOption)
	}
	p, err := c.Proba(x)
	if err != nil {
		return 0, err
	}
	return dataset.LogLoss(p, y, c.Labels())
}

func auc(m rkhs.Model, x, y mat.Matrix) (float64, error) {
	c, ok := m.(rkhs.Classifier)
	if !ok {
		return 0, fmt.Errorf("AUC of a %T, which is no classifier: %w", m, rkhs.ErrOption)
	}
	s, err := c.Scores(x)
	if err != nil {
		return 0, err
	}
	return dataset.AUC(s, y)
}

// better reports whether score a is better than b. NaN is the worst score.
func (s Score) better(a, b float64) bool {
	if s.Larger {
		a, b = -a, -b
	}
	return a < b || a == a && b != b
}
