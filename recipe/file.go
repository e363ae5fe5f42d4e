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

// UnmarshalBinary reads the result of MarshalBinary. Other data, and a model of a package that the
// program does not import, are rkhs.ErrFormat and leave m unchanged.
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

// fields are the fields of the file before the columns.
func (r *Recipe) fields() []any {
	return slices.Concat([]any{&r.target.name, &r.target.classes, &r.weights}, notationFields(&r.target.read), notationFields(&r.weightsRead))
}

func notationFields(n *dataset.Notation) []any {
	return []any{codec.OneOf(&n.Kind, dataset.Blank), &n.DecimalComma, &n.Grouped, &n.Unit, &n.Dates, &n.Missing}
}

func (r *column) fields() []any {
	return append(notationFields(&r.read), &r.name, &r.why, codec.OneOf(&r.use, Words), &r.bits, &r.clock,
		&r.median, &r.spread, &r.low, &r.high, &r.flag, &r.others, &r.few, &r.levels, &r.hashes)
}

func (r *Recipe) encode(e *codec.Encoder) {
	e.Fields(r.fields()...)
	e.Int(len(r.columns))
	for i := range r.columns {
		e.Fields(r.columns[i].fields()...)
	}
	e.Int(len(r.donors))
	for _, donor := range r.donors {
		e.Ints(donor.columns)
		e.Float64s(donor.values)
	}
}

// minColumnBytes is the smallest size of a column in a file.
const minColumnBytes = 32

func decodeRecipe(d *codec.Decoder) *Recipe {
	r := new(Recipe)
	d.Fields(r.fields()...)
	if r.target.classes != nil {
		r.target.index = indexOf(r.target.classes)
		if len(r.target.index) != len(r.target.classes) || len(r.target.classes) < 2 {
			d.Fail("%d classes of %d names", len(r.target.classes), len(r.target.index))
		}
	}
	for range d.Count(minColumnBytes) {
		var c column
		d.Fields(c.fields()...)
		c.index = indexOf(c.levels)
		if err := c.check(); err != nil {
			d.Fail("column %q: %v", c.name, err)
		}
		r.columns = append(r.columns, c)
		r.sparse = r.sparse || c.use == Words
	}
	if d.Err() != nil {
		return nil
	}
	if w := r.Width(); w < 1 || w > math.MaxInt32 {
		d.Fail("a recipe of %d columns", w)
	}
	for range d.Count(16) {
		r.donors = append(r.donors, decodeDonor(d, r.Width()))
	}
	if n := len(r.donors); n == 0 || n > maxDonors {
		d.Fail("%d training rows, want 1 to %d", n, maxDonors)
	}
	return r
}

// check returns an error for a column that Learn cannot return.
func (r *column) check() error {
	switch {
	case r.use == HashedLevels && (r.bits < 1 || r.bits > maxLevelBits), r.use == Words && (r.bits < 1 || r.bits > 30):
		return fmt.Errorf("2^%d columns of hashes", r.bits)
	case !slices.IsSorted(r.hashes):
		return fmt.Errorf("hashes of levels are not in order")
	case len(r.index) != len(r.levels):
		return fmt.Errorf("two levels of one name")
	case !(r.low <= r.median && r.median <= r.high && r.spread >= 0) || r.low-r.low != 0 || r.high-r.high != 0 || r.spread-r.spread != 0:
		return fmt.Errorf("median %v of %v to %v, spread %v", r.median, r.low, r.high, r.spread)
	}
	return nil
}

func decodeDonor(d *codec.Decoder, width int) elements {
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
	return donor
}
