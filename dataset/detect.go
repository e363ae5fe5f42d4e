package dataset

import (
	"bytes"
	"strings"
	"time"
)

const (
	// strayCells is the largest fraction of other texts in a column of numbers or dates. Up to this
	// fraction they are errors of the file.
	strayCells = 0.01
	// differentNames is the fraction of distinct names above which a column identifies rows.
	differentNames = 0.9
	// fewNames is the smallest number of cells of a Text or an Identifier.
	fewNames = 30
	// wordsOfText is the smallest mean number of words of a Text.
	wordsOfText = 3
)

// tally counts the cells of a column by the form of their texts. Missing cells do not count.
type tally struct {
	total        int
	absent       int  // words such as "none" that are missing among numbers or dates
	codes        int  // whole numbers with superfluous zeros
	zero         bool // a cell is zero
	point, comma amounts
	dates        int                // in a layout of the parser
	days, months [len(dayFirst)]int // in the layouts of dayFirst and monthFirst
	names        names              // neither numbers nor absent
	numbers      names              // the texts of numbers
}

// names counts texts.
type names struct{ cells, words, different int }

func (c *names) add(text string, n int) {
	c.cells += n
	c.words += n * len(strings.Fields(text))
	c.different++
}

// amounts counts the numbers that are valid with one decimal sign.
type amounts struct {
	total   int
	units   map[string]int
	grouped int  // with separators of thousands
	signed  bool // the decimal sign occurs
	common  bool // all units are common
}

// tallyOf counts the texts of a column. It parses each distinct text once.
func tallyOf(c *texts, parse *parser) *tally {
	t := new(tally)
	count := make([]int, len(c.levels))
	for _, code := range c.codes {
		count[code]++
	}
	for code, text := range c.levels {
		if n := count[code]; n > 0 && !parse.missing[text] {
			t.add(text, n, parse)
		}
	}
	return t
}

// add counts n cells with a text.
func (t *tally) add(text string, n int, parse *parser) {
	t.total += n
	if isMissingWord(text) {
		t.absent += n
		return
	}
	t.zero = t.zero || strings.Trim(text, "0") == ""
	if isCode([]byte(text)) {
		t.codes += n
	}
	digits, unit, ok := amount([]byte(text))
	if ok {
		point := t.point.add(digits, unit, n, false) && !parse.DecimalComma
		if comma := t.comma.add(digits, unit, n, true); point || comma {
			t.numbers.add(text, n)
			return
		}
	}
	t.names.add(text, n)
	if _, err := parse.time(text); err == nil {
		t.dates += n
	}
	if text[0] < '0' || text[0] > '9' {
		return
	}
	for k := range dayFirst {
		if _, err := time.Parse(dayFirst[k], text); err == nil {
			t.days[k] += n
		}
		if _, err := time.Parse(monthFirst[k], text); err == nil {
			t.months[k] += n
		}
	}
}

// used returns the layouts of cells, and the number of these cells.
func used(layouts [len(dayFirst)]string, count [len(dayFirst)]int) (list []string, cells int) {
	for k, n := range count {
		if n > 0 {
			list, cells = append(list, layouts[k]), cells+n
		}
	}
	return list, cells
}

// addNumbers counts n plain numbers.
func (t *tally) addNumbers(n int, zero bool) {
	t.total += n
	t.zero = t.zero || zero
	if t.point.units == nil {
		t.point.units, t.point.common = map[string]int{}, true
	}
	t.point.total += n
	t.point.units[""] += n
}

// add counts n cells with an amount. ok is false if the amount is not a number.
func (a *amounts) add(digits []byte, unit string, n int, decimalComma bool) (ok bool) {
	text, grouped, ok := plain(digits, decimalComma)
	if ok {
		_, err := number(text)
		ok = err == nil
	}
	if !ok {
		return false
	}
	if a.units == nil {
		a.units, a.common = map[string]int{}, true
	}
	a.total += n
	a.units[unit] += n
	a.common = a.common && isCommonUnit(unit)
	if grouped {
		a.grouped += n
	}
	a.signed = a.signed || bytes.IndexByte(digits, ',') >= 0 && decimalComma || bytes.IndexByte(digits, '.') >= 0 && !decimalComma
	return true
}

