package features

import "github.com/rkhs-go/rkhs/internal/compute"

// Rows are sparse rows that features of one block after the other are computed of.
type Rows struct {
	x       compute.Points
	drawn   *compute.Drawn   // of x, for blocks that draw columns; or nil
	z       compute.Matrix32 // features in single precision of other blocks
	workers int
}

// NewRows returns the listed rows of sparse x, in that order, for blocks like b.
func NewRows(b Block, x compute.Points, order []int, workers int) *Rows {
	if of, wide := b.(*wideFourierBlock); wide {
		return &Rows{drawn: compute.NewDrawn(x, order, of.draws), workers: workers}
	}
	return &Rows{x: x.Pick(order), workers: workers}
}

// TransformTo is TransformPoints for the rows, to the bit.
func (r *Rows) TransformTo(b Block, dst compute.Matrix) {
	if of, wide := b.(*wideFourierBlock); wide && r.drawn != nil {
		r.drawn.PairsTo(dst, of.drawing(), of.scale(), r.workers)
		return
	}
	TransformPoints(b, dst, r.x)
}

// DrawsColumns reports whether blocks like b draw single columns, each time that they are needed, and hold next
// to nothing.
func DrawsColumns(b Block) bool {
	_, wide := b.(*wideFourierBlock)
	return wide
}

// ServesSingleRows reports whether there are features in single precision of sparse rows, of blocks like b.
func ServesSingleRows(b Block) bool {
	_, ok := Single(b)
	return ok || DrawsColumns(b)
}

// singleRows is the number of rows whose features are in double precision at a time.
const singleRows = 512

// Single returns φ_b(x_i) for all rows in double precision, rounded, of blocks of so many columns that
// ServesSingleRows allows. They lie where those of the block before lay.
func (r *Rows) Single(b Block, columns int) compute.Matrix32 {
	if of, wide := b.(*wideFourierBlock); wide && r.drawn != nil {
		return r.drawn.Pairs32(of.drawing(), of.scale(), r.workers)
	}
	if r.z.Data == nil {
		r.z = compute.NewMatrix32(r.x.Rows, columns)
	}
	memory, home := borrowMatrix(min(singleRows, r.z.Rows), r.z.Cols)
	defer giveBack(home)
	for from := 0; from < r.z.Rows; from += singleRows {
		to := min(from+singleRows, r.z.Rows)
		part := compute.Rows(memory, 0, to-from)
		TransformPoints(b, part, r.x.Between(from, to))
		eachRows(to-from, r.workers, func(first, last int) {
			for i := first; i < last; i++ {
				z := r.z.Data[(from+i)*r.z.Stride:]
				for j, v := range compute.Row(part, i) {
					z[j] = float32(v)
				}
			}
		})
	}
	return r.z
}
