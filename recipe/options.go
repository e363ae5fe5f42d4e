package recipe

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

const pkg = "recipe"

// Task is what is learned of the target.
type Task uint8

const (
	// AutoTask is Classification of a target of names, and what TaskOf says of one of numbers.
	AutoTask Task = iota
	// Regression predicts a number.
	Regression
	// Classification predicts one of the texts, or numbers, that the target has.
	Classification
)

func (t Task) String() string {
	switch t {
	case AutoTask:
		return "auto"
	case Regression:
		return "regression"
	case Classification:
		return "classification"
	}
	return fmt.Sprintf("Task(%d)", uint8(t))
}

// Options say what a recipe is to be made for. The zero value serves a table whose last column is the
// target.
type Options struct {
	// Target is the name of the column to predict. Default: the last of those that are neither the
	// weights, nor left out, nor blank.
	Target string
	// Task is what is learned of it.
	Task Task
	// Classes are the texts of the classes, beside those that the target has: rows to train on
	// may lack some that others have.
	Classes []string
	// Weights is the name of the column of the weights of rows (rkhs.Weighted). Default: none.
	Weights string
	// Ignore names columns that are left out.
	Ignore []string
	// Levels is the number of levels of a category beyond which they are hashed into
	// as many columns, rounded up to a power of two. Default: 64.
	Levels int
	// Bits is the logarithm of the number of columns that words of texts are hashed into, 1 to
	// 30. Default: 18.
	Bits int
}

// mostLevelBits is the logarithm of the number of columns that the levels of a category may take.
const mostLevelBits = 16

// settings are options with defaults, and names that there are.
func (o Options) settings(t *dataset.Table) (Options, error) {
	if o.Task > Classification {
		return o, fmt.Errorf("%s: Options.Task = %v: %w", pkg, o.Task, rkhs.ErrOption)
	}
	if o.Levels == 0 {
		o.Levels = 64
	}
	if o.Bits == 0 {
		o.Bits = 18
	}
	if o.Levels < 2 || o.Levels > 1<<mostLevelBits {
		return o, fmt.Errorf("%s: Options.Levels = %d, want 2 to %d: %w", pkg, o.Levels, 1<<mostLevelBits, rkhs.ErrOption)
	}
	if o.Bits < 1 || o.Bits > 30 {
		return o, fmt.Errorf("%s: Options.Bits = %d, want 1 to 30: %w", pkg, o.Bits, rkhs.ErrOption)
	}
	columns := t.Columns()
	if o.Target == "" {
		for _, c := range columns {
			if c.Name() != o.Weights && c.Kind() != dataset.Blank && !slices.Contains(o.Ignore, c.Name()) {
				o.Target = c.Name()
			}
		}
	}
	for _, name := range slices.Concat([]string{o.Target, o.Weights}, o.Ignore) {
		if name != "" && t.Column(name) == nil {
			return o, fmt.Errorf("%s: there is no column %q, only %q: %w", pkg, name, namesOf(columns), rkhs.ErrOption)
		}
	}
	switch {
	case o.Target == "":
		return o, fmt.Errorf("%s: no column is left for the target: %w", pkg, rkhs.ErrOption)
	case slices.Contains(o.Ignore, o.Target) || o.Weights != "" && slices.Contains(o.Ignore, o.Weights):
		return o, fmt.Errorf("%s: Ignore = %q has the target %q, or the weights: %w", pkg, o.Ignore, o.Target, rkhs.ErrOption)
	case o.Target == o.Weights:
		return o, fmt.Errorf("%s: column %q is both the target and the weights: %w", pkg, o.Target, rkhs.ErrOption)
	}
	return o, nil
}

// namesOf returns the names of columns, at most twenty.
func namesOf(columns []*dataset.Column) []string {
	const most = 20
	var names []string
	for _, c := range columns[:min(len(columns), most)] {
		names = append(names, c.Name())
	}
	if len(columns) > most {
		names = append(names, "…")
	}
	return names
}
