package polk

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Formula writes the classifier out, without sharing memory. While a second label was not
// seen its rule gives the only one.
func (c *Classifier) Formula() formula.Formula {
	return model.WithLoss(model.Deciding(c.Model().Formula(), c.Labels(), &model.OrZero(c).probabilities), c.Report().Loss)
}
