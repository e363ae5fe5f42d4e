package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// cells stores the values of a column. The methods are for rows with a value.
type cells interface {
	len() int
	text(row int) string
	number(row int, parse *parser) (float64, error)
	time(row int, parse *parser) (time.Time, error)
	// pick returns a copy of the given rows.
	pick(rows []int) cells
	// concat returns a copy of these cells followed by the cells of others, which have the same type.
	concat(others []cells) cells
}

// numbers are cells of finite numbers.
type numbers []float64

func (c numbers) len() int            { return len(c) }
func (c numbers) text(row int) string { return decimal(c[row]) }

func (c numbers) number(row int, _ *parser) (float64, error) {
	if math.IsInf(c[row], 0) {
		return 0, fmt.Errorf("%v: %w", c[row], rkhs.ErrNotFinite)
	}
	return c[row], nil
}

func (c numbers) time(row int, parse *parser) (time.Time, error) { return parse.time(c.text(row)) }

func (c numbers) pick(rows []int) cells { return numbers(compute.PickOf(c, rows)) }

func (c numbers) concat(others []cells) cells { return concat(c, others) }

// decimal returns the shortest decimal that reads back as v. Very large and very small numbers have
// an exponent.
func decimal(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// integers are cells of whole numbers.
type integers []int64

func (c integers) len() int                                       { return len(c) }
func (c integers) text(row int) string                            { return strconv.FormatInt(c[row], 10) }
func (c integers) number(row int, _ *parser) (float64, error)     { return float64(c[row]), nil }
func (c integers) time(row int, parse *parser) (time.Time, error) { return parse.time(c.text(row)) }
func (c integers) pick(rows []int) cells                          { return integers(compute.PickOf(c, rows)) }
func (c integers) concat(others []cells) cells                    { return concat(c, others) }

// bools are cells of truth values, with the texts true and false and the numbers 1 and 0.
type bools []bool

func (c bools) len() int            { return len(c) }
func (c bools) text(row int) string { return strconv.FormatBool(c[row]) }

func (c bools) number(row int, _ *parser) (float64, error) {
	if c[row] {
		return 1, nil
	}
	return 0, nil
}

func (c bools) time(row int, parse *parser) (time.Time, error) { return parse.time(c.text(row)) }
func (c bools) pick(rows []int) cells                          { return bools(compute.PickOf(c, rows)) }
func (c bools) concat(others []cells) cells                    { return concat(c, others) }

// times are cells of days or times.
type times []time.Time

func (c times) len() int { return len(c) }

// text returns a day or, unless it is midnight UTC, the time in RFC 3339.
func (c times) text(row int) string {
	t := c[row]
	if t.Location() == time.UTC && t.Equal(t.Truncate(24*time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

func (c times) number(row int, _ *parser) (float64, error) {
	return 0, fmt.Errorf("%q is not a number: %w", c.text(row), rkhs.ErrFormat)
}

func (c times) time(row int, _ *parser) (time.Time, error) { return c[row], nil }
func (c times) pick(rows []int) cells                      { return times(compute.PickOf(c, rows)) }
func (c times) concat(others []cells) cells                { return concat(c, others) }

// concat returns the elements of c followed by the elements of others.
func concat[S interface {
	~[]E
	cells
}, E any](c S, others []cells) cells {
	all := slices.Clone(c)
	for _, o := range others {
		all = append(all, o.(S)...)
	}
	return all
}

// texts are cells of recurring texts.
type texts struct {
	codes  []int32 // of the text of each cell
	levels []string
}

func (c *texts) len() int            { return len(c.codes) }
func (c *texts) text(row int) string { return c.levels[c.codes[row]] }

func (c *texts) number(row int, parse *parser) (float64, error) {
	return parse.number([]byte(c.text(row)))
}

func (c *texts) time(row int, parse *parser) (time.Time, error) { return parse.time(c.text(row)) }
func (c *texts) pick(rows []int) cells                          { return &texts{compute.PickOf(c.codes, rows), c.levels} }

func (c *texts) concat(others []cells) cells {
	b := newTextBuilder()
	for _, o := range append([]cells{c}, others...) {
		b.appendTexts(o.(*texts))
	}
	return &b.texts
}

// textBuilder collects texts.
type textBuilder struct {
	texts
	code    map[string]int32 // of each level
	decoded bool             // some text was not UTF-8
}

func newTextBuilder() textBuilder { return textBuilder{code: map[string]int32{}} }

func (b *textBuilder) append(cell []byte) {
	code, known := b.code[string(cell)]
	if !known {
		code = b.level(b.decode(cell))
	}
	b.codes = append(b.codes, code)
}

// decode returns a text as UTF-8. Other texts are Windows-1252, which includes Latin-1.
func (b *textBuilder) decode(cell []byte) string {
	if utf8.Valid(cell) {
		return string(cell)
	}
	b.decoded = true
	text, _ := charmap.Windows1252.NewDecoder().Bytes(cell) // every byte is a character
	return string(text)
}

// level returns the code of a text.
func (b *textBuilder) level(text string) int32 {
	code, known := b.code[text]
	if !known {
		code = int32(len(b.levels))
		b.levels = append(b.levels, text)
		b.code[text] = code
	}
	return code
}

func (b *textBuilder) appendTexts(c *texts) {
	codes := make([]int32, len(c.levels))
	for i, text := range c.levels {
		codes[i] = b.level(text)
	}
	for _, code := range c.codes {
		b.codes = append(b.codes, codes[code])
	}
}
