package doublysgd

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Features returns f less its intercept as a function of explicit features: the map, drawn
// from kernel and seed, and the coefficients of each of its blocks, Columns×q, in the units
// of the targets; a copy.
func (m *Model) Features() features.Expansion {
	if !m.fitted() {
		return features.Expansion{}
	}
	return m.f.features.Expansion(m.f.units.Unit)
}

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula {
	if !m.fitted() {
		return formula.Formula{}
	}
	inputs, _ := m.Dims()
	return formula.Formula{Inputs: inputs, Intercept: m.Intercept(), Features: []features.Expansion{m.Features()}}
}

// Formula writes the classifier out, without sharing memory.
func (c *Classifier) Formula() formula.Formula {
	return model.WithLoss(model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities), c.Loss())
}

// Formula writes the quantiles out, without sharing memory: predictions are the values of
// Model in ascending order.
func (q *Quantiles) Formula() formula.Formula {
	return model.Predicting(q.Model().Formula(), formula.Ascending)
}
