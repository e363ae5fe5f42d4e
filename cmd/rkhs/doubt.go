package main

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"

	"github.com/rkhs-go/rkhs/dataset"
)

// What the cells of a column of names may have been meant for.
var (
	slashed = regexp.MustCompile(`^(\d{1,2})([/-])(\d{1,2})[/-]\d{4}$`)
	commas  = regexp.MustCompile(`^[-+]?\d+,\d+$`)
	// Points and commas are those of thousands but for one: 1.10.0 is no number.
	united = regexp.MustCompile(`^[^\w\s.+-]?\s?[-+]?(\d+(,\d{2,3})*(\.\d+)?|\d+(\.\d{3})*(,\d+)?)\s?[^\w\s.+-]?$`)
	// A unit of letters is that of all cells: 1a, 1b and 2a are no numbers.
	measured = regexp.MustCompile(`^[-+]?\d+(?:[.,]\d+)?\s?(°?\pL{1,4}[²³]?)$`)
)

// doubts says which columns of names look like numbers or dates of another form, and which flag
// reads them, a line for each form. Columns that are ignored, or of a kind that was given, are as
// meant.
func (a *arguments) doubts(t *dataset.Table, ignored []string) (list []string) {
	names, forms := map[string][]string{}, []string(nil)
	for _, c := range t.Columns() {
		_, given := a.read.Kinds[c.Name()]
		if k := c.Kind(); given || slices.Contains(ignored, c.Name()) || k != dataset.Category && k != dataset.Identifier {
			continue
		}
		if form := doubt(c); form != "" {
			if names[form] == nil {
				forms = append(forms, form)
			}
			names[form] = append(names[form], c.Name())
		}
	}
	for _, form := range forms {
		list = append(list, fmt.Sprintf("cells of %q are taken for names, and look like %s", names[form], form))
	}
	return list
}

// doubt tells what all cells of a column look like, if not like names.
func doubt(c *dataset.Column) string {
	days, sep, months := 0, "", 0 // the most of the first and of the second number of dates
	dates, numbers, others := true, true, true
	unit := ""
	for i := range c.Len() {
		text, ok := c.Text(i)
		if !ok {
			continue
		}
		if m := slashed.FindStringSubmatch(text); m != nil {
			first, second := 0, 0
			fmt.Sscan(m[1], &first)
			fmt.Sscan(m[3], &second)
			days, sep, months = max(days, first), m[2], max(months, second)
		} else {
			dates = false
		}
		numbers = numbers && commas.MatchString(text)
		if m := measured.FindStringSubmatch(text); m != nil {
			others = others && (unit == "" || unit == m[1])
			unit = m[1]
		} else {
			others = others && united.MatchString(text) && !isAddress(text)
		}
		if !dates && !others {
			return ""
		}
	}
	dayFirst, monthFirst := "2"+sep+"1"+sep+"2006", "1"+sep+"2"+sep+"2006"
	switch {
	case dates && days > 12:
		return "dates: -dates " + dayFirst + " reads them"
	case dates && months > 12:
		return "dates: -dates " + monthFirst + " reads them"
	case dates:
		return "dates: -dates " + dayFirst + " reads them if the day comes first, " + monthFirst + " if the month does"
	case numbers:
		return "numbers with a comma: -decimal-comma reads 1,5 as one and a half"
	case others:
		return "numbers with a sign or a unit, which are not read"
	}
	return ""
}

// isAddress tells 192.168.100.101, whose points may look like those of thousands.
func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}
