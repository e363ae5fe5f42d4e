package model

import "github.com/rkhs-go/rkhs/formula"

// Formula writes s out: copies of its constants and terms.
func (s *Sum) Formula() formula.Formula {
	if len(s.Intercept) == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: s.Inputs, Intercept: s.Constants(), Expansions: s.Expansions()}
}
