package main

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// mostColumns is the largest number of columns that are printed.
const mostColumns = 20

// describeColumns returns a line for each column, such as "town: category (3 levels)". The table, if
// not nil, has the training rows, in which missing cells are counted.
func describeColumns(r *recipe.Recipe, t *dataset.Table, weights string) []string {
	target := "number"
	if classes := r.Classes(); classes != nil {
		target = classNames(classes)
	}
	lines := []string{fmt.Sprintf("%s: target, %s", r.Target(), target)}
	if weights != "" {
		lines = append(lines, weights+": weights")
	}
	steps := r.Steps()
	for _, s := range steps[:min(len(steps), mostColumns)] {
		line := fmt.Sprintf("%s: %s", s.Column, describeStep(s))
		if c := t.Column(s.Column); c != nil && s.Use != recipe.LeftOut {
			if n := missing(c); n > 0 {
				line += fmt.Sprintf(", %d of %s missing", n, summary.Count(c.Len(), "cell"))
			}
		}
		lines = append(lines, line)
	}
	if more := len(steps) - mostColumns; more > 0 {
		lines = append(lines, fmt.Sprintf("and %s (rkhs inspect -json shows all)", summary.Count(more, "more column")))
	}
	return escapeAll(lines)
}

func classNames(classes []string) string {
	const most = 8
	names := strings.Join(classes[:min(most, len(classes))], ", ")
	if len(classes) > most {
		names += ", …"
	}
	return fmt.Sprintf("%s: %s", summary.Count(len(classes), "class"), names)
}

func describeStep(s recipe.Step) string {
	switch {
	case s.Use == recipe.LeftOut:
		return fmt.Sprintf("%v, not used", s.Kind)
	case s.Use == recipe.Levels:
		return fmt.Sprintf("category (%s)", summary.Count(len(s.Levels), "level"))
	case s.Use == recipe.HashedLevels:
		return fmt.Sprintf("category (hashed to %s)", summary.Count(s.Width, "column"))
	}
	return s.Kind.String()
}

func missing(c *dataset.Column) int {
	n := 0
	for i := range c.Len() {
		if c.Missing(i) {
			n++
		}
	}
	return n
}

// Cells of categories that may be numbers or dates in an unknown format.
var (
	slashedDate  = regexp.MustCompile(`^(\d{1,2})([/-])(\d{1,2})[/-]\d{4}$`)
	decimalComma = regexp.MustCompile(`^[-+]?\d+,\d+$`)
	// A number with a sign such as $ or %. All points and commas but one separate thousands, so 1.10.0
	// does not match.
	signed = regexp.MustCompile(`^[^\w\s.+-]?\s?[-+]?(\d+(,\d{2,3})*(\.\d+)?|\d+(\.\d{3})*(,\d+)?)\s?[^\w\s.+-]?$`)
	// A number with a unit of letters. Cells with different units, such as 1a and 1b, are no numbers.
	measured = regexp.MustCompile(`^[-+]?\d+(?:[.,]\d+)?\s?(°?\pL{1,4}[²³]?)$`)
)

// warnings returns a line for each format in which categories look like numbers or dates, with the
// flag that reads it. It skips ignored columns and columns of a given kind.
func (a *arguments) warnings(t *dataset.Table, ignored []string) (lines []string) {
	names, formats := map[string][]string{}, []string(nil)
	for _, c := range t.Columns() {
		_, given := a.read.Kinds[c.Name()]
		isName := c.Kind() == dataset.Category || c.Kind() == dataset.Identifier
		if given || !isName || slices.Contains(ignored, c.Name()) {
			continue
		}
		if format := resembles(c); format != "" {
			if names[format] == nil {
				formats = append(formats, format)
			}
			names[format] = append(names[format], fmt.Sprintf("%q", c.Name()))
		}
	}
	for _, format := range formats {
		lines = append(lines, fmt.Sprintf("rkhs: names in %s look like %s\n", strings.Join(names[format], ", "), format))
	}
	return lines
}

// resembles returns the format that all cells of a column match, or "".
func resembles(c *dataset.Column) string {
	dates, commas, numbers := true, true, true
	days, months, separator, unit := 0, 0, "", "" // the largest first and second number of a date
	for i := range c.Len() {
		text, ok := c.Text(i)
		if !ok {
			continue
		}
		if m := slashedDate.FindStringSubmatch(text); m != nil {
			first, second := 0, 0
			fmt.Sscan(m[1], &first)
			fmt.Sscan(m[3], &second)
			days, separator, months = max(days, first), m[2], max(months, second)
		} else {
			dates = false
		}
		commas = commas && decimalComma.MatchString(text)
		if m := measured.FindStringSubmatch(text); m != nil {
			numbers = numbers && (unit == "" || unit == m[1])
			unit = m[1]
		} else {
			numbers = numbers && signed.MatchString(text) && !isAddress(text)
		}
		if !dates && !numbers {
			return ""
		}
	}
	dayFirst, monthFirst := "2"+separator+"1"+separator+"2006", "1"+separator+"2"+separator+"2006"
	switch {
	case dates && days > 12:
		return "dates: use -dates " + dayFirst
	case dates && months > 12:
		return "dates: use -dates " + monthFirst
	case dates:
		return "dates: use -dates " + dayFirst + " if the day is first, " + monthFirst + " if the month is first"
	case commas:
		return "numbers with a decimal comma: use -decimal-comma"
	}
	return "numbers with a sign or a unit, which are not supported"
}

// isAddress recognizes 192.168.100.101, which also looks like thousands.
func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}
