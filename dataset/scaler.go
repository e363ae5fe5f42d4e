package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Scaler is the map that a Scaling has found. It is only read by its methods and
// safe for concurrent use.
type Scaler struct {
	Scaling Scaling
	// Centre and Scale, not 0, are those of each column; both nil for UnitRows,
	// which takes any number of columns.
	Centre, Scale []float64
}

// Standardize is Standard.Fit of train, applied in place to train and to the
// others.
func Standardize(train *mat.Dense, others ...*mat.Dense) (*Scaler, error) {
	s, err := Standard.Fit(train)
	if err == nil {
		err = s.Apply(append([]*mat.Dense{train}, others...)...)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Apply maps the rows of each x in place. If any of them is refused, none is
// changed: rkhs.ErrShape for another number of columns than was fitted,
// rkhs.ErrEmpty, rkhs.ErrNotFinite. O(n·d).
func (s *Scaler) Apply(x ...*mat.Dense) error {
	return s.each("apply", x, func(row []float64) {
		if s.Scaling == UnitRows {
			unit(row)
			return
		}
		for j := range row {
			row[j] = (row[j] - s.Centre[j]) / s.Scale[j]
		}
	})
}

// Invert undoes Apply in place, v·Scale[j] + Centre[j], up to rounding; with a
// scaler of targets it takes predictions back to their units. The errors are those
// of Apply, and rkhs.ErrOption for UnitRows, which keeps no lengths.
func (s *Scaler) Invert(x ...*mat.Dense) error {
	if s != nil && s.Scaling == UnitRows {
		return fmt.Errorf("dataset: invert: %s cannot be undone: %w", s.Scaling, rkhs.ErrOption)
	}
	return s.each("invert", x, func(row []float64) {
		for j, v := range row {
			row[j] = float64(v*s.Scale[j]) + s.Centre[j] // not fused
		}
	})
}

func (s *Scaler) each(what string, x []*mat.Dense, change func(row []float64)) error {
	pkg := "dataset: " + what
	if err := s.check(); err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	for _, m := range x {
		if err := s.accepts(pkg, m); err != nil {
			return err
		}
	}
	for _, m := range x {
		n, _ := m.Dims()
		for i := range n {
			change(m.RawRowView(i))
		}
	}
	return nil
}

func (s *Scaler) accepts(pkg string, x *mat.Dense) error {
	if err := door.Check(pkg, "x", x); err != nil {
		return err
	}
	if _, d := x.Dims(); s.Scaling != UnitRows && d != len(s.Centre) {
		return fmt.Errorf("%s: x has %d columns, %d were fitted: %w", pkg, d, len(s.Centre), rkhs.ErrShape)
	}
	return nil
}

// check refuses a scaler that no Fit has returned.
func (s *Scaler) check() error {
	switch {
	case s == nil:
		return fmt.Errorf("the scaler is nil: %w", rkhs.ErrOption)
	case s.Scaling > Uncentred:
		return fmt.Errorf("%s: no such scaling: %w", s.Scaling, rkhs.ErrOption)
	case len(s.Centre) != len(s.Scale):
		return fmt.Errorf("%d centres and %d scales: %w", len(s.Centre), len(s.Scale), rkhs.ErrShape)
	case (s.Scaling == UnitRows) != (len(s.Scale) == 0):
		return fmt.Errorf("%s of %d columns, was not fitted: %w", s.Scaling, len(s.Scale), rkhs.ErrOption)
	}
	for j, v := range s.Scale {
		if !(v > 0) || v-v != 0 || s.Centre[j]-s.Centre[j] != 0 {
			return fmt.Errorf("column %d has centre %v and scale %v: %w", j, s.Centre[j], v, rkhs.ErrOption)
		}
	}
	return nil
}

// unit divides row by its length, in two steps that stay in range.
func unit(row []float64) {
	largest, squares := 0.0, 0.0
	for _, v := range row {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return
	}
	for j := range row {
		row[j] /= largest
		squares += float64(row[j] * row[j])
	}
	length := math.Sqrt(squares)
	for j := range row {
		row[j] /= length
	}
}

var scalerFormat = codec.Register(codec.Format[Scaler]{Kind: "dataset scaler", Decode: readScaler})

// MarshalBinary returns a file of s, 16·d bytes and a few more for d columns.
func (s *Scaler) MarshalBinary() ([]byte, error) {
	return scalerFormat.Marshal(func(e *codec.Encoder) error {
		if err := s.check(); err != nil {
			return err
		}
		e.Int(int(s.Scaling))
		e.Float64s(s.Centre)
		e.Float64s(s.Scale)
		return nil
	})
}

// UnmarshalBinary reads what MarshalBinary wrote, the same to the bit. Anything
// else is rkhs.ErrFormat and leaves s as it was.
func (s *Scaler) UnmarshalBinary(data []byte) error {
	return scalerFormat.Unmarshal(s, data)
}

func readScaler(d *codec.Decoder) Scaler {
	s := Scaler{Scaling: codec.Enum(d, Uncentred), Centre: d.Float64s(), Scale: d.Float64s()}
	if s.Scaling == UnitRows && len(s.Centre)+len(s.Scale) == 0 {
		s.Centre, s.Scale = nil, nil
	}
	if err := s.check(); err != nil {
		d.Fail("%v", err)
	}
	return s
}

// ApplySparse is Apply for sparse rows, in place, of Uncentred or UnitRows: other scalings
// would make them dense, and are rkhs.ErrOption. O(listed elements).
func (s *Scaler) ApplySparse(x ...*rkhs.Sparse) error {
	const pkg = "dataset: apply"
	if err := s.check(); err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	if s.Scaling != Uncentred && s.Scaling != UnitRows {
		return fmt.Errorf("%s: %s makes sparse rows dense: %w", pkg, s.Scaling, rkhs.ErrOption)
	}
	for _, m := range x {
		p, err := door.Points(pkg, "x", m)
		if err != nil {
			return err
		}
		if s.Scaling == Uncentred && p.Cols != len(s.Scale) {
			return fmt.Errorf("%s: x has %d columns, %d were fitted: %w", pkg, p.Cols, len(s.Scale), rkhs.ErrShape)
		}
	}
	for _, m := range x {
		for i := range m.Rows {
			from, to := m.Offsets[i], m.Offsets[i+1]
			if s.Scaling == UnitRows {
				unit(m.Values[from:to])
				continue
			}
			for k := from; k < to; k++ {
				m.Values[k] /= s.Scale[m.Columns[k]]
			}
		}
	}
	return nil
}
