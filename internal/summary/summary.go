// Package summary formats reports as short aligned lines.
package summary

import (
	"fmt"
	"math"
	"strings"
)

// Lines is a list of named values, one per line.
type Lines struct{ names, values []string }

// Add appends a line.
func (l *Lines) Add(name, format string, args ...any) {
	l.names = append(l.names, name)
	l.values = append(l.values, fmt.Sprintf(format, args...))
}

// AddText appends a line unless text is empty.
func (l *Lines) AddText(name, text string) {
	if text != "" {
		l.Add(name, "%s", text)
	}
}

// AddNumber appends a line unless v is zero or NaN.
func (l *Lines) AddNumber(name string, v float64) {
	if v != 0 && !math.IsNaN(v) {
		l.Add(name, "%.4g", v)
	}
}

// AddNumbers appends a line with the first values of v, unless v is empty.
func (l *Lines) AddNumbers(name string, v []float64) { l.AddText(name, Numbers(v)) }

// String returns the lines with aligned values and without a final newline.
func (l *Lines) String() string {
	width := 0
	for _, name := range l.names {
		width = max(width, len(name))
	}
	var b strings.Builder
	for i, name := range l.names {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%-*s  %s", width, name, l.values[i])
	}
	return b.String()
}

// shown is the maximum number of values that Numbers prints.
const shown = 4

// Numbers formats the first four values of v. If v is longer, it also prints its length.
func Numbers(v []float64) string {
	var texts []string
	for _, x := range v[:min(shown, len(v))] {
		texts = append(texts, fmt.Sprintf("%.4g", x))
	}
	if len(v) > shown {
		texts = append(texts, fmt.Sprintf("... (%d values)", len(v)))
	}
	return strings.Join(texts, " ")
}

// longest is the maximum length of a value in runes.
const longest = 100

// Short formats a value and elides the middle if it is longer than 100 runes.
func Short(v any) string {
	text := []rune(fmt.Sprint(v))
	if len(text) <= longest {
		return string(text)
	}
	const tail = 20
	return string(text[:longest-tail-5]) + " ... " + string(text[len(text)-tail:])
}

// Count formats a number with its noun, in the plural unless n is 1.
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
