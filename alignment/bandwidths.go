package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// bandwidths searches the scales of a kernel.ARD: from the best common one, found
// as for a single bandwidth, by the gradient.
type bandwidths struct {
	*data
	of        kernel.ScaleDifferentiable
	low, high float64 // of the logarithm of the common scale
	median    float64
	shrink    float64
	workers   int
}

// best maximises
//
//	<P, K>/n − shrink·spread(scales).
//
// It does not start from the scales that were found before: the search would stay
// where the kernel before has taken all there is to gain.
func (f bandwidths) best(p compute.Matrix) candidate {
	k, n := compute.NewMatrix(p.Rows, p.Cols), float64(p.Rows)
	common := maximise(func(u float64) float64 {
		kernel.Evaluator{Kernel: f.at(f.common(u)), Workers: f.workers}.Gram(k, f.x)
		return dot(p, k, f.workers) / n
	}, f.low, f.high, gridPoints(f.low, f.high), 0.1)
	s := scratch{k: k, a: compute.NewMatrix(p.Rows, f.x.Cols), ma: compute.NewMatrix(p.Rows, f.x.Cols)}
	u, m := climb(func(grad, u []float64) float64 {
		v := f.slope(grad, u, p, s)
		return v - f.shrink*spread(grad, u, f.shrink)
	}, f.common(common.at))
	return candidate{f.at(u), m.value * n, m.evaluations + common.evaluations}
}

func (f bandwidths) common(u float64) []float64 {
	all := make([]float64, f.x.Cols)
	floats.AddConst(u, all)
	return all
}

func (f bandwidths) at(u []float64) kernel.ARD {
	s := make([]float64, len(u))
	for i, v := range u {
		s[i] = math.Exp(v)
	}
	return kernel.ARD{Scales: s, Of: f.of}
}

func (f bandwidths) fallback() kernel.Kernel { return f.at(f.common(math.Log(f.median))) }

// scratch is memory for one search.
type scratch struct {
	k     compute.Matrix // n×n
	a, ma compute.Matrix // n×d
}

// slope returns <P, K>/n and sets its gradient by the logarithms of the scales.
func (f bandwidths) slope(grad, u []float64, p compute.Matrix, s scratch) float64 {
	for i := range f.x.Rows {
		a := compute.Row(s.a, i)
		for j, v := range compute.Row(f.x, i) {
			a[j] = v * math.Exp(-u[j])
		}
	}
	kernel.Evaluator{Kernel: f.of, Workers: f.workers}.Gram(s.k, s.a)
	value := dot(p, s.k, f.workers) / float64(p.Rows)
	if g, ok := f.of.(kernel.LogQuadratic); ok {
		quadraticSlope(grad, p, s, f.workers)
		floats.Scale(2*g.Precision(), grad)
	} else {
		pairs(grad, p, f.workers, func(dst []float64, i, j int) { f.of.ScaleGradient(dst, compute.Row(s.a, i), compute.Row(s.a, j)) })
	}
	floats.Scale(1/float64(p.Rows), grad)
	return value
}

// quadraticSlope sets grad_i to Σ_jk M_jk·(A_ji − A_ki)² for M = P∘K, as
//
//	2·(Σ_j r_j·A_ji² − A_:iᵀ·M·A_:i),  r = M·1.
//
// It overwrites K.
func quadraticSlope(grad []float64, p compute.Matrix, s scratch, workers int) {
	sums := make([]float64, p.Rows)
	compute.Parallel(p.Rows, workers, func(i int) {
		m := compute.Row(s.k, i)
		floats.Mul(m, compute.Row(p, i))
		sums[i] = floats.Sum(m)
	})
	compute.Zero(s.ma)
	compute.MulNN(s.ma, s.k, s.a, workers)
	clear(grad)
	for j, r := range sums {
		a, ma := compute.Row(s.a, j), compute.Row(s.ma, j)
		for i, v := range a {
			grad[i] += 2 * v * (r*v - ma[i])
		}
	}
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
