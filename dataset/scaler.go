package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Scaler is a fitted Scaling. Its methods do not change it and are safe for concurrent use.
type Scaler struct {
	Scaling Scaling
	// Centre and Scale hold one value per column, with Scale > 0. Both are nil for UnitRows.
	Centre, Scale []float64
}

// Standardize fits Standard to train and applies it in place to all matrices.
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

// Apply scales the rows of each x in place. On an error it changes no x: rkhs.ErrShape for another
// number of columns than the fitted, rkhs.ErrEmpty, rkhs.ErrNotFinite. O(n·d).
func (s *Scaler) Apply(x ...*mat.Dense) error {
	return s.each("dataset: apply", x, func(row []float64) {
		if s.Scaling == UnitRows {
			unit(row)
			return
		}
		for j := range row {
			row[j] = (row[j] - s.Centre[j]) / s.Scale[j]
		}
	})
}

// Invert undoes Apply in place up to rounding: v·Scale[j] + Centre[j]. A scaler of targets converts
// predictions back to the units of the targets. Errors are as for Apply, and rkhs.ErrOption for
// UnitRows, which has no inverse.
func (s *Scaler) Invert(x ...*mat.Dense) error {
	if s != nil && s.Scaling == UnitRows {
		return fmt.Errorf("dataset: invert: %s cannot be undone: %w", s.Scaling, rkhs.ErrOption)
	}
	return s.each("dataset: invert", x, func(row []float64) {
		for j, v := range row {
			row[j] = float64(v*s.Scale[j]) + s.Centre[j] // not fused
		}
	})
}

// each changes the rows of all x after it has checked them.
func (s *Scaler) each(pkg string, x []*mat.Dense, change func(row []float64)) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	for _, m := range x {
		if err := input.Check(pkg, "x", m); err != nil {
			return err
		}
		if _, d := m.Dims(); s.Scaling != UnitRows && d != len(s.Centre) {
			return fmt.Errorf("%s: x has %d columns, %d were fitted: %w", pkg, d, len(s.Centre), rkhs.ErrShape)
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

// ApplySparse is Apply for sparse rows. A Scaling other than Uncentred and UnitRows would make them
// dense and is rkhs.ErrOption. O(listed elements).
func (s *Scaler) ApplySparse(x ...*rkhs.Sparse) error {
	const pkg = "dataset: apply"
	if err := s.check(); err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	if s.Scaling != Uncentred && s.Scaling != UnitRows {
		return fmt.Errorf("%s: %s makes sparse rows dense: %w", pkg, s.Scaling, rkhs.ErrOption)
	}
	for _, m := range x {
		p, err := input.Points(pkg, "x", m)
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

// check returns an error unless s is the result of a Fit.
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

// unit divides row by its length. It first divides by the largest element to prevent overflow.
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

// MarshalBinary returns the file of s, about 16 bytes per column.
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

// UnmarshalBinary reads the result of MarshalBinary. Other data is rkhs.ErrFormat and leaves s
// unchanged.
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
