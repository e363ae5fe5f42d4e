package selection

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Candidate is a learner with its options. Grid and Random return lists of candidates. A
// user-defined Fit is as good.
type Candidate struct {
	// Name is the name of the learner.
	Name string
	// Values are the options that distinguish the candidate.
	Values []Value
	// Classifier states that y holds labels and that Fit returns an rkhs.Classifier.
	Classifier bool
	// Fit fits rows x, n×d, and targets y, n×q. It is called concurrently and must not change or
	// keep x and y. x is rkhs.Weighted if the rows have weights. Search discards a model with an
	// error other than rkhs.ErrNotConverged.
	Fit func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error)
}

// Value is a value of an option.
type Value struct {
	Name  string
	Value any
}

// String returns "Ridge=0.001", with real numbers to six digits.
func (v Value) String() string {
	if f, ok := v.Value.(float64); ok {
		return fmt.Sprintf("%s=%.6g", v.Name, f)
	}
	return fmt.Sprintf("%s=%v", v.Name, v.Value)
}

// String returns the name and the values: "ridge Ridge=0.001 MaxPoints=100".
func (c Candidate) String() string {
	words := []string{c.Name}
	for _, v := range c.Values {
		words = append(words, v.String())
	}
	return strings.Join(words, " ")
}

// fit returns a model or an error, or both.
func (c Candidate) fit(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
	m, err := c.Fit(ctx, x, y)
	if !input.IsNil(m) {
		return m, err
	}
	if err == nil {
		err = fmt.Errorf("the fit returned neither a model nor an error: %w", rkhs.ErrUnfitted)
	}
	return nil, err
}
