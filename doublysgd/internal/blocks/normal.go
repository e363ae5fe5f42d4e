package blocks

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Normal holds the matrix ZᵀZ of a block and the Cholesky factor of
//
//	ZᵀZ − ssᵀ/(n + held) + ridge·I,   s = Zᵀ1,
//
// or ZᵀWZ and s = Zᵀw for weights w with the sum n. One square holds both: the factor in the upper
// triangle and the matrix below it. These are the normal equations with an unpenalised constant.
// Held rows damp the step of the constant.
type Normal struct {
	Square   compute.Matrix
	Sums     []float64 // s
	diagonal []float64 // of ZᵀZ
	Rows     int       // so far
	Total    float64   // n, the sum of their weights, or their number
	Damping  float64
	ridge    float64 // of the factor, or 0
	packed   triangle
	alone    bool           // whether the factor was packed, and the matrix is not below it
	panel    compute.Matrix // memory of recover
}

// triangle is a packed upper triangle in single or double precision.
type triangle struct {
	single  bool
	double  []float64
	rounded []float32
}

// NewNormal returns the equations of no rows.
func NewNormal(columns int) *Normal {
	return &Normal{Square: compute.NewMatrix(columns, columns), Sums: make([]float64, columns), diagonal: make([]float64, columns)}
}

// NewPackedNormal returns packed equations of no rows. Their factor is in single precision if single
// is true.
func NewPackedNormal(columns int, single bool) *Normal {
	return &Normal{Sums: make([]float64, columns), diagonal: make([]float64, columns), packed: triangle{single: single}}
}

// Pack keeps only the factor until Unpack. The matrix is then recovered from the factor, up to
// rounding.
func (n *Normal) Pack() {
	n.packed.keep(n.Square)
	n.Square = compute.Matrix{}
}

// Unpack restores n in the memory of square and panel. The panel has RecoveredRows rows.
func (n *Normal) Unpack(square, panel compute.Matrix) {
	n.Square, n.panel, n.alone = square, panel, true
	compute.Zero(square)
	n.packed.copyTo(square)
}

// keep copies the upper triangle of m.
func (t *triangle) keep(m compute.Matrix) {
	size, at := m.Rows*(m.Rows+1)/2, 0
	switch {
	case t.single && t.rounded == nil:
		t.rounded = make([]float32, size)
	case !t.single && t.double == nil:
		t.double = make([]float64, size)
	}
	for i := range m.Rows {
		row := compute.Row(m, i)[i:]
		if t.single {
			round(t.rounded[at:], row)
		} else {
			copy(t.double[at:], row)
		}
		at += len(row)
	}
}

// copyTo sets the upper triangle of m, which is zero.
func (t *triangle) copyTo(m compute.Matrix) {
	for i, at := 0, 0; i < m.Rows && at < max(len(t.double), len(t.rounded)); i++ {
		row := compute.Row(m, i)[i:]
		if t.single {
			widen(row, t.rounded[at:]) // it is zero
		} else {
			copy(row, t.double[at:])
		}
		at += len(row)
	}
}

// RecoveredRows is the number of rows that recover computes at a time.
const RecoveredRows = 128

// recover computes ZᵀZ from its factor U: UᵀU minus the ridge and the centring, in panels from the
// last row.
func (n *Normal) recover(workers int) {
	m := n.Square.Rows
	for to := m; n.ridge > 0 && to > 0; {
		from := max(0, to-n.panel.Rows)
		product := compute.Block(n.panel, 0, to-from, from, m)
		compute.Zero(product)
		compute.MulTN(product, compute.Block(n.Square, 0, to, from, to), compute.Block(n.Square, 0, to, from, m), workers)
		for i := from; i < to; i++ {
			row := compute.Row(n.Square, i)[i:]
			copy(row, compute.Row(product, i-from)[i-from:])
			mean := n.Sums[i] / n.Weight()
			for j := range row {
				row[j] += float64(mean * n.Sums[i+j])
			}
			row[0] = n.diagonal[i]
		}
		to = from
	}
	n.mirror()
}

// Restore replaces the factor by the upper triangle of ZᵀZ.
func (n *Normal) Restore(workers int) {
	if n.alone {
		n.recover(workers)
		n.ridge = 0
		return
	}
	m := n.Square
	compute.MirrorLower(m, workers)
	for i, v := range n.diagonal {
		m.Data[i*m.Stride+i] = v
	}
	n.ridge = 0
}

// Store completes the matrix from its upper triangle and sets the number of rows and the sum of their
// weights.
func (n *Normal) Store(rows int, total float64) {
	n.mirror()
	for i := range n.diagonal {
		n.diagonal[i] = n.Square.Data[i*n.Square.Stride+i]
	}
	n.Rows, n.Total, n.ridge = rows, total, 0
}

// mirror copies the upper triangle below the diagonal.
func (n *Normal) mirror() {
	compute.Mirror(n.Square)
	n.alone = false
}

// Factor computes the factor for a positive ridge. If the matrix is indefinite by rounding, it
// increases the ridge, which slows convergence but does not change the solution.
func (n *Normal) Factor(ridge float64, workers int) {
	if n.ridge == ridge {
		return
	}
	for shift := ridge; ; shift = 4*shift + 1e-15*n.Trace() {
		n.Restore(workers)
		n.centre(workers)
		for i := range n.diagonal {
			n.Square.Data[i*n.Square.Stride+i] += shift
		}
		if compute.Cholesky(n.Square, workers) || !compute.Finite(shift) {
			break
		}
	}
	n.ridge = ridge
}

// centre subtracts ssᵀ/(n + held) from the upper triangle.
func (n *Normal) centre(workers int) {
	compute.Parallel(n.Square.Rows, workers, func(i int) {
		mean, row := n.Sums[i]/n.Weight(), compute.Row(n.Square, i)
		for j := i; j < len(row); j++ {
			row[j] -= float64(mean * n.Sums[j])
		}
	})
}

// Trace returns the trace of ZᵀZ.
func (n *Normal) Trace() float64 {
	sum := 0.0
	for _, v := range n.diagonal {
		sum += v
	}
	return sum
}

// Weight returns n + held, the divisor of the step of the constant.
func (n *Normal) Weight() float64 { return n.Total + n.Damping }

// Shift returns the joint step of the constant for a step of the coefficients. It receives the
// step of the constant without them.
func (n *Normal) Shift(alone []float64, step compute.Matrix) []float64 {
	shift := slices.Clone(alone)
	for j, s := range n.Sums {
		for o, a := range compute.Row(step, j) {
			shift[o] -= float64(s / n.Weight() * a)
		}
	}
	return shift
}

// Solve overwrites b by (ZᵀZ − ssᵀ/(n + held) + ridge·I)⁻¹b.
func (n *Normal) Solve(b compute.Matrix, workers int) {
	compute.SolveUpper(n.Square, b, true, workers)
	compute.SolveUpper(n.Square, b, false, workers)
}
