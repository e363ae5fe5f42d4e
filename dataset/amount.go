package dataset

import (
	"bytes"
	"net/netip"
	"unicode"
	"unicode/utf8"
)

// amount splits a text such as "-$1,234.50" or "12 kg" into a number and its unit. The number has
// digits, points and commas, with an optional sign and exponent.
func amount(text []byte) (digits []byte, unit string, ok bool) {
	sign, rest := cutSign(text)
	symbol, size := utf8.DecodeRune(rest)
	if unicode.Is(unicode.Sc, symbol) {
		unit, rest = string(symbol), bytes.TrimSpace(rest[size:])
		if sign == nil {
			sign, rest = cutSign(rest)
		}
	}
	n := numberLen(rest)
	if n == 0 {
		return nil, "", false
	}
	digits, rest = rest[:n], bytes.TrimSpace(rest[n:])
	if len(rest) > 0 {
		if unit != "" || !isUnit(rest) {
			return nil, "", false
		}
		unit = string(rest)
	}
	if sign != nil {
		digits = append(bytes.Clone(sign), digits...)
	}
	return digits, unit, true
}

func cutSign(text []byte) (sign, rest []byte) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		return text[:1], text[1:]
	}
	return nil, text
}

// numberLen returns the length of the digits, points, commas and exponent at the start of a text.
func numberLen(text []byte) int {
	isDigit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	n, digits := 0, false
	for n < len(text) && (isDigit(n) || text[n] == '.' || text[n] == ',') {
		digits = digits || isDigit(n)
		n++
	}
	if !digits {
		return 0
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		end := n + 1
		if end < len(text) && (text[end] == '-' || text[end] == '+') {
			end++
		}
		if isDigit(end) {
			for isDigit(end) {
				end++
			}
			return end
		}
	}
	return n
}

// maxUnit is the largest number of characters of a unit.
const maxUnit = 5

// isUnit reports whether a text has the form of a unit: a few letters and signs such as %, ° and ².
func isUnit(text []byte) bool {
	if utf8.RuneCount(text) > maxUnit {
		return false
	}
	for _, r := range string(text) {
		if !unicode.IsLetter(r) && !unicode.Is(unicode.Sc, r) && !bytes.ContainsRune([]byte("%‰°²³/"), r) {
			return false
		}
	}
	return true
}

// plain returns the digits of an amount as a number for strconv: with a decimal point and without
// separators of thousands. It reports whether it removed any.
func plain(digits []byte, decimalComma bool) (number []byte, grouped, ok bool) {
	point, group := byte('.'), byte(',')
	if decimalComma {
		point, group = ',', '.'
	}
	whole, fraction, hasPoint := bytes.Cut(digits, []byte{point})
	if bytes.IndexByte(fraction, group) >= 0 || bytes.IndexByte(fraction, point) >= 0 {
		return nil, false, false
	}
	if grouped = bytes.IndexByte(whole, group) >= 0; grouped {
		if !isGrouped(whole, group) {
			return nil, true, false
		}
		whole = bytes.ReplaceAll(whole, []byte{group}, nil)
	} else if !hasPoint || point == '.' {
		return digits, false, true
	}
	number = bytes.Clone(whole)
	if hasPoint {
		number = append(append(number, '.'), fraction...)
	}
	return number, grouped, true
}

// isGrouped reports whether separators of thousands have valid positions: before the last three
// digits, and before groups of two (India) or three. An IP address is not a number.
func isGrouped(whole []byte, group byte) bool {
	_, unsigned := cutSign(whole)
	parts := bytes.Split(unsigned, []byte{group})
	last := len(parts) - 1
	for i, part := range parts {
		switch n := len(part); {
		case i == 0 && (n == 0 || n > 3 || part[0] == '0'):
			return false
		case i > 0 && n != 3 && (n != 2 || i == last):
			return false
		}
	}
	_, err := netip.ParseAddr(string(whole))
	return err != nil
}

// isCode reports whether a text is a whole number with superfluous zeros, such as 02139.
func isCode(text []byte) bool {
	return len(text) > 1 && text[0] == '0' && len(bytes.Trim(text, "0123456789")) == 0
}

// commonUnits are units that rarely occur by chance with other units in one column.
var commonUnits = map[string]bool{"%": true, "‰": true, "°": true, "°C": true, "°F": true, "K": true,
	"mm": true, "cm": true, "m": true, "km": true, "in": true, "ft": true, "yd": true, "mi": true,
	"mg": true, "g": true, "kg": true, "t": true, "oz": true, "lb": true, "lbs": true,
	"ml": true, "l": true, "L": true, "ms": true, "s": true, "sec": true, "min": true, "h": true, "d": true,
	"W": true, "kW": true, "MW": true, "V": true, "A": true, "Hz": true, "kHz": true, "MHz": true, "GHz": true,
	"B": true, "kB": true, "KB": true, "MB": true, "GB": true, "TB": true, "m²": true, "m³": true, "km²": true,
	"km/h": true, "m/s": true, "mph": true, "EUR": true, "USD": true, "GBP": true, "CHF": true, "JPY": true}

// isCommonUnit reports whether a unit is empty, a currency sign or a common unit.
func isCommonUnit(unit string) bool {
	symbol, size := utf8.DecodeRuneInString(unit)
	return unit == "" || commonUnits[unit] || size == len(unit) && unicode.Is(unicode.Sc, symbol)
}
