package revisit

import (
	"slices"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// normals caches the normal equations of the first blocks that fit the memory. Other blocks are
// computed at each visit. Sparse rows share one square and keep packed factors, because unpacking is
// cheaper than computing features.
type normals struct {
	kept   []*blocks.Normal
	most   int            // that are kept
	square compute.Matrix // or empty
	panel  compute.Matrix // for square
	within *blocks.Normal // that has the square, or nil
	single bool           // whether factors are packed in single precision
	ones   []float64      // weights of rows without any
}

// newNormals returns a cache within the given bytes.
func newNormals(columns int, packed, single bool, spare int64) normals {
	m := int64(columns)
	if packed {
		size := 4 * m * (m + 1)
		if single {
			size /= 2
		}
		return normals{
			most: int(spare / size), square: compute.NewMatrix(columns, columns), single: single,
			panel: compute.NewMatrix(min(columns, blocks.RecoveredRows), columns),
		}
	}
	return normals{most: int(spare / (8 * m * m))}
}

// none returns equations without rows.
func (e *normals) none(columns int) *blocks.Normal {
	if e.square.Rows > 0 {
		return blocks.NewPackedNormal(columns, e.single)
	}
	return blocks.NewNormal(columns)
}

// unpack gives the shared square to n.
func (e *normals) unpack(n *blocks.Normal) {
	if e.square.Rows == 0 || e.within == n {
		return
	}
	e.pack()
	n.Unpack(e.square, e.panel)
	e.within = n
}

// pack releases the shared square.
func (e *normals) pack() {
	if e.within != nil && slices.Contains(e.kept, e.within) {
		e.within.Pack()
	}
	e.within = nil
}

// NormalRows is the number of rows for the normal equations of a block. The equations of more rows are
// almost proportional to these, which serve as their preconditioner.
func NormalRows(columns int) int { return 64 * columns }

// of returns the normal equations of the current block b over the training rows, at most about
// NormalRows.
func (e *normals) of(s *Solver, b int) *blocks.Normal {
	for len(e.kept) <= b {
		e.kept = append(e.kept, nil)
	}
	columns := s.Function.Map.Columns()
	n := e.kept[b]
	if n == nil {
		n = e.none(columns)
	}
	if b < e.most {
		e.kept[b] = n
	}
	e.unpack(n)
	if n.Rows == s.train || n.Rows >= NormalRows(columns) {
		return n
	}
	n.Restore(s.workers)
	rows, total, sums := n.Rows, n.Total, compute.RowOf(n.Sums)
	for c := range s.design.Ends {
		from, to := s.design.Span(c)
		if from >= n.Rows && to <= s.train && from < NormalRows(columns) && !s.stopped() {
			some := s.risk.Part(from, to)
			s.design.Chunk(c).AddGram(n.Square, some.Weights)
			s.design.Chunk(c).AddTransposed(sums, e.weightsOf(some))
			rows, total = to, total+some.Total()
		}
	}
	n.Store(rows, total)
	return n
}

// weightsOf returns the weights of rows as a column, with ones for nil.
func (e *normals) weightsOf(r *descent.Risk) compute.Matrix {
	if r.Weights != nil {
		return compute.ColumnOf(r.Weights)
	}
	if len(e.ones) < r.Count() {
		e.ones = slices.Repeat([]float64{1}, r.Count())
	}
	return compute.ColumnOf(e.ones[:r.Count()])
}

// inherit adopts the complete normal equations of a solver that trained on the first of these rows.
func (e *normals) inherit(from *normals, columns int) {
	from.pack()
	for _, n := range from.kept[:min(len(from.kept), e.most)] {
		if n != nil && n.Rows < NormalRows(columns) {
			n = nil
		}
		e.kept = append(e.kept, n)
	}
}
