package selection

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Candidate is what a search fits and scores: a learner with its options. Grid and Random
// make lists of them; one with a Fit of your own takes part as any other.
type Candidate struct {
	// Name is that of the learner.
	Name string
	// Values are the options by which it differs from others.
	Values []Value
	// Classifier says that y are labels, and that what Fit returns is an rkhs.Classifier.
	Classifier bool
	// Fit learns from rows x, n×d, and y, n×q. It is called from several goroutines, and
	// neither writes to x and y nor keeps them. x is rkhs.Weighted where the rows have weights.
	// A model that comes with an error counts as none, unless the error is
	// rkhs.ErrNotConverged.
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
	if !door.IsNil(m) {
		return m, err
	}
	if err == nil {
		err = fmt.Errorf("the fit returned neither a model nor an error: %w", rkhs.ErrUnfitted)
	}
	return nil, err
}
