package export

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// sparseRows is the JSON form of an rkhs.Sparse.
type sparseRows struct {
	Width   int         `json:"width"`
	Columns [][]int32   `json:"columns"`
	Values  [][]float64 `json:"values"`
}

// MarshalJSON implements json.Marshaler.
func (r Rows) MarshalJSON() ([]byte, error) {
	switch m := r.Matrix.(type) {
	case nil:
		return []byte("[]"), nil
	case *rkhs.Sparse:
		s := sparseRows{Width: m.Cols, Columns: make([][]int32, m.Rows), Values: make([][]float64, m.Rows)}
		for i := range m.Rows {
			from, to := m.Offsets[i], m.Offsets[i+1]
			s.Columns[i], s.Values[i] = append([]int32{}, m.Columns[from:to]...), append([]float64{}, m.Values[from:to]...)
		}
		return json.Marshal(s)
	default:
		n, _ := m.Dims()
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = mat.Row(nil, i, m)
		}
		return json.Marshal(rows)
	}
}

// UnmarshalJSON implements json.Unmarshaler. The matrix is a *mat.Dense, an *rkhs.Sparse, or nil
// without rows. Errors wrap rkhs.ErrFormat.
func (r *Rows) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		return r.unmarshalSparse(data)
	}
	var rows [][]float64
	if err := json.Unmarshal(data, &rows); err != nil {
		return fmt.Errorf("export: %w: %w", err, rkhs.ErrFormat)
	}
	if r.Matrix = nil; len(rows) == 0 {
		return nil
	}
	width := len(rows[0])
	if width == 0 {
		return fmt.Errorf("export: rows without numbers: %w", rkhs.ErrFormat)
	}
	m := mat.NewDense(len(rows), width, nil)
	for i, row := range rows {
		if len(row) != width {
			return fmt.Errorf("export: row %d has %d numbers, the first %d: %w", i, len(row), width, rkhs.ErrFormat)
		}
		m.SetRow(i, row)
	}
	r.Matrix = m
	return nil
}

func (r *Rows) unmarshalSparse(data []byte) error {
	var s sparseRows
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("export: %w: %w", err, rkhs.ErrFormat)
	}
	if len(s.Columns) != len(s.Values) {
		return fmt.Errorf("export: columns of %d rows, values of %d: %w", len(s.Columns), len(s.Values), rkhs.ErrFormat)
	}
	m := &rkhs.Sparse{Rows: len(s.Columns), Cols: s.Width, Offsets: []int{0}}
	for i, columns := range s.Columns {
		if len(columns) != len(s.Values[i]) {
			return fmt.Errorf("export: row %d has %d columns and %d values: %w", i, len(columns), len(s.Values[i]), rkhs.ErrFormat)
		}
		m.Columns, m.Values = append(m.Columns, columns...), append(m.Values, s.Values[i]...)
		m.Offsets = append(m.Offsets, len(m.Values))
	}
	if err := m.Check(); err != nil {
		return fmt.Errorf("export: %w: %w", err, rkhs.ErrFormat)
	}
	r.Matrix = m
	return nil
}
