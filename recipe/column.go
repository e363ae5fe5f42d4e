package recipe

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// column encodes a column of a table.
type column struct {
	name  string
	read  dataset.Notation
	use   Use
	why   string // it is ignored
	bits  int    // of the hash
	clock bool   // some times are not midnight

	median, spread float64 // of numbers and times; spread is the standard deviation
	low, high      float64 // the range
	flag           bool    // training rows lack cells
	few            bool    // fewer than donorCount of them

	levels []string
	index  map[string]int // of a level
	others bool           // at least minLevelRows rows have levels without a column
	hashes []uint64       // of the hashed levels, ascending; empty above maxHashes
}

const (
	// minLevelRows is the number of rows that a level needs for its own column.
	minLevelRows = 3
	// maxHashes is the largest number of hashed levels that a recipe remembers.
	maxHashes = 1 << 16
)

func learnColumn(t *dataset.Table, c *dataset.Column, o Options, ignored bool) (column, error) {
	r := column{name: c.Name(), read: c.Notation()}
	switch {
	case ignored:
		r.why = "as asked for"
	case r.read.Kind == dataset.Number || r.read.Kind == dataset.Date:
		return r, r.learnNumbers(t, c)
	case r.read.Kind == dataset.Category:
		r.learnLevels(c, o.Levels)
	case r.read.Kind == dataset.Text:
		r.use, r.bits = Words, o.Bits
		for i := range c.Len() {
			r.flag = r.flag || c.Missing(i)
		}
	case r.read.Kind == dataset.Identifier:
		r.why = "nearly all rows differ"
	case r.read.Kind == dataset.Blank:
		r.why = "all cells are missing"
	default:
		r.why = "its kind is not known: the table was read in batches"
	}
	return r, nil
}

// learnNumbers sets the encoding of numbers or times.
func (r *column) learnNumbers(t *dataset.Table, c *dataset.Column) error {
	r.use = Numbers
	if r.read.Kind == dataset.Date {
		r.use = Times
	}
	var values []float64
	for i := range c.Len() {
		v, at, ok, err := r.value(c, i)
		if err != nil {
			return cellError(t, c, i, err)
		}
		if ok {
			values = append(values, v)
			r.clock = r.clock || r.use == Times && at.Hour()+at.Minute()+at.Second() > 0
		}
	}
	if len(values) == 0 {
		r.use, r.why = LeftOut, "all cells are missing"
		return nil
	}
	slices.Sort(values)
	r.setMissing(c.Len() - len(values))
	r.median, r.spread = medianOf(values), deviation(values)
	r.low, r.high = values[0], values[len(values)-1]
	if r.spread == 0 && !r.flag {
		r.use, r.why = LeftOut, "a single value"
	}
	return nil
}

func (r *column) setMissing(rows int) {
	r.flag, r.few = rows > 0, rows > 0 && rows < donorCount
}

// value returns the number of a cell, or its time and the time in years.
func (r *column) value(c *dataset.Column, row int) (v float64, at time.Time, ok bool, err error) {
	if r.use == Numbers {
		v, ok, err = c.Number(row)
		return v, at, ok, err
	}
	if at, ok, err = c.Time(row); ok && err == nil {
		v = float64(at.Unix()) / year
	}
	return v, at, ok, err
}

func medianOf(sorted []float64) float64 {
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// deviation returns the standard deviation of sorted values. It is 0 only if all are equal.
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
		squares += float64(u * u)
	}
	n := float64(len(values))
	return 2 * span * math.Sqrt(max(squares/n-float64((sum/n)*(sum/n)), 1e-30))
}

