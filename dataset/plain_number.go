package dataset

import (
	"math"
	"strconv"
)

// powersOfTen are exact.
var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// plainNumber parses a finite number with digits, a point and an exponent, and without superfluous
// zeros. It is not ok for other texts.
//
// A whole number below 2^53 and a power of ten up to 10^22 are exact, so their quotient is correctly
// rounded (Clinger, "How to read floating point numbers accurately", 1990). It passes other numbers
// to strconv.
func plainNumber(cell []byte) (v float64, ok bool) {
	i, n := 0, len(cell)
	negative := n > 0 && cell[0] == '-'
	if negative {
		i++
	}
	if i+1 < n && cell[i] == '0' && cell[i+1] != '.' {
		return 0, false
	}
	whole, digits, fraction := uint64(0), 0, -1 // fraction is the position after the point
	for ; i < n; i++ {
		c := cell[i]
		switch {
		case c >= '0' && c <= '9':
			if digits++; digits > 18 {
				return parsePlain(cell)
			}
			whole = 10*whole + uint64(c-'0')
		case c == '.' && fraction < 0:
			fraction = i + 1
		case c == 'e' || c == 'E':
			return parsePlain(cell)
		default:
			return 0, false
		}
	}
	if digits == 0 {
		return 0, false
	}
	if whole >= 1<<53 {
		return parsePlain(cell)
	}
	v = float64(whole)
	if fraction >= 0 {
		v /= powersOfTen[n-fraction]
	}
	if negative {
		v = math.Copysign(v, -1)
	}
	return v, true
}

// parsePlain parses a text of digits, points and an exponent by strconv.
func parsePlain(cell []byte) (float64, bool) {
	for _, c := range cell {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	return v, err == nil
}
