package gp

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/kernel"
)

// Formula writes the posterior mean out, without sharing memory.
func (m *Model) Formula() formula.Formula {
	inputs, outputs := m.Dims()
	if outputs == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: inputs, Intercept: m.Intercept(), Expansions: []kernel.Expansion{m.Expansion()}}
}
