package recipe

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

const pkg = "recipe"

// Task is the learning task.
type Task uint8

const (
	// AutoTask is Classification for a target of names, and TaskOf for a target of numbers.
	AutoTask Task = iota
	// Regression predicts a number.
	Regression
	// Classification predicts one of the texts or numbers of the target.
	Classification
)

var taskNames = [...]string{"auto", "regression", "classification"}

func (t Task) String() string {
	if int(t) < len(taskNames) {
		return taskNames[t]
	}
	return fmt.Sprintf("Task(%d)", uint8(t))
}

// Options configures a recipe. The zero value predicts the last column of the table.
type Options struct {
	// Target is the name of the column to predict. Default: the target of the table
	// (dataset.Table.Target), or the last column that is neither the weights, nor ignored, nor blank.
	Target string
	// Task is the learning task. Default: AutoTask.
	Task Task
	// Classes lists classes that the training rows may lack.
	Classes []string
	// Weights is the name of the column of row weights (rkhs.Weighted). Default: the weights of the
	// table (dataset.Table.Weights), or no weights.
	Weights string
	// Ignore names columns to ignore.
	Ignore []string
	// Levels is the number of levels of a category above which it is hashed into as many columns,
	// rounded up to a power of two. Default: 64.
	Levels int
	// Bits is the base-2 logarithm of the number of columns for the words of a text, 1 to 30.
	// Default: 18.
	Bits int
}

// maxLevelBits is the base-2 logarithm of the largest Options.Levels.
const maxLevelBits = 16

// withDefaults validates the options and sets defaults.
func (o Options) withDefaults(t *dataset.Table) (Options, error) {
	o.Levels, o.Bits = cmp.Or(o.Levels, 64), cmp.Or(o.Bits, 18)
	switch {
	case o.Task > Classification:
		return o, fmt.Errorf("%s: Options.Task = %v: %w", pkg, o.Task, rkhs.ErrOption)
	case o.Levels < 2 || o.Levels > 1<<maxLevelBits:
		return o, fmt.Errorf("%s: Options.Levels = %d, want 2 to %d: %w", pkg, o.Levels, 1<<maxLevelBits, rkhs.ErrOption)
	case o.Bits < 1 || o.Bits > 30:
		return o, fmt.Errorf("%s: Options.Bits = %d, want 1 to 30: %w", pkg, o.Bits, rkhs.ErrOption)
	}
	o.Target, o.Weights = cmp.Or(o.Target, t.Target()), cmp.Or(o.Weights, t.Weights())
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
			return o, noColumn(t, name)
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

// noColumn returns the error for a missing column, with the reason if the reader ignored it.
func noColumn(t *dataset.Table, name string) error {
	for _, n := range t.Notes() {
		if n.Column == name && n.Ignored != "" {
			return fmt.Errorf("%s: column %q has %s, which cannot be used: %w", pkg, name, n.Ignored, rkhs.ErrOption)
		}
	}
	return fmt.Errorf("%s: there is no column %q, only %q: %w", pkg, name, namesOf(t.Columns()), rkhs.ErrOption)
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
