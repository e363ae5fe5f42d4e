package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Sparse rows need no separate engines. The functions below follow the composition of an engine down to products of
// sparse rows. For engines of another form they make rows dense, some at a time.

// sparseCross sets dst = K for rows of which at least one side is sparse.
func sparseCross(e Engine, dst compute.Matrix, x, z compute.Points, workers int) {
	switch e := e.(type) {
	case fusedEngine:
		compute.SparseKernel(dst, x, z, e.f, workers)
		return
	case scaleEngine:
		sparseCross(e.of, dst, x, z, workers)
		scaleRows(dst, e.by, workers)
		return
	case mapEngine:
		e.sparseCross(dst, x, z, workers)
		return
	}
	if b, ok := combinationOf(e); ok {
		b.sparseCross(dst, x, z, workers)
	} else if of, p := profileOf(e); p != nil {
		compute.SparseKernel(dst, x, z, compute.Func{Family: of}, workers)
		eachTile(dst.Rows, workers, func(from, to int) { applyRows(p, compute.Rows(dst, from, to)) })
	} else {
		denseCross(e, dst, x, z, workers)
	}
}

func (b combinedBlocks) sparseCross(dst compute.Matrix, x, z compute.Points, workers int) {
	sparseCross(b.parts[0], dst, x, z, workers)
	t := compute.NewMatrix(dst.Rows, dst.Cols)
	for _, p := range b.parts[1:] {
		sparseCross(p, t, x, z, workers)
		b.combineRows(dst, t)
	}
}

func (e mapEngine) sparseCross(dst compute.Matrix, x, z compute.Points, workers int) {
	left, free, ok := embedBriefly(e.phi, x, workers)
	if !ok {
		denseCross(e, dst, x, z, workers)
		return
	}
	defer free()
	right := left
	if z.Sparse == nil || z.Sparse != x.Sparse {
		right, free, ok = embedBriefly(e.phi, z, workers)
		defer free()
	}
	switch {
	case !ok:
		denseCross(e, dst, x, z, workers)
	case left.Sparse == nil && right.Sparse == nil:
		e.of.cross(dst, left.Matrix, right.Matrix, workers)
	default:
		sparseCross(e.of, dst, left, right, workers)
	}
}

// denseCross converts rows to dense rows, some at a time.
func denseCross(e Engine, dst compute.Matrix, x, z compute.Points, workers int) {
	some := compute.DenseRows(x.Cols)
	for j := 0; j < z.Rows; j += some {
		right := z.Between(j, min(j+some, z.Rows)).Dense()
		for i := 0; i < x.Rows; i += some {
			left := x.Between(i, min(i+some, x.Rows)).Dense()
			e.cross(compute.Columns(compute.Rows(dst, i, i+left.Rows), j, j+right.Rows), left, right, workers)
		}
	}
}

// sparseDiag sets dst_i = k(x_i, x_i) for sparse x.
func sparseDiag(e Engine, dst []float64, x compute.Points) {
	switch e := e.(type) {
	case fusedEngine:
		compute.SparseDiagonal(dst, x.Sparse, e.f)
		return
	case scaleEngine:
		sparseDiag(e.of, dst, x)
		floats.Scale(e.by, dst)
		return
	case mapEngine:
		if images, free, ok := embedBriefly(e.phi, x, 1); ok {
			pointsDiag(e.of, dst, images, 1)
			free()
			return
		}
	}
	if b, ok := combinationOf(e); ok {
		b.diagonal(dst, func(e Engine, dst []float64) { sparseDiag(e, dst, x) })
		return
	}
	if of, p := profileOf(e); p != nil {
		compute.SparseDiagonal(dst, x.Sparse, compute.Func{Family: of})
		ApplyAll(p, dst)
		return
	}
	some := compute.DenseRows(x.Cols)
	for i := 0; i < x.Rows; i += some {
		to := min(i+some, x.Rows)
		e.diag(dst[i:to], x.Between(i, to).Dense())
	}
}

func pointsDiag(e Engine, dst []float64, x compute.Points, workers int) {
	if x.Sparse == nil {
		diag(e, dst, x.Matrix, workers)
		return
	}
	sparseDiag(e, dst, x)
}

// GramOf is Gram for dense or sparse rows.
func (e Evaluator) GramOf(dst compute.Matrix, x compute.Points) {
	if x.Sparse == nil {
		e.Gram(dst, x.Matrix)
		return
	}
	checkSize("dst", dst, x.Rows, x.Rows)
	of, d := engineOf(e.Kernel), make([]float64, x.Rows)
	sparseCross(of, dst, x, x, e.Workers)
	sparseDiag(of, d, x)
	eachTile(x.Rows, e.Workers, func(from, to int) { mirror(dst, d, from, to) })
}

// CrossOf is Cross for dense or sparse rows.
func (e Evaluator) CrossOf(dst compute.Matrix, x, z compute.Points) {
	if x.Sparse == nil && z.Sparse == nil {
		e.Cross(dst, x.Matrix, z.Matrix)
		return
	}
	checkSize("z", z.Matrix, z.Rows, x.Cols)
	checkSize("dst", dst, x.Rows, z.Rows)
	if x.Rows > 0 && z.Rows > 0 {
		sparseCross(engineOf(e.Kernel), dst, x, z, e.Workers)
	}
}

// DiagOf is Diag for dense or sparse rows.
func (e Evaluator) DiagOf(dst []float64, x compute.Points) {
	if x.Sparse == nil {
		e.Diag(dst, x.Matrix)
		return
	}
	sparseDiag(engineOf(e.Kernel), dst, x)
}

// MulOf bounds the kernel values of sparse rows that it holds at a time by sparseValues, and the rows by sparseRows.
// More rows at once are not faster.
const (
	sparseValues = 1 << 19
	sparseRows   = 512
)

// MulOf is Mul for dense or sparse rows. Of sparse rows it holds some hundred rows of K at a time.
func (e Evaluator) MulOf(dst compute.Matrix, x, z compute.Points, w compute.Matrix) {
	if x.Sparse == nil && z.Sparse == nil {
		e.Mul(dst, x.Matrix, z.Matrix, w)
		return
	}
	checkSize("z", z.Matrix, z.Rows, x.Cols)
	checkSize("w", w, z.Rows, w.Cols)
	checkSize("dst", dst, x.Rows, w.Cols)
	compute.Zero(dst)
	if z.Rows == 0 || w.Cols == 0 {
		return
	}
	e.SinglePrecision = false
	some := min(x.Rows, max(1, sparseValues/z.Rows), sparseRows)
	of, z, free := e.MappedBriefly(z)
	defer free()
	k, freeValues := compute.Allocate(some, z.Rows)
	defer freeValues()
	for i := 0; i < x.Rows; i += some {
		_, part, free := e.MappedBriefly(x.Between(i, min(i+some, x.Rows)))
		out := compute.Rows(dst, i, i+part.Rows)
		if part.Sparse == nil && z.Sparse == nil { // the images are dense
			of.Mul(out, part.Matrix, z.Matrix, w)
		} else {
			values := compute.Rows(k, 0, part.Rows)
			of.CrossOf(values, part, z)
			compute.MulNN(out, values, w, e.Workers)
		}
		free()
	}
}

// AddMul adds K·W to dst. See MulOf.
func (e Evaluator) AddMul(dst compute.Matrix, x, z compute.Points, w compute.Matrix) {
	part, free := compute.Allocate(dst.Rows, dst.Cols)
	defer free()
	e.MulOf(part, x, z, w)
	for i := range dst.Rows {
		floats.Add(compute.Row(dst, i), compute.Row(part, i))
	}
}
