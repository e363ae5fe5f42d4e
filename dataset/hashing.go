package dataset

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rkhs-go/rkhs"
)

// Hashing makes sparse rows of strings, such as the words of a text or categories of any
// number, without a list of them: a string s has column h(s) of 2^Bits and the sign ξ(s), both
// of a hash, and the element of a row is Σ ξ(s)·v over the strings s of the row that have its
// column, with their values v. Strings that share a column disturb one another little, as
// signs make their products zero on the mean. Source: Weinberger, Dasgupta, Langford, Smola and
// Attenberg, "Feature hashing for large scale multitask learning", ICML 2009.
type Hashing struct {
	// Bits is the logarithm of the number of columns, 1 to 30. Default: 20.
	Bits int
	// Unsigned leaves the signs out, for kernels of numbers that are not negative.
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

func (h Hashing) bits() int {
	if h.Bits == 0 {
		return 20
	}
	return h.Bits
}

func (h Hashing) check() error {
	if b := h.bits(); b < 1 || b > 30 {
		return fmt.Errorf("dataset: Hashing.Bits = %d, want 1 to 30: %w", h.Bits, rkhs.ErrOption)
	}
	return nil
}

// Strings returns rows of strings, each of value 1 as often as it occurs. O(bytes).
func (h Hashing) Strings(rows [][]string) (*rkhs.Sparse, error) {
	return h.rows(len(rows), func(i int, add func(name string, value float64)) {
		for _, s := range rows[i] {
			add(s, 1)
		}
	})
}

// Features returns rows of strings with values. One that is not finite is
// rkhs.ErrNotFinite, which names row and string. O(bytes).
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

// rows makes n rows, of which each adds its strings.
func (h Hashing) rows(n int, row func(i int, add func(name string, value float64))) (*rkhs.Sparse, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	x := &rkhs.Sparse{Rows: n, Cols: h.Columns(), Offsets: make([]int, 1, n+1)}
	sums := map[int32]float64{}
	var columns []int32
	for i := range n {
		clear(sums)
		columns = columns[:0]
		row(i, func(name string, value float64) {
			column, sign := h.place(name)
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

// place returns the column and the sign of a string: the bits of FNV-1a, mixed by the
// finalizer of MurmurHash3, as the low ones alone are too regular.
func (h Hashing) place(name string) (column int32, sign float64) {
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

// Words returns the words of a text in lower case: runs of letters, digits and underscores, of two
// or more.
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
