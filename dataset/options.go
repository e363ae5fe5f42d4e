package dataset

import (
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
	// −1 the last, −2 the one before it. Default 0 means the last. NoTarget
	// reads a file that has none.
	Target int
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

// target returns the column of the target in a CSV file of the given number of
// columns, counted from 1, or 0 if there is none.
func (o Options) target(columns int) (int, error) {
	t := o.Target
	switch {
	case t == NoTarget:
		return 0, nil
	case t == 0:
		t = columns
	case t < 0:
		t += columns + 1
	}
	if t < 1 || t > columns {
		return 0, fmt.Errorf("option Target = %d in a file of %d columns: %w", o.Target, columns, rkhs.ErrOption)
	}
	if columns == 1 {
		return 0, fmt.Errorf("the target is the only column: %w", rkhs.ErrEmpty)
	}
	return t, nil
}
