package recipe

import (
	"errors"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Predictions holds the predictions of the rows of a table.
type Predictions struct {
	// Values are the predicted numbers, or labels of classes.
	Values []float64
	// Lower and Upper are the bounds of prediction intervals, or nil.
	Lower, Upper []float64
	// Classes are the texts of the predicted classes; nil for a regression.
	Classes []string
	// Proba holds the probabilities of the classes (n×classes, in the order of Names), or nil.
	Proba *mat.Dense
	// Names are the classes of the columns of Proba.
	Names []string
	// Counts are the counts of Recipe.Inputs.
	Counts []Count
	// Averaged reports averaged predictions, or is nil.
	Averaged *Averaged
}

// Text returns the prediction of a row: the text of its class, or the shortest decimal number that
// equals its value.
func (p *Predictions) Text(row int) string {
	if p.Classes != nil {
		return p.Classes[row]
	}
	return strconv.FormatFloat(p.Values[row], 'g', -1, 64)
}

// PredictionsOf predicts encoded rows x by a model of one output or a classifier. It adds intervals
// of coverage level unless it is 0, and probabilities if the model has them. Labels are the texts of
// classes.
func PredictionsOf(m rkhs.Model, x mat.Matrix, level float64) (*Predictions, error) {
	if err := given(m); err != nil {
		return nil, err
	}
	y, err := m.Predict(x)
	if err != nil {
		return nil, err
	}
	p := &Predictions{Values: mat.Col(nil, 0, y)}
	if by, ok := m.(rkhs.Intervaled); ok && level != 0 {
		lower, upper, err := by.Interval(x, level)
		if err == nil {
			p.Lower, p.Upper = mat.Col(nil, 0, lower), mat.Col(nil, 0, upper)
		}
		return p, calibrated(err)
	}
	if by, ok := m.(rkhs.Probabilistic); ok {
		proba, err := by.Proba(x)
		if err != nil {
			return p, calibrated(err)
		}
		p.Proba = proba
		for _, label := range by.Labels() {
			p.Names = append(p.Names, strconv.Itoa(label))
		}
	}
	return p, nil
}

// calibrated ignores rkhs.ErrNoCalibration.
func calibrated(err error) error {
	if errors.Is(err, rkhs.ErrNoCalibration) {
		return nil
	}
	return err
}

// given returns an error for a nil model.
func given(m rkhs.Model) error {
	if input.IsNil(m) {
		return fmt.Errorf("%s: there is no model: %w", pkg, rkhs.ErrUnfitted)
	}
	return nil
}

// name sets the texts of the classes.
func (p *Predictions) name(labels []int, texts []string) {
	for _, v := range p.Values {
		p.Classes = append(p.Classes, texts[int(v)])
	}
	for i := range p.Names {
		p.Names[i] = texts[labels[i]]
	}
}
