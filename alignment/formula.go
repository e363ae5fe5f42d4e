package alignment

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Formula writes the classifier out, without sharing memory.
func (c *Classifier) Formula() formula.Formula {
	f, labels := c.Model().Formula(), c.Labels()
	if model.OrZero(c).voting && len(labels) > 2 {
		f = model.DecidingBy(f, labels, formula.Votes)
		f.Probabilities = c.probabilities.Formula()
		return f
	}
	return model.Deciding(f, labels, &model.OrZero(c).probabilities)
}
