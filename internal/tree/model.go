package tree

import (
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/input"
)

// FormulaOf returns the formula of a fitted model. Errors begin with pkg and wrap rkhs.ErrUnfitted,
// or rkhs.ErrOption for a model without the method Formula.
func FormulaOf(pkg string, m rkhs.Model) (f formula.Formula, err error) {
	if input.IsNil(m) {
		return f, fmt.Errorf("%s: there is no model: %w", pkg, rkhs.ErrUnfitted)
	}
	of, ok := m.(formula.Modeler)
	if !ok {
		return f, fmt.Errorf("%s: a %T has no Formula: %w", pkg, m, rkhs.ErrOption)
	}
	if f = of.Formula(); f.Outputs() == 0 {
		return f, fmt.Errorf("%s: a %T that was not fitted: %w", pkg, m, rkhs.ErrUnfitted)
	}
	return f, nil
}
