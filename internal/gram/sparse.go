package gram

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Sparse rows need no engines of their own: what an engine is made of tells how its values
// come from products of sparse rows, and where they do not, rows are made dense some at a
// time.

// sparseCross sets dst = K of rows of which one side at least is sparse.
func sparseCross(e Engine, dst compute.Matrix, x, z compute.Points, workers int) {
	switch e := e.(type) {
	case fusedEngine:
		compute.SparseKernel(dst, x, z, e.f, workers)
	case scaleEngine:
		sparseCross(e.of, dst, x, z, workers)
		scaleRows(dst, e.by, workers)
	case mapEngine:
		e.sparseCross(dst, x, z, workers)
	default:
		if parts, b := partsOf(e); parts != nil {
			b.sparseCross(dst, x, z, workers)
		} else if of, p := profileOf(e); p != nil {
			compute.SparseKernel(dst, x, z, compute.Func{Family: of}, workers)
			eachTile(dst.Rows, workers, func(from, to int) { applyRows(p, compute.Rows(dst, from, to)) })
		} else {
			thickCross(e, dst, x, z, workers)
		}
	}
}

// partsOf returns the parts of a sum or a product of engines, or nil.
func partsOf(e Engine) ([]Engine, combinedBlocks) {
	if s, ok := e.(sumEngine); ok {
		return s.parts, combinedBlocks{parts: s.parts}
	}
	if t, ok := e.(tiled); ok {
		if b, ok := t.blocks.(combinedBlocks); ok {
			return b.parts, b
		}
	}
	return nil, combinedBlocks{}
}

func (b combinedBlocks) sparseCross(dst compute.Matrix, x, z compute.Points, workers int) {
	sparseCross(b.parts[0], dst, x, z, workers)
	t := compute.NewMatrix(dst.Rows, dst.Cols)
	for _, p := range b.parts[1:] {
		sparseCross(p, t, x, z, workers)
		for r := range dst.Rows {
			b.accumulate(compute.Row(dst, r), compute.Row(t, r))
		}
	}
}

// SparseEmbedding is an Embedding that may map sparse rows without making them dense.
type SparseEmbedding interface {
	// EmbedSparse returns e(x), dense or sparse, or false if it has no way but by dense rows.
	EmbedSparse(x *compute.Sparse, workers int) (images compute.Points, ok bool)
}

// EmbedPoints returns e(x), which is x itself for nil, or false if x is sparse and e maps
// dense rows alone.
func EmbedPoints(e Embedding, x compute.Points, workers int) (images compute.Points, ok bool) {
	if e == nil {
		return x, true
	}
	if x.Sparse == nil {
		return compute.DensePoints(embed(e, x.Matrix, workers)), true
	}
	if s, ok := e.(SparseEmbedding); ok {
		return s.EmbedSparse(x.Sparse, workers)
	}
	return compute.Points{}, false
}

// EmbedSparse implements SparseEmbedding.
func (c Composed) EmbedSparse(x *compute.Sparse, workers int) (compute.Points, bool) {
	y, ok := EmbedPoints(c.Inner, compute.SparsePoints(x), workers)
	if !ok {
		return y, false
	}
	return EmbedPoints(c.Outer, y, workers)
}

// valueEmbedding is a SparseEmbedding that changes listed values alone.
type valueEmbedding interface {
	embedValues(values []float64, columns []int32)
}

// embedBriefly is EmbedPoints for images that are not used any more once free was called.
func embedBriefly(e Embedding, x compute.Points, workers int) (images compute.Points, free func(), ok bool) {
	if v, changes := e.(valueEmbedding); changes && x.Sparse != nil {
		m, free := x.Sparse.MapBriefly(v.embedValues)
		return compute.SparsePoints(m), free, true
	}
	images, ok = EmbedPoints(e, x, workers)
	return images, func() {}, ok
}

func (e mapEngine) sparseCross(dst compute.Matrix, x, z compute.Points, workers int) {
	left, free, ok := embedBriefly(e.phi, x, workers)
	if !ok {
		thickCross(e, dst, x, z, workers)
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
		thickCross(e, dst, x, z, workers)
	case left.Sparse == nil && right.Sparse == nil:
		e.of.cross(dst, left.Matrix, right.Matrix, workers)
	default:
		sparseCross(e.of, dst, left, right, workers)
	}
}

// thickCross makes rows dense, some at a time.
func thickCross(e Engine, dst compute.Matrix, x, z compute.Points, workers int) {
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
			pointsDiag(e.of, dst, images)
			free()
			return
		}
	}
	if parts, b := partsOf(e); parts != nil {
		sparseDiag(parts[0], dst, x)
		t := make([]float64, len(dst))
		for _, p := range parts[1:] {
			sparseDiag(p, t, x)
			b.accumulate(dst, t)
		}
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

func pointsDiag(e Engine, dst []float64, x compute.Points) {
	if x.Sparse == nil {
		diag(e, dst, x.Matrix, 1)
		return
	}
	sparseDiag(e, dst, x)
}

// GramOf is Gram for rows of any form.
func (e Evaluator) GramOf(dst compute.Matrix, x compute.Points) {
	if x.Sparse == nil {
		e.Gram(dst, x.Matrix)
		return
	}
	checkSize("dst", dst, x.Rows, x.Rows)
	of, d := EngineOf(e.Kernel), make([]float64, x.Rows)
	sparseCross(of, dst, x, x, e.Workers)
	sparseDiag(of, d, x)
	eachTile(x.Rows, e.Workers, func(from, to int) { mirror(dst, d, from, to) })
}

// CrossOf is Cross for rows of any form.
func (e Evaluator) CrossOf(dst compute.Matrix, x, z compute.Points) {
	if x.Sparse == nil && z.Sparse == nil {
		e.Cross(dst, x.Matrix, z.Matrix)
		return
	}
	checkSize("z", z.Matrix, z.Rows, x.Cols)
	checkSize("dst", dst, x.Rows, z.Rows)
	if x.Rows > 0 && z.Rows > 0 {
		sparseCross(EngineOf(e.Kernel), dst, x, z, e.Workers)
	}
}

// DiagOf is Diag for rows of any form.
func (e Evaluator) DiagOf(dst []float64, x compute.Points) {
	if x.Sparse == nil {
		e.Diag(dst, x.Matrix)
		return
	}
	sparseDiag(EngineOf(e.Kernel), dst, x)
}

// sparseValues bounds the kernel values of sparse rows that a product holds at a time, sparseRows the
// rows, of which more at once are not faster.
const (
	sparseValues = 1 << 19
	sparseRows   = 512
)

// MulOf is Mul for rows of any form. Of sparse rows it holds some hundred rows of K at a
// time.
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
	k, freeValues := compute.Borrow(some, z.Rows)
	defer freeValues()
	for i := 0; i < x.Rows; i += some {
		_, part, free := e.MappedBriefly(x.Between(i, min(i+some, x.Rows)))
		values := compute.Rows(k, 0, part.Rows)
		of.CrossOf(values, part, z)
		compute.MulNN(compute.Rows(dst, i, i+part.Rows), values, w, e.Workers)
		free()
	}
}

// AddMul adds K·W to dst, as MulOf has it.
func (e Evaluator) AddMul(dst compute.Matrix, x, z compute.Points, w compute.Matrix) {
	part, free := newScratch(dst.Rows, dst.Cols)
	defer free()
	e.MulOf(part, x, z, w)
	for i := range dst.Rows {
		floats.Add(compute.Row(dst, i), compute.Row(part, i))
	}
}
