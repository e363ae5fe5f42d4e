package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// scaledColumns bounds the columns of which a Scaler holds the scales.
const scaledColumns = 1 << 26

func (s Scaling) fitSparse(x mat.Matrix) (*Scaler, error) {
	rows, err := door.Points("dataset: "+s.String(), "x", x)
	if err != nil {
		return nil, err
	}
	f := &Scaler{Scaling: s}
	if s == UnitRows {
		return f, nil
	}
	if rows.Cols > scaledColumns {
		return nil, fmt.Errorf("dataset: %s: scales of %d columns, of %d at most: %w", s, rows.Cols, scaledColumns, rkhs.ErrMemory)
	}
	f.Centre, f.Scale = make([]float64, rows.Cols), deviations(rows.Sparse)
	if err := f.checkRange(); err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", s, err)
	}
	return f, nil
}

// deviations returns the standard deviation of each column, whose squares are summed about its
// mean, in units of the largest element.
func deviations(x *compute.Sparse) []float64 {
	n := float64(x.Rows)
	largest, mean, squares, listed := make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols), make([]float64, x.Cols)
	each := func(do func(j int32, v float64)) {
		for i := range x.Rows {
			columns, values := x.Row(i)
			for k, j := range columns {
				do(j, values[k])
			}
		}
	}
	each(func(j int32, v float64) { largest[j] = max(largest[j], math.Abs(v)) })
	each(func(j int32, v float64) {
		if v != 0 {
			mean[j] += v / largest[j] / n
		}
	})
	each(func(j int32, v float64) {
		if v != 0 {
			d := v/largest[j] - mean[j]
			squares[j] += float64(d * d)
			listed[j]++
		}
	})
	for j, m := range mean {
		squares[j] = largest[j] * math.Sqrt((squares[j]+float64((n-listed[j])*m*m))/n)
	}
	return squares
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
