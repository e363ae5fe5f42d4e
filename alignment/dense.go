package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

// data holds the rows and targets of a search with centred columns.
type data struct {
	x, y     compute.Matrix
	original compute.Matrix // x before centring
	norm     float64        // ‖T‖ = ‖YᵀY‖
	workers  int
	stop     func() bool // reports whether to end the search early
}

func newData(x, y compute.Matrix, workers int, stop func() bool) *data {
	d := &data{x: compute.Clone(x), y: compute.Clone(y), original: x, workers: workers, stop: stop}
	linalg.CentreColumns(compute.Dense(d.x))
	linalg.CentreColumns(compute.Dense(d.y))
	g := compute.NewMatrix(y.Cols, y.Cols)
	compute.MulTN(g, d.y, d.y, 1)
	d.norm = mat.Norm(mat.NewDense(g.Rows, g.Cols, g.Data), 2)
	return d
}

// uncentred is for kernels that may depend on the origin.
func (d *data) uncentred() *data {
	c := *d
	c.x = d.original
	return &c
}

// gram sets dst to the Gram matrix of k.
func (d *data) gram(dst compute.Matrix, k kernel.Kernel) {
	gram.Evaluator{Kernel: k, Workers: d.workers}.Gram(dst, d.x)
}

// dot returns <A, B>. Each row is summed separately, so the result does not depend on the
// number of workers.
func (d *data) dot(a, b compute.Matrix) float64 {
	rows := make([]float64, a.Rows)
	compute.Parallel(a.Rows, d.workers, func(i int) { rows[i] = floats.Dot(compute.Row(a, i), compute.Row(b, i)) })
	sum := 0.0
	for _, v := range rows {
		sum += v
	}
	return sum
}

// dense is a space for any family. It holds two Gram matrices at a time, and computes the
// matrices of members again whenever it needs them.
type dense struct {
	*data
	maximiser
	members []kernel.Kernel
}

// maximiser finds the kernel of a family with the largest <P, K> for a symmetric P.
type maximiser interface {
	best(p compute.Matrix) candidate
	fallback() kernel.Kernel
}

func (f *dense) steepest(p direction) candidate { return f.best(f.matrix(p)) }

// matrix returns P.
func (f *dense) matrix(p direction) compute.Matrix {
	n := f.x.Rows
	sum, part := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
	for t, c := range p.weights {
		f.gram(part, f.members[t])
		floats.AddScaled(sum.Data, -c, part.Data)
	}
	addDiagonal(sum, -p.identity)
	linalg.CentreGram(compute.Dense(sum), f.workers)
	scaled := compute.Clone(f.y)
	floats.Scale(1/f.norm, scaled.Data)
	compute.MulNT(sum, scaled, f.y, f.workers)
	return sum
}

func (f *dense) admit(k kernel.Kernel) products {
	n := f.x.Rows
	own, other := compute.NewMatrix(n, n), compute.NewMatrix(n, n)
	f.gram(own, k)
	linalg.CentreGram(compute.Dense(own), f.workers)
	p := products{trace: compute.Trace(own)}
	compute.MulNT(other, f.y, f.y, f.workers)
	p.target = f.dot(own, other)
	for _, m := range f.members {
		f.gram(other, m)
		p.members = append(p.members, f.dot(own, other))
	}
	p.members = append(p.members, f.dot(own, own))
	f.members = append(f.members, k)
	return p
}

// alignmentOn returns the centred alignment of k with the targets of examples.
func alignmentOn(e examples, k kernel.Kernel, workers int) float64 {
	f := dense{data: newData(e.x, e.y, workers, nil).uncentred()}
	p := f.admit(k)
	if !(p.members[0] > 0 && f.norm > 0) {
		return 0
	}
	return p.target / (math.Sqrt(p.members[0]) * f.norm)
}

// parametric searches all parameters of a kernel by L-BFGS, from the parameters of start.
type parametric struct {
	*data
	start       kernel.Kernel
	description gram.Description // of start
}

func (f parametric) best(p compute.Matrix) candidate {
	var u []float64
	for _, v := range f.description.Parameters {
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
	return f.description.WithParameters(v)
}

// slope returns <P, K>/n at the parameters exp(u) and sets its gradient. k is scratch
// memory.
func (f parametric) slope(grad, u []float64, p, k compute.Matrix) float64 {
	at, n := f.at(u), float64(p.Rows)
	f.gram(k, at)
	gradient := gram.Describe(at).LogGradient
	f.sumGradients(grad, p, func(dst []float64, i, j int) { gradient(dst, compute.Row(f.x, i), compute.Row(f.x, j)) })
	floats.Scale(1/n, grad)
	return f.dot(p, k) / n
}

func (f parametric) fallback() kernel.Kernel { return f.start }

// sumGradients sets dst to Σ_ij P_ij·g(i, j) for symmetric P and g. Each row is summed
// separately, so the result does not depend on the number of workers.
func (d *data) sumGradients(dst []float64, p compute.Matrix, g func(dst []float64, i, j int)) {
	rows := compute.NewMatrix(p.Rows, len(dst))
	compute.Parallel(p.Rows, d.workers, func(i int) {
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
