package rows

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// Batch holds one or more rows of one file in their order. It is the element of sources, learners
// and scoring. Numbers are finite.
type Batch struct {
	// Rows and Cols are the dimensions of X. Cols is 0 if there are only Cells.
	Rows, Cols int
	// Values are the numbers of dense rows (Rows·Cols), or the listed numbers of sparse rows.
	Values []float64
	// Offsets and Columns are fields of rkhs.Sparse. Both are nil for dense rows.
	Offsets []int
	Columns []int32
	// Targets are targets or labels (Rows·Outputs). They are nil, and Outputs is 0, if rows have no
	// targets.
	Targets []float64
	Outputs int
	// Weights are the weights of the rows. Nil means 1 for each.
	Weights []float64
	// Names are the columns of a table, and Cells its texts (Rows·len(Names)), the input of a recipe.
	// They are nil for rows of numbers.
	Names, Cells []string
	// Source is the file, and First the place of the first row in it, from 1: the line of text, or
	// the row of Parquet. Lines are the ascending places of all rows, or nil if they follow First
	// without gaps. See Row.
	Source string
	First  int64
	Lines  []int64
}

// Check returns an error that wraps rkhs.ErrShape if lengths do not match. O(rows + listed elements)
// for sparse rows, O(1) for dense rows.
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
		return fmt.Errorf("rows: %d values in %d columns of a dense batch of %d×%d: %w",
			len(b.Values), len(b.Columns), b.Rows, b.Cols, rkhs.ErrShape)
	case b.Offsets != nil:
		if err := b.sparse().Check(); err != nil {
			return fmt.Errorf("rows: %w", err)
		}
	}
	return nil
}

// isProduct reports whether n = a·b, which may overflow.
func isProduct(n, a, b int) bool {
	if a == 0 || b == 0 {
		return n == 0
	}
	return n%b == 0 && n/b == a
}

// Inputs returns the rows as a *mat.Dense or an *rkhs.Sparse that shares the memory of b. It is nil
// for a batch of Cells or without rows.
func (b *Batch) Inputs() mat.Matrix {
	switch {
	case b.Rows == 0 || b.Cols == 0:
		return nil
	case b.Offsets != nil:
		return b.sparse()
	}
	return mat.NewDense(b.Rows, b.Cols, b.Values)
}

// X returns Inputs for a learner: as rkhs.Weighted if there are weights.
func (b *Batch) X() mat.Matrix {
	x := b.Inputs()
	if b.Weights == nil || x == nil {
		return x
	}
	return rkhs.Weighted{Matrix: x, Weights: b.Weights}
}

// Y returns the targets (Rows×Outputs), which share the memory of b, or nil without targets.
func (b *Batch) Y() mat.Matrix {
	if b.Rows == 0 || b.Outputs == 0 {
		return nil
	}
	return mat.NewDense(b.Rows, b.Outputs, b.Targets)
}

// Row returns the place of row i in Source. Source and place identify a row: they do not depend on
// batches or retries.
func (b *Batch) Row(i int) int64 {
	if b.Lines != nil {
		return b.Lines[i]
	}
	return b.First + int64(i)
}

// setLines sets First, and Lines if they have gaps.
func (b *Batch) setLines(lines []int64) {
	n := len(lines)
	b.First, b.Lines = lines[0], lines
	if lines[n-1]-lines[0] == int64(n-1) {
		b.Lines = nil
	}
}

// Table returns Cells as a table. Its Line counts from 1 within the batch. opts describe missing
// cells, numbers and dates. Errors are as for dataset.NewTable.
func (b *Batch) Table(opts dataset.TableOptions) (*dataset.Table, error) {
	rows := make([][]string, b.Rows)
	for i := range rows {
		rows[i] = b.Cells[i*len(b.Names):][:len(b.Names)]
	}
	return dataset.NewTable(b.Names, rows, opts)
}

// Slice returns rows [from, to), which share the memory of b. It panics if they are out of range.
func (b *Batch) Slice(from, to int) Batch {
	s := *b
	s.Rows, s.First = to-from, b.First+int64(from)
	if b.Lines != nil {
		s.Lines = b.Lines[from:to]
		if from < to {
			s.First = s.Lines[0]
		}
	}
	if b.Offsets != nil {
		s.Offsets = b.Offsets[from : to+1]
	} else {
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
