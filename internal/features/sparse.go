package features

import "github.com/rkhs-go/rkhs/internal/compute"

// pointsBlock is a Block that takes sparse rows as they are.
type pointsBlock interface {
	// transformPoints is TransformTo for rows of any form.
	transformPoints(dst compute.Matrix, x compute.Points)
}

// TransformPoints is b.TransformTo for rows of any form. Sparse rows are made dense some at a
// time where b has no other way.
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

// eachDense calls do for some rows at a time, made dense.
func eachDense(dst compute.Matrix, x compute.Points, do func(dst, x compute.Matrix)) {
	some := compute.DenseRows(x.Cols)
	for i := 0; i < x.Rows; i += some {
		part := x.Between(i, min(i+some, x.Rows)).Dense()
		do(compute.Rows(dst, i, i+part.Rows), part)
	}
}

// eachPart calls do for the given number of rows at a time, which bounds its memory.
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