// learnLevels sets the encoding of a category, with hashing above the given number of levels.
func (r *column) learnLevels(c *dataset.Column, most int) {
	count, missing := map[string]int{}, 0
	for i := range c.Len() {
		if text, ok := c.Text(i); ok {
			count[text]++
		} else {
			missing++
		}
	}
	r.setMissing(missing)
	switch {
	case len(count) > most:
		r.use = HashedLevels
		for r.bits = 1; 1<<r.bits < most; r.bits++ {
		}
		if len(count) <= maxHashes {
			for text := range count {
				r.hashes = append(r.hashes, hashOf(text))
			}
			slices.Sort(r.hashes)
		}
		return
	case len(count) == 1 && !r.flag:
		r.why = "a single value"
		return
	}
	rare := 0
	for text, n := range count {
		if n >= minLevelRows {
			r.levels = append(r.levels, text)
		} else {
			rare += n
		}
	}
	r.use, r.others = Levels, rare >= minLevelRows
	slices.SortFunc(r.levels, numbersFirst)
	r.index = indexOf(r.levels)
}

// indexOf returns the index of each text.
func indexOf(texts []string) map[string]int {
	index := make(map[string]int, len(texts))
	for i, text := range texts {
		index[text] = i
	}
	return index
}

// hashOf returns the hash that identifies a hashed level.
func hashOf(text string) uint64 { return rng.Hash(0, text, 0) }

// unknownHash reports whether no training row has a hashed level.
func (r *column) unknownHash(text string) bool {
	_, known := slices.BinarySearch(r.hashes, hashOf(text))
	return len(r.hashes) > 0 && !known
}

// hashed reports whether the column is hashed.
func (r *column) hashed() bool { return r.use == HashedLevels || r.use == Words }

// width returns the number of columns of the encoding.
func (r *column) width() int {
	width := 0
	switch r.use {
	case Numbers:
		width = 1
	case Times:
		width = 1 + r.phases()
	case Levels:
		width = len(r.levels) + 1
	case HashedLevels, Words:
		return 1 << r.bits
	}
	if r.flag && r.use != LeftOut {
		width++
	}
	return width
}

// names returns the names of the columns of the encoding.
func (r *column) names() (list []string) {
	switch r.use {
	case LeftOut:
		return nil
	case Numbers:
		list = []string{r.name}
	case Times:
		list = []string{r.name, r.name + " year sin", r.name + " year cos", r.name + " week sin", r.name + " week cos"}
		if r.clock {
			list = append(list, r.name+" day sin", r.name+" day cos")
		}
	case Levels:
		for _, text := range r.levels {
			list = append(list, r.name+"="+text)
		}
		list = append(list, r.name+" other")
	case HashedLevels:
		for i := range 1 << r.bits {
			list = append(list, fmt.Sprintf("%s hash %d", r.name, i))
		}
		return list
	case Words:
		return []string{r.name + " *"}
	}
	if r.flag {
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
	case Numbers:
		return fmt.Sprintf("as it is, median %.6g%s", r.median, flagged)
	case Times:
		parts := "the year and the week"
		if r.clock {
			parts = "the year, the week and the day"
		}
		return fmt.Sprintf("years and parts of %s%s", parts, flagged)
	case Levels:
		return fmt.Sprintf("a column for each of %d levels, one for others%s", len(r.levels), flagged)
	case HashedLevels:
		return fmt.Sprintf("hashed into %d columns", 1<<r.bits)
	case Words:
		return fmt.Sprintf("words hashed into %d columns", 1<<r.bits)
	}
	return "left out: " + r.why
}

const (
	day  = 24 * 60 * 60.0
	week = 7 * day
	year = 365.2425 * day // the mean of the Gregorian calendar
)

// phases returns the number of columns for the phases of a time.
func (r *column) phases() int {
	if r.clock {
		return 6
	}
	return 4
}

// setPhases stores sine and cosine of the elapsed parts of the year, the week and, with room in dst,
// the day.
func setPhases(dst []float64, t time.Time) {
	seconds := float64(t.Hour()*3600 + t.Minute()*60 + t.Second())
	ofYear, ofWeek := float64(t.YearDay()-1)*day, float64(t.Weekday())*day
	parts := []float64{(ofYear + seconds) / year, (ofWeek + seconds) / week, seconds / day}
	for k := range len(dst) / 2 {
		dst[2*k], dst[2*k+1] = math.Sincos(2 * math.Pi * parts[k])
	}
}
