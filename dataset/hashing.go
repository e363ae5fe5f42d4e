package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rkhs-go/rkhs"
)

// Hashing converts strings, such as words or categories, to sparse rows without a dictionary. A
// string s has the column h(s) of 2^Bits and the sign ξ(s). The element of a row in column j is
// Σ ξ(s)·v over the strings s of the row with h(s) = j and their values v. Random signs make the
// inner products of rows unbiased. Source: Weinberger, Dasgupta, Langford, Smola and Attenberg,
// "Feature hashing for large scale multitask learning", ICML 2009.
type Hashing struct {
	// Bits is the base-2 logarithm of the number of columns, 1 to 30. Default: 20.
	Bits int
	// Unsigned sets all signs to +1, for kernels of nonnegative numbers.
	Unsigned bool
	// Seed selects the hash.
	Seed uint64
}

// Feature is a string with its value.
type Feature struct {
	Name  string
	Value float64
}

// Columns returns the number of columns.
func (h Hashing) Columns() int { return 1 << h.bits() }

func (h Hashing) bits() int { return cmp.Or(h.Bits, 20) }

// Strings returns rows of strings. Each occurrence has the value 1. O(bytes).
func (h Hashing) Strings(rows [][]string) (*rkhs.Sparse, error) {
	return h.rows(len(rows), func(i int, add func(name string, value float64)) {
		for _, s := range rows[i] {
			add(s, 1)
		}
	})
}

// Features returns rows of strings with values. A value that is not finite is rkhs.ErrNotFinite.
// O(bytes).
func (h Hashing) Features(rows [][]Feature) (*rkhs.Sparse, error) {
	for i, row := range rows {
		for _, f := range row {
			if f.Value-f.Value != 0 {
				return nil, fmt.Errorf("dataset: %q in row %d is %v: %w", clip([]byte(f.Name)), i, f.Value, rkhs.ErrNotFinite)
			}
		}
	}
	return h.rows(len(rows), func(i int, add func(name string, value float64)) {
		for _, f := range rows[i] {
			add(f.Name, f.Value)
		}
	})
}

// rows returns n rows. row adds the strings of row i.
func (h Hashing) rows(n int, row func(i int, add func(name string, value float64))) (*rkhs.Sparse, error) {
	if b := h.bits(); b < 1 || b > 30 {
		return nil, fmt.Errorf("dataset: Hashing.Bits = %d, want 1 to 30: %w", h.Bits, rkhs.ErrOption)
	}
	x := &rkhs.Sparse{Rows: n, Cols: h.Columns(), Offsets: make([]int, 1, n+1)}
	sums := map[int32]float64{}
	var columns []int32
	for i := range n {
		clear(sums)
		columns = columns[:0]
		row(i, func(name string, value float64) {
			column, sign := h.hash(name)
			if _, known := sums[column]; !known {
				columns = append(columns, column)
			}
			sums[column] += sign * value
		})
		slices.Sort(columns)
		for _, j := range columns {
			if v := sums[j]; v != 0 {
				x.Columns, x.Values = append(x.Columns, j), append(x.Values, v)
			}
		}
		x.Offsets = append(x.Offsets, len(x.Columns))
	}
	return x, nil
}

// hash returns the column and the sign of a string. The finalizer of MurmurHash3 mixes the bits of
// FNV-1a, because its low bits are too regular.
func (h Hashing) hash(name string) (column int32, sign float64) {
	v := 14695981039346656037 ^ h.Seed*0x9e3779b97f4a7c15
	for i := range len(name) {
		v = (v ^ uint64(name[i])) * 1099511628211
	}
	v = (v ^ v>>33) * 0xff51afd7ed558ccd
	v = (v ^ v>>33) * 0xc4ceb9fe1a85ec53
	v ^= v >> 33
	sign = 1
	if !h.Unsigned && v>>63 != 0 {
		sign = -1
	}
	return int32(v & (1<<h.bits() - 1)), sign
}

// Words returns the words of a text in lower case: runs of at least two letters, digits and
// underscores.
func Words(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len([]rune(w)) > 1 {
			words = append(words, w)
		}
	}
	return words
}
