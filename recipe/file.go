package recipe

import (
	"bytes"
	"encoding"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/codec"
)

var modelFormat = codec.Register(codec.Format[Model]{Kind: "recipe model", Decode: decodeModel,
	Encode: (*Model).encode, Fitted: (*Model).fitted})

// MarshalBinary returns recipe and model as a file.
func (m *Model) MarshalBinary() ([]byte, error) { return modelFormat.File(m) }

// UnmarshalBinary replaces m by what is in data. A model of a package that the program does not
// import is rkhs.ErrFormat, as all that is wrong with data; m is then left as it was.
func (m *Model) UnmarshalBinary(data []byte) error { return modelFormat.Unmarshal(m, data) }

func (m *Model) encode(e *codec.Encoder) error {
	m.recipe.encode(e)
	b, ok := m.model.(encoding.BinaryMarshaler)
	if !ok {
		return fmt.Errorf("a %T has no file: %w", m.model, rkhs.ErrOption)
	}
	return e.Nested(b.MarshalBinary())
}

func decodeModel(d *codec.Decoder) Model {
	m := Model{recipe: decodeRecipe(d)}
	m.model = codec.Nested(d, func(data []byte) (rkhs.Model, error) {
		return rkhs.Read[rkhs.Model](bytes.NewReader(data))
	})
	if d.Err() == nil {
		if err := m.recipe.fits(m.model); err != nil {
			d.Fail("%v", err)
		}
	}
	return m
}

func (r *Recipe) encode(e *codec.Encoder) {
	e.String(r.target.name)
	encodeTexts(e, r.target.classes)
	e.String(r.weights)
	e.Bool(r.reading.DecimalComma)
	encodeTexts(e, r.reading.Missing)
	encodeTexts(e, r.reading.Dates)
	e.Int(len(r.columns))
	for i := range r.columns {
		c := &r.columns[i]
		e.String(c.name)
		e.String(c.why)
		e.Fields(c.fields()...)
		encodeTexts(e, c.levels)
		e.Int(len(c.hashes))
		for _, h := range c.hashes {
			e.Uint64(h)
		}
	}
	encodeDonors(e, r.donors)
}

// fields are those of the file.
func (r *column) fields() []any {
	return []any{codec.OneOf(&r.kind, dataset.Blank), codec.OneOf(&r.use, lastUse), &r.bits, &r.clock, &r.median, &r.spread, &r.flag, &r.others, &r.few}
}

func encodeTexts(e *codec.Encoder, list []string) {
	e.Int(len(list))
	for _, text := range list {
		e.String(text)
	}
}

func decodeTexts(d *codec.Decoder) (list []string) {
	for range d.Count(8) {
		list = append(list, d.String())
	}
	return list
}

// leastColumn is the number of bytes that a column takes in a file, at least.
const leastColumn = 32

func decodeRecipe(d *codec.Decoder) *Recipe {
	r := &Recipe{target: target{name: d.String(), classes: decodeTexts(d)}, weights: d.String()}
	r.reading = dataset.TableOptions{DecimalComma: d.Bool(), Missing: decodeTexts(d), Dates: decodeTexts(d)}
	if r.target.classes != nil {
		r.target.number()
		if len(r.target.index) != len(r.target.classes) || len(r.target.classes) < 2 {
			d.Fail("%d classes of %d names", len(r.target.classes), len(r.target.index))
		}
	}
	for range d.Count(leastColumn) {
		c := column{name: d.String(), why: d.String()}
		d.Fields(c.fields()...)
		c.levels = decodeTexts(d)
		for range d.Count(8) {
			c.hashes = append(c.hashes, d.Uint64())
		}
		c.number()
		if err := c.check(); err != nil && d.Err() == nil {
			d.Fail("column %q: %v", c.name, err)
		}
		r.columns = append(r.columns, c)
		r.sparse = r.sparse || c.use == words
	}
	if d.Err() != nil {
		return nil
	}
	if w := r.Width(); w < 1 || w > math.MaxInt32 {
		d.Fail("a recipe that makes %d columns", w)
	}
	r.donors = decodeDonors(d, r.Width())
	return r
}

// check returns what no column that was learned has, or nil.
func (r *column) check() error {
	switch {
	case r.use == hashed && (r.bits < 1 || r.bits > mostLevelBits), r.use == words && (r.bits < 1 || r.bits > 30):
		return fmt.Errorf("2^%d columns of hashes", r.bits)
	case !slices.IsSorted(r.hashes):
		return fmt.Errorf("hashes of levels are not in order")
	case len(r.index) != len(r.levels):
		return fmt.Errorf("two levels of one name")
	case r.median-r.median != 0 || !(r.spread >= 0) || r.spread-r.spread != 0:
		return fmt.Errorf("median %v, spread %v", r.median, r.spread)
	}
	return nil
}

func encodeDonors(e *codec.Encoder, donors []elements) {
	e.Int(len(donors))
	for _, donor := range donors {
		e.Ints(donor.columns)
		e.Float64s(donor.values)
	}
}

// decodeDonors reads training rows of some columns.
func decodeDonors(d *codec.Decoder, width int) (donors []elements) {
	for range d.Count(16) {
		donor := elements{d.Ints(), d.Float64s()}
		if len(donor.columns) != len(donor.values) {
			d.Fail("%d values in %d columns", len(donor.values), len(donor.columns))
		}
		last := -1
		for _, j := range donor.columns {
			if j <= last || j >= width {
				d.Fail("column %d of a training row behind %d, of %d columns", j, last, width)
			}
			last = j
		}
		for _, v := range donor.values {
			if v-v != 0 {
				d.Fail("an element %v of a training row", v)
			}
		}
		donors = append(donors, donor)
	}
	if len(donors) == 0 || len(donors) > mostDonors {
		d.Fail("%d training rows, want 1 to %d", len(donors), mostDonors)
	}
	return donors
}
