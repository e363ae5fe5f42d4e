package codec

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// sparseMark marks sparse rows in place of the number of rows of a matrix.
const sparseMark = -1

// Points writes dense or sparse rows. Dense rows have the format of Matrix.
func (e *Encoder) Points(p compute.Points) {
	if p.Sparse == nil {
		e.Matrix(p.Matrix)
		return
	}
	e.Int(sparseMark)
	e.Int(p.Rows)
	e.Int(p.Cols)
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

// Points reads rows that Encoder.Points wrote. It fails unless all numbers are finite and the columns
// of sparse rows ascend.
func (d *Decoder) Points() compute.Points {
	if !d.SparseAhead() {
		return compute.DensePoints(d.Matrix())
	}
	d.Int()
	rows, cols := d.Count(8), d.Int()
	if cols < 0 || cols > math.MaxInt32 {
		d.Fail("sparse rows of %d columns", cols)
	}
	s := compute.NewSparse(cols, rows, 0)
	for range rows {
		if d.Err() != nil {
			break
		}
		d.sparseRow(s)
	}
	return compute.SparsePoints(s)
}

// SparseAhead reports whether sparse rows are next, rather than a matrix or a list.
func (d *Decoder) SparseAhead() bool {
	ahead := *d
	return ahead.Int() == sparseMark
}

func (d *Decoder) sparseRow(s *compute.Sparse) {
	columns, last := make([]int32, d.Count(16)), -1
	for k := range columns {
		j := d.Int()
		if j <= last || j >= s.Cols {
			d.Fail("column %d after %d of %d", j, last, s.Cols)
			return
		}
		columns[k], last = int32(j), j
	}
	for _, j := range columns {
		s.Append(j, d.Finite())
	}
	s.EndRow()
}
