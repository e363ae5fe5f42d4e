package novelty

import (
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/kernel"
)

// Expansion returns the part of f that sits on the centres: a copy.
func (m *Model) Expansion() kernel.Expansion { return m.function().Function.Expansion() }

// Features returns the part of f that is of random features, the zero function where there
// are none: a copy.
func (m *Model) Features() features.Expansion { return m.function().Explicit() }

// Formula writes the model out, without sharing memory: the labels −1 and 1 by the sign of
// f(x) − r.
func (m *Model) Formula() formula.Formula {
	f := m.function()
	return model.DecidingBy(f.Function.Formula(-f.offset), []int{-1, 1}, formula.NotNegative)
}
