package alignment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// bandwidths searches the scales of a kernel.ARD by L-BFGS, from the best common scale.
// Columns are first divided by units, so the result does not depend on theirs.
type bandwidths struct {
	*data
	of          kernel.Kernel
	description gram.Description // of of
	unit        []float64        // of the columns
	rows        compute.Matrix   // in these units
	metric      metric
	nodes       *nodes  // of the distances of rows; nil if of does not depend on one
	low, high   float64 // of the logarithm of the common scale
	median      float64
	shrink      float64
}

// best maximises
//
//	<P, K>/n − shrink·spread(scales).
//
// It does not start from the scales of the previous kernel, because the search would stay
// at that maximum.
func (f bandwidths) best(p compute.Matrix) candidate {
	common := maximise(f.commonValue(p), f.low, f.high, gridPoints(f.low, f.high), 1e-2)
	u, m := climb(func(grad, u []float64) float64 {
		v := f.slope(grad, u, p)
		return v - f.shrink*spread(grad, u, f.shrink)
	}, f.common(common.at), f.stop)
	return candidate{f.at(u), m.value * float64(p.Rows), m.evaluations + common.evaluations}
}

// commonValue returns <P, K> minus a constant as a function of the logarithm of the common
// scale.
func (f bandwidths) commonValue(p compute.Matrix) func(u float64) float64 {
	if f.nodes == nil {
		k := compute.NewMatrix(p.Rows, p.Cols)
		return func(u float64) float64 {
			f.gram(k, f.at(f.common(u)))
			return f.dot(p, k)
		}
	}
	w, values, length := f.gather(p), make([]float64, len(f.nodes.at)), f.description.Parameters[0]
	return func(u float64) float64 {
		k := f.description.WithParameters([]float64{length * math.Exp(u)})
		gram.Describe(k).LessDiagonal(values, f.nodes.at)
		return floats.Dot(w, values)
	}
}

// gather returns P_ij over i ≠ j in the nodes.
func (f bandwidths) gather(p compute.Matrix) []float64 {
	parts := compute.NewMatrix(tiles(p.Rows), len(f.nodes.at))
	compute.Parallel(parts.Rows, f.workers, func(t int) {
		from, to := tile(t, p.Rows)
		s, w := compute.NewMatrix(to-from, to), compute.Row(parts, t)
		f.metric.block(s, compute.Rows(f.rows, from, to), compute.Rows(f.rows, 0, to))
		for i := from; i < to; i++ {
			weights := compute.Row(p, i)
			for j, d := range compute.Row(s, i-from)[:i] {
				first, by := f.nodes.spread(d)
				for l, c := range by {
					w[first+l] += 2 * weights[j] * c
				}
			}
		}
	})
	w := make([]float64, len(f.nodes.at))
	for t := range parts.Rows {
		floats.Add(w, compute.Row(parts, t))
	}
	return w
}

// tileRows is the number of rows in a tile of the lower triangle.
const tileRows = 64

func tiles(n int) int { return (n + tileRows - 1) / tileRows }

func tile(t, n int) (from, to int) { return t * tileRows, min((t+1)*tileRows, n) }

func (f bandwidths) common(u float64) []float64 { return slices.Repeat([]float64{u}, f.x.Cols) }

// at returns the kernel with the scales exp(u) in units of the columns.
func (f bandwidths) at(u []float64) kernel.ARD {
	s := make([]float64, len(u))
	for i, v := range u {
		s[i] = f.unit[i] * math.Exp(v)
	}
	return kernel.ARD{Scales: s, Of: f.of}
}

func (f bandwidths) fallback() kernel.Kernel { return f.at(f.common(math.Log(f.median))) }

// slope returns <P, K>/n and sets its gradient in u.
func (f bandwidths) slope(grad, u []float64, p compute.Matrix) float64 {
	a := compute.NewMatrix(f.rows.Rows, f.rows.Cols)
	for i := range a.Rows {
		row := compute.Row(a, i)
		for j, v := range compute.Row(f.rows, i) {
			row[j] = v * math.Exp(-u[j])
		}
	}
	value := f.quadratic(grad, a, p)
	if f.description.Precision > 0 {
		floats.Scale(2*f.description.Precision, grad)
	} else {
		f.sumGradients(grad, p, func(dst []float64, i, j int) {
			f.description.ScaleGradient(dst, compute.Row(a, i), compute.Row(a, j))
		})
	}
	floats.Scale(1/float64(p.Rows), grad)
	return value / float64(p.Rows)
}

// quadratic returns <P, K> and sets grad_i to Σ_jk M_jk·(A_ji − A_ki)² for M = P∘K. With
// the part L of M below the diagonal and r = (L + Lᵀ)·1 it is
//
//	2·Σ_j (r_j·A_ji² − 2·A_ji·(L·A)_ji).
func (f bandwidths) quadratic(grad []float64, a, p compute.Matrix) float64 {
	n, d := a.Rows, a.Cols
	columns, la := compute.NewMatrix(tiles(n), n), compute.NewMatrix(n, d)
	rows := make([]float64, n) // sums of the rows of L
	compute.Parallel(columns.Rows, f.workers, func(t int) {
		from, to := tile(t, n)
		m := compute.NewMatrix(to-from, to)
		gram.Evaluator{Kernel: f.of, Workers: 1}.Cross(m, compute.Rows(a, from, to), compute.Rows(a, 0, to))
		for i := from; i < to; i++ {
			row := compute.Row(m, i-from)
			floats.Mul(row[:i], compute.Row(p, i)[:i])
			clear(row[i:])
			rows[i] = floats.Sum(row[:i])
			floats.Add(compute.Row(columns, t)[:i], row[:i])
		}
		compute.MulNN(compute.Rows(la, from, to), m, compute.Rows(a, 0, to), 1)
	})
	r, diagonal := slices.Clone(rows), make([]float64, n)
	for t := range columns.Rows {
		floats.Add(r, compute.Row(columns, t))
	}
	gram.Evaluator{Kernel: f.of, Workers: f.workers}.Diag(diagonal, a)
	value := 2 * floats.Sum(rows)
	clear(grad)
	for j := range n {
		value += compute.Row(p, j)[j] * diagonal[j]
		row, l := compute.Row(a, j), compute.Row(la, j)
		for i, v := range row {
			grad[i] += 2 * v * (r[j]*v - 2*l[i])
		}
	}
	return value
}

// spread returns the squared coefficient of variation of the precisions 1/scale², and
// subtracts weight times its gradient from grad. It is 0 for equal scales and at most
// d − 1, in any unit. It replaces the penalty (4), the variance of the scales. The
// variance depends on the unit of the data, and the least relevant columns dominate
// it.
func spread(grad, u []float64, weight float64) float64 {
	low := floats.Min(u)
	d, sum, squares := float64(len(u)), 0.0, 0.0
	rho := make([]float64, len(u))
	for i, v := range u {
		rho[i] = math.Exp(-2 * (v - low))
		sum += rho[i]
		squares += rho[i] * rho[i]
	}
	for i, r := range rho {
		grad[i] -= weight * 4 * d * r / (sum * sum) * (squares/sum - r)
	}
	return d*squares/(sum*sum) - 1
}
