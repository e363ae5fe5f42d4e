package recipe

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/dataset"
)

// use is what becomes of a column.
type use uint8

const (
	leftOut use = iota
	number
	levels
	hashed
	times
	words
	lastUse = words
)

// column is how a column of a table becomes numbers.
type column struct {
	name  string
	kind  dataset.Kind
	use   use
	why   string // it is left out
	bits  int    // of the hash
	clock bool   // times tell hours

	median, spread float64 // of numbers and times; spread is the standard deviation
	flag           bool    // some were missing
	few            bool    // in fewer than substitutes rows

	levels []string
	index  map[string]int // of a level
	others bool           // at least leastOfLevel rows have levels without a column
	hashes []uint64       // of the hashed levels, in order; empty if there are more than mostHashes
}

// leastOfLevel is the number of rows from which on a level has a column of its own.
const leastOfLevel = 3

func learnColumn(t *dataset.Table, c *dataset.Column, o Options, ignored bool) (column, error) {
	r := column{name: c.Name(), kind: c.Kind()}
	switch {
	case ignored:
		r.why = "as asked for"
	case r.kind == dataset.Number || r.kind == dataset.Date:
		return r, r.learnNumbers(t, c)
	case r.kind == dataset.Category:
		r.learnLevels(c, o.Levels)
	case r.kind == dataset.Text:
		r.use, r.bits = words, o.Bits
		r.flag = anyMissing(c)
	case r.kind == dataset.Identifier:
		r.why = "nearly all rows differ"
	case r.kind == dataset.Blank:
		r.why = "all cells are missing"
	default:
		r.why = "its kind is not known: the table was read in batches"
	}
	return r, nil
}

// learnNumbers learns from numbers or times.
func (r *column) learnNumbers(t *dataset.Table, c *dataset.Column) error {
	r.use = number
	if r.kind == dataset.Date {
		r.use = times
	}
	var values []float64
	missing := 0
	for i := range c.Len() {
		v, ok, err := r.value(c, i)
		switch {
		case err != nil:
			return faulty(t, c, i, err)
		case !ok:
			missing++
		default:
			values = append(values, v)
			r.clock = r.clock || r.use == times && hasClock(c, i)
		}
	}
	if len(values) == 0 {
		r.use, r.why = leftOut, "all cells are missing"
		return nil
	}
	slices.Sort(values)
	r.flag, r.few = missing > 0, missing > 0 && missing < substitutes
	r.median, r.spread = medianOf(values), deviation(values)
	if r.spread == 0 && !r.flag {
		r.use, r.why = leftOut, "a single value"
	}
	return nil
}

// value returns the number of a cell, or its time in years, and whether there is one.
func (r *column) value(c *dataset.Column, row int) (v float64, ok bool, err error) {
	if r.use == number {
		return c.Number(row)
	}
	at, ok, err := c.Time(row)
	if err != nil || !ok {
		return 0, false, err
	}
	return years(at), true, nil
}

func medianOf(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// deviation returns the standard deviation of values, which are in order: 0 if and only if
// they are all the same.
func deviation(values []float64) float64 {
	first, last := values[0], values[len(values)-1]
	if first == last {
		return 0
	}
	// Relative to the range, squares neither overflow nor vanish.
	span, sum, squares := last/2-first/2, 0.0, 0.0
	for _, v := range values {
		u := (v/2 - first/2) / span
		sum += u
		squares += u * u
	}
	n := float64(len(values))
	return 2 * span * math.Sqrt(max(squares/n-(sum/n)*(sum/n), 1e-30))
}

func (r *column) learnLevels(c *dataset.Column, most int) {
	count, missing := map[string]int{}, 0
	for i := range c.Len() {
		if text, ok := c.Text(i); ok {
			count[text]++
		} else {
			missing++
		}
	}
	r.flag, r.few = missing > 0, missing > 0 && missing < substitutes
	if len(count) > most {
		r.use = hashed
		for r.bits = 1; 1<<r.bits < most; r.bits++ {
		}
		r.learnHashes(count)
		return
	}
	if len(count) == 1 && !r.flag {
		r.why = "a single value"
		return
	}
	rare := 0
	for text, n := range count {
		if n >= leastOfLevel {
			r.levels = append(r.levels, text)
		} else {
			rare += n
		}
	}
	r.others = rare >= leastOfLevel
	slices.SortFunc(r.levels, numbersFirst)
	r.use = levels
	r.number()
}

// number sets the numbers of the levels.
func (r *column) number() {
	r.index = make(map[string]int, len(r.levels))
	for i, text := range r.levels {
		r.index[text] = i
	}
}

// timeParts are the columns of a time: years, year and week.
const timeParts = 5

// width returns the number of columns that become of the column.
func (r *column) width() int {
	switch r.use {
	case number:
		return 1 + r.flagWidth()
	case times:
		width := timeParts + r.flagWidth()
		if r.clock {
			width += 2
		}
		return width
	case levels:
		return len(r.levels) + 1 + r.flagWidth()
	case hashed, words:
		return 1 << r.bits
	}
	return 0
}

func (r *column) flagWidth() int {
	if r.flag {
		return 1
	}
	return 0
}

func (r *column) names() (list []string) {
	switch r.use {
	case number:
		list = []string{r.name}
	case times:
		list = []string{r.name, r.name + " year sin", r.name + " year cos", r.name + " week sin", r.name + " week cos"}
		if r.clock {
			list = append(list, r.name+" day sin", r.name+" day cos")
		}
	case levels:
		for _, text := range r.levels {
			list = append(list, r.name+"="+text)
		}
		list = append(list, r.name+" other")
	case hashed:
		for i := range 1 << r.bits {
			list = append(list, fmt.Sprintf("%s hash %d", r.name, i))
		}
		return list
	case words:
		return []string{r.name + " *"}
	}
	if r.flag && r.use != leftOut {
		list = append(list, r.name+" missing")
	}
	return list
}

func (r *column) describe() string {
	flagged := ""
	if r.flag {
		flagged = ", and one for missing cells"
	}
	switch r.use {
	case number:
		return fmt.Sprintf("as it is, median %.6g%s", r.median, flagged)
	case times:
		parts := "the year and the week"
		if r.clock {
			parts = "the year, the week and the day"
		}
		return fmt.Sprintf("years and parts of %s%s", parts, flagged)
	case levels:
		return fmt.Sprintf("a column for each of %d levels, one for others%s", len(r.levels), flagged)
	case hashed:
		return fmt.Sprintf("hashed into %d columns", 1<<r.bits)
	case words:
		return fmt.Sprintf("words hashed into %d columns", 1<<r.bits)
	}
	return "left out: " + r.why
}
