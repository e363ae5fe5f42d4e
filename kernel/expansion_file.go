package kernel

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

var expansionFormat = codec.Register(codec.Format[Expansion]{Kind: "kernel expansion", Versions: []func(*codec.Decoder) Expansion{DecodeExpansion}})

// MarshalBinary returns f as a file. It fails if the kernel cannot be written.
func (f Expansion) MarshalBinary() ([]byte, error) { return expansionFormat.Marshal(f.Encode) }

// UnmarshalBinary replaces f by the function in data. On an error, which wraps
// rkhs.ErrFormat, f is left as it was.
func (f *Expansion) UnmarshalBinary(data []byte) error { return expansionFormat.Unmarshal(f, data) }

// Encode writes f into the file of a model.
func (f Expansion) Encode(e *codec.Encoder) error {
	if err := e.Nested(Marshal(f.Kernel)); err != nil {
		return err
	}
	encodePoints(e, f.Rows())
	e.Matrix(f.weights())
	return nil
}

// DecodeExpansion reads what Encode wrote. It fails unless the sizes fit together,
// all numbers are finite and the kernel accepts the points; the caller asks Fits for
// the sizes of the model.
func DecodeExpansion(d *codec.Decoder) Expansion {
	k, p, w := codec.Nested(d, Unmarshal), decodePoints(d), d.Matrix()
	if d.Err() != nil || p.Rows == 0 && p.Cols == 0 && w.Rows == 0 && w.Cols == 0 {
		return Expansion{Kernel: k}
	}
	if p.Rows < 1 || p.Cols < 1 || w.Rows != p.Rows || w.Cols < 1 {
		d.Fail("%d×%d points, %d×%d weights", p.Rows, p.Cols, w.Rows, w.Cols)
		return Expansion{}
	}
	if err := CheckPoints(k, p); err != nil {
		d.Fail("points: %v", err)
	}
	return ExpansionOf(k, p, w)
}

// encodePoints writes points. Sparse ones stand behind a matrix of their columns without rows,
// which no dense points are.
func encodePoints(e *codec.Encoder, p compute.Points) {
	if p.Sparse == nil {
		e.Matrix(p.Matrix)
		return
	}
	e.Matrix(compute.Matrix{Cols: p.Cols})
	e.Int(p.Rows)
	for i := range p.Rows {
		columns, values := p.Sparse.Row(i)
		e.Int(len(columns))
		for _, j := range columns {
			e.Int(int(j))
		}
		for _, v := range values {
			e.Float64(v)
		}
	}
}

// decodePoints reads what encodePoints wrote. It fails unless all numbers are finite and
// columns ascend.
func decodePoints(d *codec.Decoder) compute.Points {
	m := d.Matrix()
	if m.Rows > 0 || m.Cols == 0 || m.Cols > math.MaxInt32 {
		return compute.DensePoints(m)
	}
	rows := d.Count(8)
	s := compute.NewSparse(m.Cols, rows, 0)
	for range rows {
		n, last := d.Count(16), -1
		columns := make([]int32, n)
		for k := range columns {
			j := d.Int()
			if j <= last || j >= m.Cols {
				d.Fail("column %d after %d of %d", j, last, m.Cols)
				return compute.Points{}
			}
			columns[k], last = int32(j), j
		}
		for _, j := range columns {
			s.Append(j, d.Finite())
		}
		s.EndRow()
	}
	return compute.SparsePoints(s)
}
