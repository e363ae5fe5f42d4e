package recipe

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// target is the column to predict.
type target struct {
	name    string
	read    dataset.Notation
	classes []string       // nil for a regression
	index   map[string]int // of a class
}

// maxClasses is the largest number of different whole numbers that AutoTask considers as labels.
const maxClasses = 50

func learnTarget(t *dataset.Table, o Options) (target, error) {
	c := t.Column(o.Target)
	r := target{name: o.Target, read: c.Notation()}
	values, err := numbersOf(t, c)
	task := o.Task
	if task == AutoTask {
		task = Classification
		if c.Kind() == dataset.Number {
			if err != nil { // a malformed number does not turn numbers into classes
				return r, err
			}
			task = TaskOf(values)
		}
	}
	if task == Classification {
		return r, r.learnClasses(c, o)
	}
	if err == nil && len(values) == 0 {
		err = r.allMissing()
	}
	return r, err
}

func (r *target) learnClasses(c *dataset.Column, o Options) error {
	seen := map[string]bool{}
	for _, text := range o.Classes {
		seen[text] = true
	}
	rows := 0
	for i := range c.Len() {
		if text, ok := c.Text(i); ok {
			seen[text] = true
			rows++
		}
	}
	switch k := len(seen); {
	case o.Task == AutoTask && k > maxClasses && 2*k > rows:
		return fmt.Errorf("%s: the target %q has %d different texts in %d rows, neither numbers nor likely classes (Task = Classification accepts them): %w", pkg, r.name, k, rows, rkhs.ErrLabels)
	case k == 0:
		return r.allMissing()
	}
	r.classes = slices.SortedFunc(maps.Keys(seen), numbersFirst)
	if len(r.classes) < 2 {
		return fmt.Errorf("%s: the target %q has the classes %q, want two or more: %w", pkg, r.name, r.classes, rkhs.ErrLabels)
	}
	r.index = indexOf(r.classes)
	return nil
}

func (r *target) allMissing() error {
	return fmt.Errorf("%s: the target %q is missing in all rows: Target names another column: %w", pkg, r.name, rkhs.ErrEmpty)
}

// TaskOf returns the likely task for a target of numbers. It is Classification for two different
// numbers, and for the whole numbers 0 … K−1 or 1 … K with K <= 50 if each has at least three rows
// and at least a hundredth of an equal share. Counts and grades, which have rare extremes, are
// numbers.
func TaskOf(values []float64) Task {
	count := map[float64]int{}
	for _, v := range values {
		if count[v]++; len(count) > maxClasses {
			return Regression
		}
	}
	k := len(count)
	if k == 2 {
		return Classification
	}
	first := math.Inf(1)
	for v := range count {
		first = min(first, v)
	}
	if k < 2 || first != 0 && first != 1 {
		return Regression
	}
	for i := range k {
		if n := count[first+float64(i)]; n < 3 || 100*k*n < len(values) {
			return Regression
		}
	}
	return Classification
}

// numbersFirst compares texts: numbers by value, then other texts.
func numbersFirst(a, b string) int {
	v, errV := strconv.ParseFloat(a, 64)
	w, errW := strconv.ParseFloat(b, 64)
	switch {
	case errV == nil && errW == nil && v < w, errV == nil && errW != nil:
		return -1
	case errV == nil && errW == nil && v > w, errV != nil && errW == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// value returns the target of a row, a number or the index of its class. It is not ok if the cell
// is missing. An unknown class has the index len(classes), if allowed.
func (r *target) value(c *dataset.Column, row int, unknown bool) (v float64, ok bool, err error) {
	if r.classes == nil {
		return c.Number(row)
	}
	text, ok := c.Text(row)
	if !ok {
		return 0, false, nil
	}
	i, known := r.index[text]
	switch {
	case known:
		return float64(i), true, nil
	case unknown:
		return float64(len(r.classes)), true, nil
	}
	return 0, false, fmt.Errorf("column %q: %q is none of the classes: %w", r.name, text, rkhs.ErrLabels)
}

func (r *target) String() string {
	if r.classes == nil {
		return "target, a number"
	}
	const most = 8
	names := strings.Join(r.classes[:min(most, len(r.classes))], ", ")
	if len(r.classes) > most {
		names += ", …"
	}
	return fmt.Sprintf("target, one of %d classes: %s", len(r.classes), names)
}

// numbersOf returns the numbers of a column up to the first malformed cell, and its error.
func numbersOf(t *dataset.Table, c *dataset.Column) (values []float64, err error) {
	for i := range c.Len() {
		v, ok, err := c.Number(i)
		if err != nil {
			return values, cellError(t, c, i, err)
		}
		if ok {
			values = append(values, v)
		}
	}
	return values, nil
}

// cellError adds the line of a malformed cell, and advice, to an error.
func cellError(t *dataset.Table, c *dataset.Column, row int, err error) error {
	advice := ""
	if k := c.Kind(); k == dataset.Number || k == dataset.Date {
		if t.Line(row) == 1 {
			advice = " (Header takes line 1 for the names of the columns)"
		} else {
			advice = fmt.Sprintf(" (the column is taken for %vs: Missing names what stands for a missing cell, Kinds another kind of the column)", k)
		}
	}
	return fmt.Errorf("%s: line %d: %w%s", pkg, t.Line(row), err, advice)
}
