package fitted

import (
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
)

// PredictEncoded predicts the encoded rows of a table, as an exported model does: missing cells are not
// averaged over training rows.
func PredictEncoded(m *recipe.Model, t *dataset.Table) (*recipe.Predictions, error) {
	x, _, err := m.Recipe().Inputs(t)
	if err != nil {
		return nil, err
	}
	p, err := recipe.PredictionsOf(m.Model(), x, 0)
	if err != nil {
		return nil, err
	}
	if texts := m.Recipe().Classes(); texts != nil {
		for _, v := range p.Values {
			p.Classes = append(p.Classes, texts[int(v)])
		}
	}
	return p, nil
}
