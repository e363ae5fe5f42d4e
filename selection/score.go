package selection

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Score is what candidates are compared by: RMSE, MAE, R2, Pinball, Accuracy, LogLoss or AUC,
// or one of your own.
type Score struct {
	// Name is what tables call it.
	Name string
	// Of returns the score of a model by rows x that it has not seen, and their y, which is
	// rkhs.Weighted where rows have weights. NaN, or a score that is infinitely good, counts as
	// an error. It is called from several goroutines.
	Of func(m rkhs.Model, x, y mat.Matrix) (float64, error)
	// Larger says that larger scores are better.
	Larger bool
}

// RMSE, MAE and R2 are the scores of package dataset by those names.
func RMSE() Score { return Score{Name: "RMSE", Of: ofPredictions(dataset.RMSE)} }
func MAE() Score  { return Score{Name: "MAE", Of: ofPredictions(dataset.MAE)} }
func R2() Score   { return Score{Name: "R2", Of: ofPredictions(dataset.R2), Larger: true} }

// Accuracy is the fraction of labels that are right, as dataset.Accuracy.
func Accuracy() Score {
	return Score{Name: "accuracy", Of: ofPredictions(dataset.Accuracy), Larger: true}
}

// Pinball is the pinball loss of predicted tau-quantiles, as dataset.Pinball.
func Pinball(tau float64) Score {
	return Score{Name: fmt.Sprintf("pinball %v", tau), Of: ofPredictions(func(predicted, y mat.Matrix) (float64, error) {
		return dataset.Pinball(predicted, y, tau)
	})}
}

// LogLoss is that of the probabilities which a classifier gives by a method Proba, as
// dataset.LogLoss. One without is rkhs.ErrOption.
func LogLoss() Score { return Score{Name: "log loss", Of: logLoss} }

// AUC is that of the scores of a classifier of two labels, as dataset.AUC.
func AUC() Score { return Score{Name: "AUC", Of: auc, Larger: true} }

// ofPredictions returns a score that compares predictions.
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
	c, ok := m.(interface {
		rkhs.Classifier
		Proba(x mat.Matrix) (*mat.Dense, error)
	})
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

// better tells whether a score is better than another, as any is than NaN.
func (s Score) better(a, b float64) bool {
	if s.Larger {
		a, b = -a, -b
	}
	return a < b || a == a && b != b
}
