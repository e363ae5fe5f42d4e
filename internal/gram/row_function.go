package gram

import (
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// RowFunction evaluates f(x) = Σ_j k(x, p_j)·w_j at one row at a time, without blocks, and without allocation once the
// scratch memory of each goroutine exists. Its values equal the values of an Evaluator up to rounding. It is safe for
// concurrent use.
type RowFunction struct {
	maps    []rowMap // of rows, in order
	terms   []term
	points  compute.Points // mapped
	norms   []float64      // of sparse points
	weights compute.Matrix
	check   RowCheck
	scratch sync.Pool
}

// rowMap maps a row to a row of a fixed width.
type rowMap struct {
	by    Embedding
	width int
}

// term is a part of a kernel: by·k.
type term struct {
	by     float64
	kernel Kernel
	radial Radial
	inner  InnerProduct
	// ofSquaredDistance and row are as in Structure.
	ofSquaredDistance func(d, scratch []float64)
	row               func(dst, x []float64, z compute.Matrix)
}

// rowScratch is the memory of one evaluation.
type rowScratch struct {
	images  [][]float64
	dense   []float64 // a point, if the points are sparse
	base    []float64 // squared distances or inner products
	values  []float64
	total   []float64
	further []float64
}

// NewRowFunction prepares f. Its points must not change any more. It maps them once, in O(m·r·d), for a kernel of
// mapped rows.
func NewRowFunction(of Kernel, points compute.Points, weights compute.Matrix) *RowFunction {
	r := &RowFunction{check: NewRowCheck(of)}
	if points.Rows == 0 {
		return r
	}
	width := points.Cols
	for s := source.Structure(of); s.Map != nil; s = source.Structure(s.Of) {
		width = s.Map.Width(width)
		r.maps = append(r.maps, rowMap{s.Map, width})
	}
	e, mapped := Evaluator{Kernel: of, Workers: 1}.MappedPoints(points)
	r.points, r.weights, r.terms = mapped, weights, termsOf(e.Kernel)
	if s := r.points.Sparse; s != nil {
		r.norms = make([]float64, s.Rows)
		for j := range r.norms {
			_, values := s.Row(j)
			r.norms[j] = compute.RowDot(values, values)
		}
	}
	r.scratch.New = func() any { return r.newScratch() }
	return r
}

func (r *RowFunction) newScratch() *rowScratch {
	m := r.points.Rows
	s := &rowScratch{base: make([]float64, m), values: make([]float64, m), total: make([]float64, m)}
	if r.points.Sparse != nil {
		s.dense = make([]float64, r.points.Cols)
	}
	for _, p := range r.maps {
		s.images = append(s.images, make([]float64, p.width))
	}
	if len(r.terms) > 1 {
		s.further = make([]float64, m)
	}
	return s
}

// Check returns an error if f is not defined at x. See RowCheck.
func (r *RowFunction) Check(x []float64) error { return r.check.Row(x) }

// termsOf returns the terms of a sum of functions of the distance, or the whole kernel.
func termsOf(k Kernel) []term {
	var list []term
	for _, part := range source.Structure(k).Terms {
		t := termOf(1, part)
		if t.radial == nil {
			return []term{{by: 1, kernel: k}}
		}
		list = append(list, t)
	}
	if list == nil {
		return []term{termOf(1, k)}
	}
	return list
}

func termOf(by float64, k Kernel) term {
	s := source.Structure(k)
	if s.Of != nil && s.Map == nil {
		return termOf(by*s.By, s.Of)
	}
	t := term{by: by, kernel: k, ofSquaredDistance: s.OfSquaredDistance, row: s.Row}
	if t.radial, _ = k.(Radial); t.radial == nil {
		t.inner, _ = k.(InnerProduct)
	}
	return t
}

// AddTo adds f(x) to dst: x has d numbers and dst q. O(m·(d + q)).
func (r *RowFunction) AddTo(dst, x []float64) {
	if len(r.terms) == 0 {
		return
	}
	s := r.scratch.Get().(*rowScratch)
	defer r.scratch.Put(s)
	for i, p := range r.maps {
		EmbedRow(p.by, s.images[i], x)
		x = s.images[i]
	}
	k := r.values(s, x)
	if len(dst) == 1 && r.weights.Stride == 1 {
		dst[0] += compute.RowDot(k, r.weights.Data[:len(k)])
		return
	}
	for j, v := range k {
		compute.AddRowTo(dst, v, compute.Row(r.weights, j))
	}
}

// values returns k(x, p_j) for a mapped row.
func (r *RowFunction) values(s *rowScratch, x []float64) []float64 {
	first := r.terms[0]
	switch {
	case first.inner != nil:
		r.products(s.base, x)
		first.inner.OfInnerProduct(s.base)
	case first.radial == nil:
		r.evaluate(s, first, x)
	default:
		r.distances(s.base, x)
		if len(r.terms) > 1 {
			return r.sum(s)
		}
		first.apply(s.base, s.values)
	}
	if first.by != 1 {
		floats.Scale(first.by, s.base)
	}
	return s.base
}

// sum returns the sum of the terms as functions of the distances in s.base.
func (r *RowFunction) sum(s *rowScratch) []float64 {
	clear(s.total)
	for _, t := range r.terms {
		copy(s.values, s.base)
		t.apply(s.values, s.further)
		compute.AddRowTo(s.total, t.by, s.values)
	}
	return s.total
}

// apply replaces squared distances by values of the kernel.
func (t term) apply(d, scratch []float64) {
	if t.ofSquaredDistance != nil {
		t.ofSquaredDistance(d, scratch)
		return
	}
	t.radial.OfSquaredDistance(d)
}

// evaluate sets the values of a kernel that is a function of neither distances nor inner products.
func (r *RowFunction) evaluate(s *rowScratch, t term, x []float64) {
	if t.row != nil && r.points.Sparse == nil {
		t.row(s.base, x, r.points.Matrix)
		return
	}
	for j := range s.base {
		s.base[j] = t.kernel.Eval(x, r.point(s, j))
	}
}

// point returns point j as a dense row.
func (r *RowFunction) point(s *rowScratch, j int) []float64 {
	if r.points.Sparse == nil {
		return compute.Row(r.points.Matrix, j)
	}
	clear(s.dense)
	columns, values := r.points.Sparse.Row(j)
	for k, c := range columns {
		s.dense[c] = values[k]
	}
	return s.dense
}

// products sets dst to the inner products of x with the points.
func (r *RowFunction) products(dst, x []float64) {
	if r.points.Sparse == nil {
		for j := range dst {
			dst[j] = compute.RowDot(x, compute.Row(r.points.Matrix, j))
		}
		return
	}
	for j := range dst {
		columns, values := r.points.Sparse.Row(j)
		sum := 0.0
		for k, c := range columns {
			sum += float64(values[k] * x[c])
		}
		dst[j] = sum
	}
}

// distances sets dst to the squared distances of x from the points.
func (r *RowFunction) distances(dst, x []float64) {
	if r.points.Sparse == nil {
		for j := range dst {
			dst[j] = compute.RowSquaredDistance(x, compute.Row(r.points.Matrix, j))
		}
		return
	}
	r.products(dst, x)
	norm := compute.RowDot(x, x)
	for j, v := range dst {
		dst[j] = max(0, norm-2*v+r.norms[j])
	}
}
