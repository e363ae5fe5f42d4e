package rows

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Batch is rows of one file, in their order, one or thousands: the element that sources give and
// that learners and scoring take. Numbers are finite.
type Batch struct {
	// Rows and Cols are the dimensions of X. Cols is 0 where there are only Cells.
	Rows, Cols int
	// Values holds dense rows one behind the other (Rows·Cols), or what sparse ones list.
	Values []float64
	// Offsets and Columns are those of rkhs.Sparse; both nil where rows are dense.
	Offsets []int
	Columns []int32
	// Targets holds the targets, numbers or labels of classes, one row behind the other
	// (Rows·Outputs); nil, and Outputs 0, where there are none.
	Targets []float64
	Outputs int
	// Weights holds the weights of the rows; nil means that each counts as one.
	Weights []float64
	// Names are those of the columns of a table, and Cells its texts, one row behind the other
	// (Rows·len(Names)): what a recipe takes. Nil of rows of numbers.
	Names, Cells []string
	// Source is the file, and First the place of the first row in it: the line, counted from 1,
	// of text, and the row, counted from 1, of Parquet. Lines are the places of all rows, which
	// ascend; nil where they are First, First+1 and so on. See Row.
	Source string
	First  int64
	Lines  []int64
}

// Check returns an error that wraps rkhs.ErrShape unless lengths fit together. O(rows + listed
// elements) of sparse rows, O(1) of dense ones.
func (b *Batch) Check() error {
	cells := len(b.Names)
	switch {
	case b.Rows < 0 || b.Cols < 0 || b.Outputs < 0:
		return fmt.Errorf("rows: a batch of %d×%d with %d outputs: %w", b.Rows, b.Cols, b.Outputs, rkhs.ErrShape)
	case !isProduct(len(b.Targets), b.Rows, b.Outputs):
		return fmt.Errorf("rows: %d targets of %d rows with %d outputs: %w", len(b.Targets), b.Rows, b.Outputs, rkhs.ErrShape)
	case b.Weights != nil && len(b.Weights) != b.Rows:
		return fmt.Errorf("rows: %d weights of %d rows: %w", len(b.Weights), b.Rows, rkhs.ErrShape)
	case b.Lines != nil && len(b.Lines) != b.Rows:
		return fmt.Errorf("rows: %d lines of %d rows: %w", len(b.Lines), b.Rows, rkhs.ErrShape)
	case !isProduct(len(b.Cells), b.Rows, cells):
		return fmt.Errorf("rows: %d cells of %d rows with %d names: %w", len(b.Cells), b.Rows, cells, rkhs.ErrShape)
	case b.Offsets == nil && (len(b.Columns) > 0 || !isProduct(len(b.Values), b.Rows, b.Cols)):
		return fmt.Errorf("rows: %d values in %d columns of a dense batch of %d×%d: %w", len(b.Values), len(b.Columns), b.Rows, b.Cols, rkhs.ErrShape)
	case b.Offsets != nil:
		if err := b.sparse().Check(); err != nil {
			return fmt.Errorf("rows: %w", err)
		}
	}
	return nil
}

// isProduct tells whether n = a·b, which may not fit int.
func isProduct(n, a, b int) bool {
	if a == 0 || b == 0 {
		return n == 0
	}
	return n%b == 0 && n/b == a
}

// Inputs returns the rows as a *mat.Dense or an *rkhs.Sparse that shares the memory of b; nil
// where there are only Cells, or no rows.
func (b *Batch) Inputs() mat.Matrix {
	switch {
	case b.Rows == 0 || b.Cols == 0:
		return nil
	case b.Offsets != nil:
		return b.sparse()
	}
	return mat.NewDense(b.Rows, b.Cols, b.Values)
}

// X returns Inputs with their weights, as learners take them: rkhs.Weighted where there are
// weights.
func (b *Batch) X() mat.Matrix {
	x := b.Inputs()
	if b.Weights == nil || x == nil {
		return x
	}
	return rkhs.Weighted{Matrix: x, Weights: b.Weights}
}

// Y returns the targets (Rows×Outputs), which share the memory of b, or nil where there are none.
func (b *Batch) Y() mat.Matrix {
	if b.Rows == 0 || b.Outputs == 0 {
		return nil
	}
	return mat.NewDense(b.Rows, b.Outputs, b.Targets)
}

// Row returns the place of row i in Source. The two are the identity of a row, which does not
// depend on how rows are cut into batches, nor on how often they are read.
func (b *Batch) Row(i int) int64 {
	if b.Lines != nil {
		return b.Lines[i]
	}
	return b.First + int64(i)
}

// Table returns Cells as a table, of which Line counts from 1 within the batch. opts say what is
// missing, and how numbers and dates are written. The error is that of dataset.NewTable.
func (b *Batch) Table(opts dataset.TableOptions) (*dataset.Table, error) {
	rows := make([][]string, b.Rows)
	for i := range rows {
		rows[i] = b.Cells[i*len(b.Names):][:len(b.Names)]
	}
	return dataset.NewTable(b.Names, rows, opts)
}

// Slice returns rows [from, to), which share the memory of b. It panics, as slices do, if these
// are out of range.
func (b *Batch) Slice(from, to int) Batch {
	s := *b
	s.Rows, s.First = to-from, b.First+int64(from)
	if b.Lines != nil {
		s.Lines = b.Lines[from:to]
		if from < to {
			s.First = s.Lines[0]
		}
	}
	switch {
	case b.Offsets != nil:
		s.Offsets = b.Offsets[from : to+1]
	default:
		s.Values = b.Values[from*b.Cols : to*b.Cols]
	}
	s.Targets = b.Targets[from*b.Outputs : to*b.Outputs]
	if b.Weights != nil {
		s.Weights = b.Weights[from:to]
	}
	s.Cells = b.Cells[from*len(b.Names) : to*len(b.Names)]
	return s
}

func (b *Batch) sparse() *rkhs.Sparse {
	return &rkhs.Sparse{Rows: b.Rows, Cols: b.Cols, Offsets: b.Offsets, Columns: b.Columns, Values: b.Values}
}
