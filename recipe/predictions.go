package recipe

import (
	"errors"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// Predictions are those of the rows of a table.
type Predictions struct {
	// Values are the numbers of a regression, or the numbers of the classes.
	Values []float64
	// Lower and Upper are the ends of prediction intervals of a regression, nil where none are
	// asked for or the model has none.
	Lower, Upper []float64
	// Classes are the texts of the classes; nil of a regression.
	Classes []string
	// Proba holds the probabilities of the classes (n×classes, in the order of
	// Names), nil where the model has none.
	Proba *mat.Dense
	// Names are those of the columns of Proba.
	Names []string
	// Counts are those of Recipe.Inputs.
	Counts []Count
	// Averaged reports predictions that are averages over similar training rows; nil if none are.
	Averaged *Averaged
}

// Text returns the prediction of a row: the text of its class, or the shortest decimal number
// that is its value.
func (p *Predictions) Text(row int) string {
	if p.Classes != nil {
		return p.Classes[row]
	}
	return strconv.FormatFloat(p.Values[row], 'g', -1, 64)
}

// PredictionsOf predicts rows x of numbers by a model of one output, or a classifier, whose classes are the
// texts of its labels: with probabilities where the model has them, and the ends of intervals
// of a level, unless that is 0.
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
		return p, p.bound(by, x, level)
	}
	if by, ok := m.(rkhs.Probabilistic); ok {
		return p, p.weigh(by, x)
	}
	return p, nil
}

// bound adds intervals, if there are any.
func (p *Predictions) bound(by rkhs.Intervaled, x mat.Matrix, level float64) error {
	lower, upper, err := by.Interval(x, level)
	switch {
	case errors.Is(err, rkhs.ErrUncalibrated):
		return nil
	case err != nil:
		return err
	}
	p.Lower, p.Upper = mat.Col(nil, 0, lower), mat.Col(nil, 0, upper)
	return nil
}

// weigh adds probabilities, if there are any.
func (p *Predictions) weigh(by rkhs.Probabilistic, x mat.Matrix) (err error) {
	if p.Proba, err = by.Proba(x); err != nil {
		p.Proba = nil
		if errors.Is(err, rkhs.ErrUncalibrated) {
			return nil
		}
		return err
	}
	for _, label := range by.Labels() {
		p.Names = append(p.Names, strconv.Itoa(label))
	}
	return nil
}

// name gives the classes their texts.
func (p *Predictions) name(labels []int, texts []string) {
	for _, v := range p.Values {
		p.Classes = append(p.Classes, texts[int(v)])
	}
	for i := range p.Names {
		p.Names[i] = texts[labels[i]]
	}
}
