package svm

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/model"
)

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula { return m.function().Formula() }

// Formula writes the classifier out, without sharing memory. Of equal votes a classifier that was
// read from a file of LIBSVM has the first label there, where formula.Votes has the smallest.
func (c *Classifier) Formula() formula.Formula {
	f, labels := c.Model().Formula(), c.Labels()
	if len(labels) > 2 {
		f = model.DecidingBy(f, labels, formula.Votes)
		f.Probabilities = c.probabilities.Formula()
		return f
	}
	return model.Deciding(f, labels, &model.OrZero(c).probabilities)
}

// Formula writes the model out, without sharing memory: the labels −1 and 1 by the sign of
// f(x) − r.
func (m *Novelty) Formula() formula.Formula {
	return model.DecidingBy(m.Model().Formula(), []int{-1, 1}, formula.NotNegative)
}
