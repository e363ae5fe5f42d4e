package model

import (
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/calibrate"
)

// Formula writes s out: copies of its constants and terms.
func (s *Sum) Formula() formula.Formula {
	if len(s.Intercept) == 0 {
		return formula.Formula{}
	}
	return formula.Formula{Inputs: s.Inputs, Intercept: s.Constants(), Expansions: s.Expansions()}
}

// Deciding returns f, unless it is that of no model, as the scores of a classifier which
// decides by door.Class, with its probabilities.
func Deciding(f formula.Formula, labels []int, c *calibrate.Classes) formula.Formula {
	rule := formula.Highest
	if len(labels) == 2 && f.Outputs() == 1 {
		rule = formula.Positive
	}
	f = DecidingBy(f, labels, rule)
	f.Probabilities = c.Formula()
	return f
}

// DecidingBy is Deciding by another rule.
func DecidingBy(f formula.Formula, labels []int, rule formula.Rule) formula.Formula {
	if f.Outputs() > 0 {
		f.Labels, f.Rule = labels, rule
	}
	return f
}

// Predicting returns f, unless it is that of no model, as what a model predicts by.
func Predicting(f formula.Formula, output formula.Output) formula.Formula {
	if f.Outputs() > 0 {
		f.Output = output
	}
	return f
}
