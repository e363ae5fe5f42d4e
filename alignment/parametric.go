package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// parametric searches all parameters of a kernel by its gradient, from those that
// it has.
type parametric struct {
	*data
	start   kernel.Kernel
	facts   gram.Description // of start
	workers int
	stop    func() bool
}

func (f parametric) best(p compute.Matrix) candidate {
	var u []float64
	for _, v := range f.facts.Parameters {
		u = append(u, math.Log(v))
	}
	k := compute.NewMatrix(p.Rows, p.Cols)
	u, m := climb(func(grad, u []float64) float64 { return f.slope(grad, u, p, k) }, u, f.stop)
	return candidate{f.at(u), m.value * float64(p.Rows), m.evaluations}
}

func (f parametric) at(u []float64) kernel.Kernel {
	v := make([]float64, len(u))
	for i, x := range u {
		v[i] = math.Exp(x)
	}
	return f.facts.WithParameters(v)
}

// slope returns <P, K>/n at the parameters exp(u) and sets its gradient; k is
// scratch memory.
func (f parametric) slope(grad, u []float64, p, k compute.Matrix) float64 {
	at, n := f.at(u), float64(p.Rows)
	gram.Evaluator{Kernel: at, Workers: f.workers}.Gram(k, f.x)
	gradient := gram.Describe(at).LogGradient
	pairs(grad, p, f.workers, func(dst []float64, i, j int) { gradient(dst, compute.Row(f.x, i), compute.Row(f.x, j)) })
	floats.Scale(1/n, grad)
	return dot(p, k, f.workers) / n
}

func (f parametric) fallback() kernel.Kernel { return f.start }

// pairs sets dst to Σ_ij P_ij·g(i, j) for symmetric P and g, each row by itself.
func pairs(dst []float64, p compute.Matrix, workers int, g func(dst []float64, i, j int)) {
	rows := compute.NewMatrix(p.Rows, len(dst))
	compute.Parallel(p.Rows, workers, func(i int) {
		one := make([]float64, len(dst))
		g(one, i, i)
		floats.AddScaled(compute.Row(rows, i), compute.Row(p, i)[i], one)
		for j := range i {
			g(one, i, j)
			floats.AddScaled(compute.Row(rows, i), 2*compute.Row(p, i)[j], one)
		}
	})
	clear(dst)
	for i := range p.Rows {
		floats.Add(dst, compute.Row(rows, i))
	}
}
