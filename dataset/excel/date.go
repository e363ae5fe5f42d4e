package excel

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// parse returns the number of a raw value.
func parse(raw string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(raw, 64)
	return v, err == nil && v-v == 0
}

// isDate reports whether the format of a cell is a format of dates.
func (s *sheet) isDate(cell string) (bool, error) {
	id, err := s.file.GetCellStyle(s.name, cell)
	if err != nil {
		return false, err
	}
	if date, known := s.dates[id]; known {
		return date, nil
	}
	style, err := s.file.GetStyle(id)
	if err != nil {
		return false, err
	}
	s.dates[id] = isDateNumber(style.NumFmt)
	if style.CustomNumFmt != nil {
		s.dates[id] = isDateFormat(*style.CustomNumFmt)
	}
	return s.dates[id], nil
}

// isDateNumber reports whether a built-in format has a day (ECMA-376, 18.8.30).
func isDateNumber(id int) bool {
	return id >= 14 && id <= 17 || id == 22 || id >= 27 && id <= 31 || id == 36 || id >= 50 && id <= 54 || id == 57 || id == 58
}

// literals are the parts of a format that are not codes.
var literals = regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|\\.|_.|\*.`)

// isDateFormat reports whether a custom format has a day or a year.
func isDateFormat(format string) bool {
	return strings.ContainsAny(strings.ToLower(literals.ReplaceAllString(format, "")), "yd")
}

// date returns the text of a number of days.
func (s *sheet) date(days float64) (string, error) {
	t, err := excelize.ExcelDateToTime(days, s.since1904)
	if err != nil {
		return "", err
	}
	if t = t.Round(time.Second); t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly), nil
	}
	return t.Format("2006-01-02T15:04:05"), nil
}
