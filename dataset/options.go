package dataset

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
)

// NoTarget as Options.Target makes every column a feature.
const NoTarget = math.MinInt

// defaultMaxValues is 2 GiB of float64.
const defaultMaxValues = 1 << 28

// Options say how a file is read. The zero value serves most files. An option
// of one format has no effect on the others.
type Options struct {
	// Target is the column of a CSV file that holds the target: 1 is the first,
	// −1 the last, −2 the one before it. Default 0 means the last but for that of
	// the weights. NoTarget
	// reads a file that has none, also one of IDX images without labels.
	Target int
	// Weights is the column of a CSV file that holds the weights of the rows, counted as
	// Target is, and not the target's. Default 0: there is none.
	Weights int
	// Header says that the first line of a CSV file names the columns. Default
	// false: it does if none of its fields is a number.
	Header bool
	// Cols is the number of columns of an svmlight file, for files in which the
	// last features do not occur. Default 0 means the largest index in the
	// file, which Batches cannot know and does not accept.
	Cols int
	// MaxValues limits rows × columns of an svmlight file (of a batch, in
	// Batches), as a few bytes of it can ask for any number of zeros. Default 0
	// means 2²⁸, which is 2 GiB.
	MaxValues int
}

func (o Options) check() error {
	if o.Cols < 0 || o.Cols > maxIndex {
		return fmt.Errorf("option Cols = %d, want 0 … %d: %w", o.Cols, maxIndex, rkhs.ErrOption)
	}
	if o.MaxValues < 0 {
		return fmt.Errorf("option MaxValues = %d, want 0 or more: %w", o.MaxValues, rkhs.ErrOption)
	}
	return nil
}

func (o Options) maxValues() int {
	if o.MaxValues == 0 {
		return defaultMaxValues
	}
	return o.MaxValues
}

// layout returns the columns of the target and of the weights in a CSV file of the given
// number of columns, counted from 1, or 0 where there is none.
func (o Options) layout(columns int) (target, weights int, err error) {
	features := columns
	if o.Weights != 0 {
		if weights, err = columnAt("Weights", o.Weights, columns); err != nil {
			return 0, 0, err
		}
		features--
	}
	if o.Target != NoTarget {
		last := -1
		if weights == columns && columns > 1 {
			last = -2
		}
		if target, err = columnAt("Target", cmp.Or(o.Target, last), columns); err != nil {
			return 0, 0, err
		}
		features--
	}
	switch {
	case weights > 0 && weights == target:
		return 0, 0, fmt.Errorf("options Target = %d and Weights = %d are the same column: %w", o.Target, o.Weights, rkhs.ErrOption)
	case features == 0:
		return 0, 0, fmt.Errorf("the target or the weights are the only columns: %w", rkhs.ErrEmpty)
	}
	return target, weights, nil
}

// columnAt counts from 1 what an option counts from either end.
func columnAt(option string, at, columns int) (int, error) {
	c := at
	if c < 0 {
		c += columns + 1
	}
	if c < 1 || c > columns {
		return 0, fmt.Errorf("option %s = %d in a file of %d columns: %w", option, at, columns, rkhs.ErrOption)
	}
	return c, nil
}
