package features

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Rows are sparse rows that are prepared for features of many blocks.
type Rows struct {
	x       compute.Points
	drawn   *compute.Drawn   // of x, for blocks that draw columns; or nil
	z       compute.Matrix32 // features in single precision of other blocks
	workers int
}

// NewRows returns the given rows of sparse x, in that order, for blocks like b.
func NewRows(b Block, x compute.Points, order []int, workers int) *Rows {
	if of, wide := b.(*wideFourierBlock); wide {
		return &Rows{drawn: compute.NewDrawn(x, order, of.draws), workers: workers}
	}
	return &Rows{x: x.Pick(order), workers: workers}
}

// TransformTo gives the same bits as TransformPoints for the rows.
func (r *Rows) TransformTo(b Block, dst compute.Matrix) {
	if of, wide := b.(*wideFourierBlock); wide && r.drawn != nil {
		r.drawn.PairsTo(dst, of.drawing(), of.scale(), r.workers)
		return
	}
	TransformPoints(b, dst, r.x)
}

// DrawsColumns reports whether blocks like b draw single columns on demand and need almost no memory.
func DrawsColumns(b Block) bool {
	_, wide := b.(*wideFourierBlock)
	return wide
}

// ServesSingleRows reports whether blocks like b have features of sparse rows in single precision.
func ServesSingleRows(b Block) bool {
	_, ok := Single(b)
	return ok || DrawsColumns(b)
}

// singleRows is the number of rows in one computation in double precision.
const singleRows = 512

// Single returns φ_b(x_i) for all rows, rounded to single precision, for a block that ServesSingleRows
// accepts. The next call overwrites the result.
func (r *Rows) Single(b Block, columns int) compute.Matrix32 {
	if of, wide := b.(*wideFourierBlock); wide && r.drawn != nil {
		return r.drawn.Pairs32(of.drawing(), of.scale(), r.workers)
	}
	if r.z.Data == nil {
		r.z = compute.NewMatrix32(r.x.Rows, columns)
	}
	memory, home := allocateMatrix(min(singleRows, r.z.Rows), r.z.Cols)
	defer release(home)
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

// scratch reuses memory between calls.
var scratch sync.Pool // of *[]float64

func allocate(n int) *[]float64 {
	p, _ := scratch.Get().(*[]float64)
	if p == nil || cap(*p) < n {
		s := make([]float64, n)
		return &s
	}
	*p = (*p)[:n]
	return p
}

func release(p *[]float64) { scratch.Put(p) }

// allocateMatrix returns an r×c matrix with undefined elements, and its memory for release.
func allocateMatrix(r, c int) (compute.Matrix, *[]float64) {
	p := allocate(r * c)
	return compute.Matrix{Rows: r, Cols: c, Stride: max(c, 1), Data: *p}, p
}

// rowsAtATime is the number of rows in the unit of parallel work.
const rowsAtATime = 32

// eachRows calls do for consecutive ranges of n rows, in parallel.
func eachRows(n, workers int, do func(from, to int)) {
	compute.Parallel((n+rowsAtATime-1)/rowsAtATime, workers, func(i int) {
		do(i*rowsAtATime, min((i+1)*rowsAtATime, n))
	})
}

// Single returns the transform of a block in single precision, with rounded parameters. Only Fourier
// features, also of linearly embedded rows, have one.
func Single(b Block) (transform func(dst, x compute.Matrix32), ok bool) {
	switch of := b.(type) {
	case *fourierBlock:
		return of.transformTo32, true
	case *embeddedBlock:
		return of.single()
	}
	return nil, false
}

// rows32 returns rows [from, to) of m, which share its memory.
func rows32(m compute.Matrix32, from, to int) compute.Matrix32 {
	return compute.Matrix32{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : (to-1)*m.Stride+m.Cols]}
}

// widen sets dst to m in double precision.
func widen(dst compute.Matrix, m compute.Matrix32) {
	for i := range m.Rows {
		row := compute.Row(dst, i)
		for j, v := range m.Data[i*m.Stride : i*m.Stride+m.Cols] {
			row[j] = float64(v)
		}
	}
}

// pointsBlock is a Block that supports sparse rows.
type pointsBlock interface {
	// transformPoints is TransformTo for rows of any form.
	transformPoints(dst compute.Matrix, x compute.Points)
}

// TransformPoints is b.TransformTo for rows of any form. It converts sparse rows to dense blocks if b does
// not support them.
func TransformPoints(b Block, dst compute.Matrix, x compute.Points) {
	switch of, ok := b.(pointsBlock); {
	case ok:
		of.transformPoints(dst, x)
	case x.Sparse == nil:
		b.TransformTo(dst, x.Matrix)
	default:
		eachDense(dst, x, b.TransformTo)
	}
}

// eachDense calls do for dense blocks of rows.
func eachDense(dst compute.Matrix, x compute.Points, do func(dst, x compute.Matrix)) {
	some := compute.DenseRows(x.Cols)
	for i := 0; i < x.Rows; i += some {
		part := x.Between(i, min(i+some, x.Rows)).Dense()
		do(compute.Rows(dst, i, i+part.Rows), part)
	}
}

// eachPart calls do for blocks of the given number of rows.
func eachPart(dst compute.Matrix, x compute.Points, rows int, do func(dst compute.Matrix, x compute.Points)) {
	for from := 0; from < x.Rows; from += rows {
		to := min(from+rows, x.Rows)
		do(compute.Rows(dst, from, to), x.Between(from, to))
	}
}

// products sets dst = X·Wᵀ.
func products(dst compute.Matrix, x compute.Points, w compute.Matrix, workers int) {
	compute.Zero(dst)
	if x.Sparse == nil {
		compute.MulNT(dst, x.Matrix, w, workers)
	} else {
		compute.MulSparse(dst, x.Sparse, w, workers)
	}
}
