package recipe

import (
	"fmt"
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
	classes []string       // nil for a regression
	index   map[string]int // of a class
}

// mostClasses is the number of different whole numbers up to which they are taken for labels.
const mostClasses = 50

func learnTarget(t *dataset.Table, o Options) (target, error) {
	c := t.Column(o.Target)
	task := o.Task
	values, err := numbersOf(t, c)
	r := target{name: o.Target}
	if task == AutoTask {
		task = Classification
		if c.Kind() == dataset.Number {
			if err != nil { // a fault among numbers does not make classes of them
				return r, err
			}
			task = TaskOf(values)
		}
	}
	if task == Regression {
		if err != nil {
			return r, err
		}
		if len(values) == 0 {
			return r, fmt.Errorf("%s: the target %q is missing in all rows: Target names another column: %w", pkg, o.Target, rkhs.ErrEmpty)
		}
		return r, nil
	}
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
	if k := len(seen); o.Task == AutoTask && k > mostClasses && 2*k > rows {
		return r, fmt.Errorf("%s: the target %q has %d different texts in %d rows, which are no numbers and hardly classes (Task = Classification takes them for these): %w", pkg, o.Target, k, rows, rkhs.ErrLabels)
	}
	for text := range seen {
		r.classes = append(r.classes, text)
	}
	slices.SortFunc(r.classes, numbersFirst)
	if len(r.classes) == 0 {
		return r, fmt.Errorf("%s: the target %q is missing in all rows: Target names another column: %w", pkg, o.Target, rkhs.ErrEmpty)
	}
	if len(r.classes) < 2 {
		return r, fmt.Errorf("%s: the target %q has the classes %q, want two or more: %w", pkg, o.Target, r.classes, rkhs.ErrLabels)
	}
	r.number()
	return r, nil
}

// number sets the numbers of the classes.
func (r *target) number() {
	r.index = make(map[string]int, len(r.classes))
	for i, text := range r.classes {
		r.index[text] = i
	}
}

// TaskOf returns what numbers look like as a target: labels of classes, if there are two
// different ones, or if they are the whole numbers 0 … K−1 or 1 … K for a K of 50 at most,
// each with three rows or more, and with no less than a hundredth of what equal shares
// would be. Counts and grades, which have rare values at the ends, are numbers.
func TaskOf(values []float64) Task {
	count := map[float64]int{}
	for _, v := range values {
		if count[v]++; len(count) > mostClasses {
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

// numbersFirst orders texts that are numbers by their value, before others.
func numbersFirst(a, b string) int {
	v, errV := strconv.ParseFloat(a, 64)
	w, errW := strconv.ParseFloat(b, 64)
	switch {
	case errV == nil && errW == nil && v != w:
		if v < w {
			return -1
		}
		return 1
	case (errV == nil) != (errW == nil):
		if errV == nil {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

// of returns the target of a row: a number, or that of the class, which is len(classes) for one that
// is not known where such are borne; ok is false where it is missing.
func (r *target) of(t *dataset.Table, c *dataset.Column, row int, borne bool) (v float64, ok bool, err error) {
	if r.classes == nil {
		v, ok, err = c.Number(row)
	} else if text, there := c.Text(row); there {
		i, known := r.index[text]
		switch {
		case known:
			v, ok = float64(i), true
		case borne:
			v, ok = float64(len(r.classes)), true
		default:
			err = fmt.Errorf("column %q: %q is none of the classes: %w", r.name, text, rkhs.ErrLabels)
		}
	}
	if err != nil {
		return 0, false, fmt.Errorf("%s: line %d: %w", pkg, t.Line(row), err)
	}
	return v, ok, nil
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

// numbersOf returns the numbers of a column without those that are missing, up to the first
// cell that is none, and why that is none.
func numbersOf(t *dataset.Table, c *dataset.Column) ([]float64, error) {
	var values []float64
	for i := range c.Len() {
		v, ok, err := c.Number(i)
		if err != nil {
			return values, faulty(t, c, i, err)
		}
		if ok {
			values = append(values, v)
		}
	}
	return values, nil
}

// faulty names the line of a cell that is not of the kind of its column.
func faulty(t *dataset.Table, c *dataset.Column, row int, err error) error {
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
