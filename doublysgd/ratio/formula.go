package ratio

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Expansion returns the part of the function that was learned which sits on the centres: a
// copy.
func (m *Model) Expansion() kernel.Expansion { return m.function().Expansion() }

// Features returns the part of it that is of random features, the zero function where there
// are none: a copy.
func (m *Model) Features() features.Expansion { return m.function().Explicit() }

// Formula writes the model out, without sharing memory.
func (m *Model) Formula() formula.Formula {
	output := formula.Exponential
	if m.Form() == Plain {
		output = formula.Nonnegative
	}
	return model.Predicting(m.function().Formula(0), output)
}
