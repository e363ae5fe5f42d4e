package dataset

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
)

// NoTarget as Options.Target turns every column into a feature.
const NoTarget = math.MinInt

// defaultMaxValues is 2 GiB of float64.
const defaultMaxValues = 1 << 28

// Options configures how a file is read. The zero value fits most files. An option of one format
// has no effect on other formats.
type Options struct {
	// Target is the target column of a CSV file: 1 is the first, −1 the last. NoTarget reads a CSV
	// file without targets, or IDX images without labels. Default: the last column but Weights.
	Target int
	// Weights is the column of the row weights of a CSV file, counted like Target. Default: no weights.
	Weights int
	// Header states that the first line of a CSV file names the columns. Default: it does if no
	// field is a number.
	Header bool
	// Cols is the number of columns of an svmlight file. Batches needs it. Default: the largest
	// index in the file.
	Cols int
	// FirstIndex is the index of the first column of an svmlight file. Default: 0 if the file, or its
	// first batch, has an index 0, otherwise 1.
	FirstIndex FirstIndex
	// MaxValues limits rows × columns of a dense svmlight file or batch. Default: 2²⁸, 2 GiB.
	MaxValues int
}

// FirstIndex is the index of the first column of an svmlight file.
type FirstIndex uint8

const (
	// DetectIndex is FromZero if an index is 0, and otherwise FromOne.
	DetectIndex FirstIndex = iota
	// FromZero counts columns from 0.
	FromZero
	// FromOne counts columns from 1.
	FromOne
)

func (o Options) check() error {
	if o.FirstIndex > FromOne {
		return fmt.Errorf("option FirstIndex = %d, want DetectIndex, FromZero or FromOne: %w", o.FirstIndex, rkhs.ErrOption)
	}
	if o.Cols < 0 || o.Cols > maxIndex {
		return fmt.Errorf("option Cols = %d, want 0 … %d: %w", o.Cols, maxIndex, rkhs.ErrOption)
	}
	if o.MaxValues < 0 {
		return fmt.Errorf("option MaxValues = %d, want 0 or more: %w", o.MaxValues, rkhs.ErrOption)
	}
	return nil
}

// layout returns the columns of target and weights in a CSV file with the given number of columns,
// from 1, or 0.
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

// columnAt returns the column of an option, from 1. Negative options count from the last column.
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
