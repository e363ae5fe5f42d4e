package gram

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// RowFunction evaluates an Expansion at one row at a time, without the blocks that many rows pay
// for, and without allocating once it has been used by as many goroutines at a time as use
// it. Its values are those of the Expansion up to rounding. It is safe for concurrent use.
type RowFunction struct {
	maps    []rowMap // of rows, one after the other
	terms   []term
	points  compute.Points // mapped
	norms   []float64      // of sparse points
	weights blas64.General
	check   RowCheck
	scratch sync.Pool
}

// rowMap maps a row into another one of a fixed width.
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
	// ofSquaredDistance and row are those of the structure of the kernel.
	ofSquaredDistance func(d, scratch []float64)
	row               func(dst, x []float64, z compute.Matrix)
}

// rowScratch is what one evaluation needs.
type rowScratch struct {
	images [][]float64
	dense  []float64 // a point, if these are sparse
	base   []float64 // squared distances or inner products
	values []float64
	total  []float64
}

// RowFunction prepares f, whose points must not change any more. The points are mapped once where
// the kernel is one of mapped rows: O(m·r·d).
func NewRowFunction(of Kernel, points compute.Points, weights compute.Matrix) *RowFunction {
	r := &RowFunction{check: NewRowCheck(of)}
	if points.Rows == 0 {
		return r
	}
	k := r.unwrap(of, points.Cols)
	_, r.points = Evaluator{Kernel: of, Workers: 1}.MappedPoints(points)
	r.weights = weights
	r.terms = termsOf(k)
	if s := r.points.Sparse; s != nil {
		r.norms = make([]float64, s.Rows)
		for j := range r.norms {
			_, values := s.Row(j)
			r.norms[j] = compute.RowDot(values, values)
		}
	}
	m := r.points.Rows
	r.scratch.New = func() any {
		s := &rowScratch{base: make([]float64, m), values: make([]float64, m), total: make([]float64, m)}
		if r.points.Sparse != nil {
			s.dense = make([]float64, r.points.Cols)
		}
		for _, p := range r.maps {
			s.images = append(s.images, make([]float64, p.width))
		}
		if len(r.terms) > 1 {
			s.images = append(s.images, make([]float64, m))
		}
		return s
	}
	return r
}

// Check refuses rows on which f is not defined, as RowCheck does.
func (r *RowFunction) Check(x []float64) error { return r.check.Row(x) }

// unwrap collects the maps around a kernel, as Evaluator.Mapped takes them off.
func (r *RowFunction) unwrap(k Kernel, width int) Kernel {
	d := source.Structure(k)
	if d.Map == nil {
		return k
	}
	width = d.Map.Width(width)
	r.maps = append(r.maps, rowMap{d.Map, width})
	return r.unwrap(d.Of, width)
}

// termsOf returns the terms of a sum of functions of the distance, or the kernel whole.
func termsOf(k Kernel) []term {
	var list []term
	if sum := source.Structure(k).Terms; sum != nil {
		for _, part := range sum {
			t := termOf(1, part)
			if t.radial == nil {
				return []term{{by: 1, kernel: k}}
			}
			list = append(list, t)
		}
		return list
	}
	return []term{termOf(1, k)}
}

func termOf(by float64, k Kernel) term {
	d := source.Structure(k)
	if d.Of != nil && d.Map == nil {
		return termOf(by*d.By, d.Of)
	}
	t := term{by: by, kernel: k, ofSquaredDistance: d.OfSquaredDistance, row: d.Row}
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
	if len(dst) == 1 {
		if r.weights.Stride == 1 {
			dst[0] += compute.RowDot(k, r.weights.Data[:len(k)])
			return
		}
	}
	for j, v := range k {
		compute.AddRowTo(dst, v, compute.Row(r.weights, j))
	}
}

// values returns k(x, z_j) for a row that was mapped.
func (r *RowFunction) values(s *rowScratch, x []float64) []float64 {
	if r.terms[0].inner != nil {
		r.products(s.base, x)
		r.terms[0].inner.OfInnerProduct(s.base)
		return scaledBy(s.base, r.terms[0].by)
	}
	if r.terms[0].radial == nil {
		r.evaluate(s, r.terms[0], x)
		return scaledBy(s.base, r.terms[0].by)
	}
	r.distances(s.base, x)
	if len(r.terms) == 1 {
		r.terms[0].of(s.base, s.values)
		return scaledBy(s.base, r.terms[0].by)
	}
	clear(s.total)
	for _, t := range r.terms {
		copy(s.values, s.base)
		t.of(s.values, s.images[len(r.maps)])
		compute.AddRowTo(s.total, t.by, s.values)
	}
	return s.total
}

// of replaces squared distances by values of the kernel.
func (t term) of(d, scratch []float64) {
	if t.ofSquaredDistance != nil {
		t.ofSquaredDistance(d, scratch)
		return
	}
	t.radial.OfSquaredDistance(d)
}

// evaluate sets the values of a kernel that has no other way.
func (r *RowFunction) evaluate(s *rowScratch, t term, x []float64) {
	if t.row != nil && r.points.Sparse == nil {
		t.row(s.base, x, r.points.Matrix)
		return
	}
	for j := range s.base {
		s.base[j] = t.kernel.Eval(x, r.point(s, j))
	}
}

// point returns a point, dense.
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

func scaledBy(v []float64, by float64) []float64 {
	if by != 1 {
		floats.Scale(by, v)
	}
	return v
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
