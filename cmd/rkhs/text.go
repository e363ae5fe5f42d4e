package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// escape replaces bytes that are not UTF-8 by \x and two hexadecimal digits, as %q does. Names in a
// file may have another encoding.
func escape(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[0])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// escapeAll applies escape to each text.
func escapeAll(texts []string) (escaped []string) {
	for _, text := range texts {
		escaped = append(escaped, escape(text))
	}
	return escaped
}

// number is null in JSON if it is not finite.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return []byte("null"), nil
	}
	return json.Marshal(v)
}

// short formats a number without the zero before the decimal point.
func short(format string, v float64) string {
	text := fmt.Sprintf(format, v)
	if strings.HasPrefix(text, "0.") {
		return text[1:]
	}
	return text
}

// writeJSON writes indented JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
