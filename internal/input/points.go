package input

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Points is View for dense or sparse rows. It shares the memory of an rkhs.Sparse and copies any other
// mat.RowNonZeroDoer. Errors are the errors of Check.
func Points(pkg, name string, m mat.Matrix) (compute.Points, error) {
	if !IsSparse(m) {
		v, err := View(pkg, name, m)
		return compute.DensePoints(v), err
	}
	if err := checkSizes(pkg, name, m); err != nil {
		return compute.Points{}, err
	}
	s, err := sparseOf(m)
	if err != nil {
		return compute.Points{}, fmt.Errorf("%s: %s: %w", pkg, name, err)
	}
	if err := finiteSparse(pkg, name, s); err != nil {
		return compute.Points{}, err
	}
	return compute.SparsePoints(s), nil
}

// IsSparse reports whether Points returns sparse rows for m.
func IsSparse(m mat.Matrix) bool {
	if IsNil(m) {
		return false
	}
	_, sparse := m.(mat.RowNonZeroDoer)
	_, dense := m.(mat.RawMatrixer)
	return sparse && !dense
}

// denseLimit is the largest number of elements of sparse rows in dense form, 2 GiB.
const denseLimit = 1 << 28

// dense converts sparse rows to dense rows.
func dense(pkg, name string, m mat.Matrix) (blas64.General, error) {
	p, err := Points(pkg, name, m)
	if err != nil {
		return blas64.General{}, err
	}
	if p.Rows > denseLimit/p.Cols {
		return blas64.General{}, fmt.Errorf("%s: %s is sparse and must be dense here, but %d×%d needs %.1f GiB, more than %d: %w",
			pkg, name, p.Rows, p.Cols, float64(p.Rows)*float64(p.Cols)/(1<<27), denseLimit>>27, rkhs.ErrMemory)
	}
	return p.Dense(), nil
}

// sparseOf returns the rows of m, which share the memory of an rkhs.Sparse.
func sparseOf(m mat.Matrix) (*compute.Sparse, error) {
	if s, ok := m.(*rkhs.Sparse); ok {
		return raw(s), s.Check()
	}
	rows, cols := m.Dims()
	if cols > math.MaxInt32 {
		return nil, fmt.Errorf("%d columns, more than %d: %w", cols, math.MaxInt32, rkhs.ErrShape)
	}
	s := compute.NewSparse(cols, rows, 0)
	var row []element
	for i := range rows {
		row = row[:0]
		m.(mat.RowNonZeroDoer).DoRowNonZero(i, func(_, j int, v float64) { row = append(row, element{j, v}) })
		slices.SortFunc(row, func(a, b element) int { return a.column - b.column })
		for k, e := range row {
			if e.column < 0 || e.column >= cols || k > 0 && e.column == row[k-1].column {
				return nil, fmt.Errorf("row %d of %T lists column %d of %d, or lists it twice: %w", i, m, e.column, cols, rkhs.ErrShape)
			}
			s.Append(int32(e.column), e.value)
		}
		s.EndRow()
	}
	return s, nil
}

func raw(s *rkhs.Sparse) *compute.Sparse {
	return &compute.Sparse{Rows: s.Rows, Cols: s.Cols, Offsets: s.Offsets, Columns: s.Columns, Values: s.Values}
}

type element struct {
	column int
	value  float64
}

func finiteSparse(pkg, name string, s *compute.Sparse) error {
	scanned.Add(int64(s.Rows))
	for i := range s.Rows {
		columns, values := s.Row(i)
		for k, v := range values {
			if v-v != 0 {
				return notFinite(pkg, name, i, int(columns[k]), v)
			}
		}
	}
	return nil
}

// FinitePoints is Finite for dense or sparse rows.
func FinitePoints(pkg, name string, x compute.Points) error {
	if x.Sparse == nil {
		return Finite(pkg, name, x.Matrix)
	}
	return finiteSparse(pkg, name, x.Sparse)
}

// Matrix returns rows as a *mat.Dense or an *rkhs.Sparse, which shares their memory.
func Matrix(x compute.Points) mat.Matrix {
	if s := x.Sparse; s != nil {
		return &rkhs.Sparse{Rows: s.Rows, Cols: s.Cols, Offsets: s.Offsets, Columns: s.Columns, Values: s.Values}
	}
	m := new(mat.Dense)
	m.SetRawMatrix(x.Matrix)
	return m
}

// Raw returns the rows of a matrix that was validated before, without a copy for a result of Matrix.
func Raw(m mat.Matrix) compute.Points {
	if d, ok := m.(mat.RawMatrixer); ok {
		return compute.DensePoints(d.RawMatrix())
	}
	if s, ok := m.(*rkhs.Sparse); ok {
		return compute.SparsePoints(raw(s))
	}
	if IsSparse(m) {
		if s, err := sparseOf(m); err == nil {
			return compute.SparsePoints(s)
		}
	}
	return compute.DensePoints(mat.DenseCopyOf(m).RawMatrix())
}

// RawOrNone is Raw, or empty for nil.
func RawOrNone(m mat.Matrix) compute.Points {
	if IsNil(m) {
		return compute.DensePoints(compute.Matrix{Stride: 1})
	}
	return Raw(m)
}
