package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// bandwidths searches the scales of a kernel.ARD: from the best common one, found
// as for a single bandwidth, by the gradient. Columns are first brought to one scale, so
// that their units do not matter.
type bandwidths struct {
	*data
	of        kernel.Kernel
	facts     gram.Description // of of
	unit      []float64        // of the columns
	rows      compute.Matrix   // in these units
	low, high float64          // of the logarithm of the common scale
	nodes     *nodes           // of the distances of the rows; nil if of is no function of one
	metric    metric
	median    float64
	shrink    float64
	workers   int
	stop      func() bool
}

// best maximises
//
//	<P, K>/n − shrink·spread(scales).
//
// It does not start from the scales that were found before: the search would stay
// where the kernel before has taken all there is to gain.
func (f bandwidths) best(p compute.Matrix) candidate {
	common := maximise(f.commonValue(p), f.low, f.high, gridPoints(f.low, f.high), 1e-2)
	u, m := climb(func(grad, u []float64) float64 {
		v := f.slope(grad, u, p)
		return v - f.shrink*spread(grad, u, f.shrink)
	}, f.common(common.at), f.stop)
	return candidate{f.at(u), m.value * float64(p.Rows), m.evaluations + common.evaluations}
}

// commonValue returns <P, K> less a constant as a function of the logarithm of the scale
// that all columns have. P is gathered in the nodes of the distances once for all scales.
func (f bandwidths) commonValue(p compute.Matrix) func(u float64) float64 {
	of := f.facts
	if f.nodes == nil {
		k := compute.NewMatrix(p.Rows, p.Cols)
		return func(u float64) float64 {
			gram.Evaluator{Kernel: f.at(f.common(u)), Workers: f.workers}.Gram(k, f.x)
			return dot(p, k, f.workers)
		}
	}
	w, values, length := f.gather(p), make([]float64, len(f.nodes.at)), of.Parameters[0]
	return func(u float64) float64 {
		gram.Describe(of.WithParameters([]float64{length * math.Exp(u)})).LessDiagonal(values, f.nodes.at)
		return floats.Dot(w, values)
	}
}

// gather returns P_ij over i ≠ j in the nodes.
func (f bandwidths) gather(p compute.Matrix) []float64 {
	tiles := compute.NewMatrix((p.Rows+tileRows-1)/tileRows, len(f.nodes.at))
	compute.Parallel(tiles.Rows, f.workers, func(t int) {
		from, to := tile(t, p.Rows)
		s, w := compute.NewMatrix(to-from, to), compute.Row(tiles, t)
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
	for t := range tiles.Rows {
		floats.Add(w, compute.Row(tiles, t))
	}
	return w
}

// tileRows is the number of rows of the lower triangle that are taken together.
const tileRows = 64

func tile(t, n int) (from, to int) { return t * tileRows, min((t+1)*tileRows, n) }

func (f bandwidths) common(u float64) []float64 {
	all := make([]float64, f.x.Cols)
	floats.AddConst(u, all)
	return all
}

// at returns the kernel of scales exp(u) of the columns in their units.
func (f bandwidths) at(u []float64) kernel.ARD {
	s := make([]float64, len(u))
	for i, v := range u {
		s[i] = f.unit[i] * math.Exp(v)
	}
	return kernel.ARD{Scales: s, Of: f.of}
}

func (f bandwidths) fallback() kernel.Kernel { return f.at(f.common(math.Log(f.median))) }

// slope returns <P, K>/n and sets its gradient by the logarithms of the scales.
func (f bandwidths) slope(grad, u []float64, p compute.Matrix) float64 {
	a := compute.NewMatrix(f.rows.Rows, f.rows.Cols)
	for i := range a.Rows {
		row := compute.Row(a, i)
		for j, v := range compute.Row(f.rows, i) {
			row[j] = v * math.Exp(-u[j])
		}
	}
	value := f.quadratic(grad, a, p)
	if f.facts.Precision > 0 {
		floats.Scale(2*f.facts.Precision, grad)
	} else {
		pairs(grad, p, f.workers, func(dst []float64, i, j int) { f.facts.ScaleGradient(dst, compute.Row(a, i), compute.Row(a, j)) })
	}
	floats.Scale(1/float64(p.Rows), grad)
	return value / float64(p.Rows)
}

// quadratic returns <P, K> and sets grad_i to Σ_jk M_jk·(A_ji − A_ki)² for M = P∘K: with
// the part L of M below the diagonal and r = M·1 it is
//
//	2·Σ_j (r_j·A_ji² − 2·A_ji·(L·A)_ji).
func (f bandwidths) quadratic(grad []float64, a, p compute.Matrix) float64 {
	n, d := a.Rows, a.Cols
	tiles := (n + tileRows - 1) / tileRows
	sums, la := compute.NewMatrix(tiles, n), compute.NewMatrix(n, d)
	own := make([]float64, n) // sums of rows of L
	compute.Parallel(tiles, f.workers, func(t int) {
		from, to := tile(t, n)
		m := compute.NewMatrix(to-from, to)
		gram.Evaluator{Kernel: f.of, Workers: 1}.Cross(m, compute.Rows(a, from, to), compute.Rows(a, 0, to))
		for i := from; i < to; i++ {
			row := compute.Row(m, i-from)
			floats.Mul(row[:i], compute.Row(p, i)[:i])
			clear(row[i:])
			own[i] = floats.Sum(row[:i])
			floats.Add(compute.Row(sums, t)[:i], row[:i])
		}
		compute.MulNN(compute.Rows(la, from, to), m, compute.Rows(a, 0, to), 1)
	})
	r, diagonal := append([]float64(nil), own...), make([]float64, n)
	for t := range tiles {
		floats.Add(r, compute.Row(sums, t))
	}
	gram.Evaluator{Kernel: f.of, Workers: f.workers}.Diag(diagonal, a)
	value := 2 * floats.Sum(own)
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

// spread is the squared coefficient of variation of the precisions 1/scale², and
// subtracts weight times its gradient from grad. It is 0 for equal scales and
// d − 1 where one column alone counts, in any unit.
//
// It stands for the penalty (4), the squared deviations of the scales, which has
// the unit of the data and is ruled by the columns that count least.
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
