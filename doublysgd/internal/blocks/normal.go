package blocks

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// Normal holds the matrix ZᵀZ of a block and the Cholesky factor of
//
//	ZᵀZ − ssᵀ/(n + held) + ridge·I,   s = Zᵀ1,
//
// or ZᵀWZ and s = Zᵀw for rows of weights w, n being their sum, in one square: the factor in the upper triangle, the matrix below it. These are the
// normal equations of the coefficients beside a constant on which no ridge weighs, but
// whose step does, as much as so many rows at which it is held.
type Normal struct {
	Square   compute.Matrix
	Sums     []float64 // s
	diagonal []float64 // of ZᵀZ
	Rows     int       // so far
	Total    float64   // n, the sum of their weights, or their number
	Held     float64
	ridge    float64 // of the factor, 0 if there is none
	packed   triangle
	alone    bool           // whether the factor was packed, and the matrix is not below it
	panel    compute.Matrix // memory of recover
}

// triangle is the upper triangle of a matrix, row by row: in single precision, or else in double.
type triangle struct {
	single  bool
	double  []float64
	rounded []float32
}

// NewNormal returns the equations of no rows.
func NewNormal(columns int) *Normal {
	return &Normal{Square: compute.NewMatrix(columns, columns), Sums: make([]float64, columns), diagonal: make([]float64, columns)}
}

// NewPackedNormal returns the equations of no rows, which are to be unpacked. Of features in single
// precision the factor is packed in that too.
func NewPackedNormal(columns int, single bool) *Normal {
	return &Normal{Sums: make([]float64, columns), diagonal: make([]float64, columns), packed: triangle{single: single}}
}

// Pack keeps the factor, in half of the memory of a square or less, until Unpack; the matrix is then what
// the factor says that it was, but for rounding.
func (n *Normal) Pack() {
	n.packed.keep(n.Square)
	n.Square = compute.Matrix{}
}

// Unpack takes a square and a panel for its own, with whatever they hold. RecoveredRows of the panel are of use.
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

// copyTo sets the upper triangle of m, if anything is kept.
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

// RecoveredRows is the number of rows of a matrix that are computed of its factor at a time.
const RecoveredRows = 128

// recover makes ZᵀZ of its factor U, of which nothing is below the diagonal: UᵀU, row by row from
// the last, less what was added.
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

// Restore puts the upper triangle of ZᵀZ in the place of the factor.
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

// Store keeps the upper triangle as ZᵀZ, or ZᵀWZ with weights, of so many rows of a total
// of weights.
func (n *Normal) Store(rows int, total float64) {
	n.mirror()
	for i := range n.diagonal {
		n.diagonal[i] = n.Square.Data[i*n.Square.Stride+i]
	}
	n.Rows, n.Total, n.ridge = rows, total, 0
}

// mirror puts the upper triangle below the diagonal too.
func (n *Normal) mirror() {
	compute.Mirror(n.Square)
	n.alone = false
}

// Factor makes the factor for a positive ridge. Rounding may leave ZᵀZ with
// eigenvalues below −ridge: a larger ridge takes its place, which slows the
// solution down and does not change it.
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

// Trace returns that of ZᵀZ.
func (n *Normal) Trace() float64 {
	sum := 0.0
	for _, v := range n.diagonal {
		sum += v
	}
	return sum
}

// Weight returns n + held, by which the sum of residuals is divided for the step of the
// constant.
func (n *Normal) Weight() float64 { return n.Total + n.Held }

// Shift returns the step of the constant beside a step in the coefficients of each
// output, for the step that it would take alone.
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