// unit returns the most frequent unit.
func (a *amounts) unit() (unit string) {
	most := 0
	for u, n := range a.units {
		if n > most || n == most && u < unit {
			unit, most = u, n
		}
	}
	return unit
}

// nearlyAll reports whether a part has at least 99 % of the cells that are not absent.
func (t *tally) nearlyAll(part int) bool {
	n := t.total - t.absent
	return n > 0 && float64(n-part) <= strayCells*float64(n)
}

// decimalComma reports whether the comma is the decimal sign. Nearly all numbers must be valid with
// it, and no fewer than with a decimal point. It must occur, in a file with the separator ; or in a
// number that is invalid with a point. It need not occur if it is the sign of another column of the
// file.
func (t *tally) decimalComma(parse *parser, elsewhere bool) bool {
	if parse.DecimalComma {
		return true
	}
	occurs := t.comma.signed && (parse.comma || t.point.total < t.comma.total)
	return t.nearlyAll(t.comma.total) && t.comma.total >= t.point.total && (occurs || elsewhere && t.comma.grouped > 0)
}

// notation returns the notation of the column.
func (t *tally) notation(parse *parser, elsewhere bool) Notation {
	number, date := t.numberNotation(parse, elsewhere), t.dateNotation(parse)
	switch read := t.read(number.DecimalComma); {
	case t.nearlyAll(read.units[number.Unit]), t.nearlyAll(read.total) && read.common:
		if !t.hasCodes() {
			return number
		}
	case t.nearlyAll(t.dates), date.Dates != nil && len(date.Dates) > len(parse.Dates):
		return date
	}
	n := parse.Notation
	n.Kind = t.nameKind()
	return n
}

func (t *tally) read(decimalComma bool) *amounts {
	if decimalComma {
		return &t.comma
	}
	return &t.point
}

// numberNotation returns the likely notation of numbers.
func (t *tally) numberNotation(parse *parser, elsewhere bool) Notation {
	n := parse.Notation
	n.Kind, n.DecimalComma = Number, t.decimalComma(parse, elsewhere)
	read := t.read(n.DecimalComma)
	n.Unit, n.Grouped = read.unit(), read.grouped > 0
	return n
}

// dateNotation returns the likely notation of dates. The day comes first if more cells are valid in
// that order, such as 31/12/2020.
func (t *tally) dateNotation(parse *parser) Notation {
	n := parse.Notation
	n.Kind = Date
	days, inDays := used(dayFirst, t.days)
	months, inMonths := used(monthFirst, t.months)
	switch {
	case t.nearlyAll(inDays) && inDays > inMonths:
		n.Dates = union(n.Dates, days)
	case t.nearlyAll(inMonths) && inMonths > inDays:
		n.Dates = union(n.Dates, months)
	}
	return n
}

// ambiguous returns the layouts of days that begin with the day or with the month.
func (t *tally) ambiguous() []string {
	days, inDays := used(dayFirst, t.days)
	months, inMonths := used(monthFirst, t.months)
	if inDays != inMonths || !t.nearlyAll(inDays) {
		return nil
	}
	return append(days, months...)
}

// hasCodes reports whether whole numbers are codes. More than one in a hundred has superfluous zeros,
// and no cell is zero.
func (t *tally) hasCodes() bool { return !t.zero && !t.nearlyAll(t.total-t.absent-t.codes) }

// nameKind returns the kind of a column without numbers or dates. If all cells are numbers, it treats
// the numbers as names.
func (t *tally) nameKind() Kind {
	n := t.names
	if t.names.cells == 0 {
		n = t.numbers
	}
	switch {
	case t.total == t.absent:
		return Blank
	case 2*n.different > t.total && n.words >= wordsOfText*n.cells && t.total >= fewNames:
		return Text
	case float64(n.different) > differentNames*float64(t.total) && t.total >= fewNames:
		return Identifier
	}
	return Category
}
